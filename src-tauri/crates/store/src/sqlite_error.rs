//! What SQLite says, as an error that a person can act on.

use kiroku_model::{Error, ErrorCode, Result, text};
use rusqlite::ErrorCode as Sqlite;

/// Turns a SQLite result into ours: `stmt.query(..).or_sql()?`.
pub trait DbResult<T> {
    /// The value, or the error by [`sql`].
    fn or_sql(self) -> Result<T>;
}

impl<T> DbResult<T> for rusqlite::Result<T> {
    fn or_sql(self) -> Result<T> {
        self.map_err(|error| sql(&error))
    }
}

/// A SQLite error as one of ours.
pub fn sql(error: &rusqlite::Error) -> Error {
    let Some(code) = error.sqlite_error_code() else {
        return match error {
            rusqlite::Error::QueryReturnedNoRows => {
                Error::not_found(text!(en: "there is no such row", ja: "該当する行がありません"))
            }
            // A row holds what its column should not: the file was changed by another program.
            rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::InvalidColumnType(..) => {
                damaged().with("cause", error.to_string())
            }
            other => Error::internal(other),
        };
    };
    let (code, message) = match code {
        Sqlite::OperationInterrupted => return Error::cancelled(),
        Sqlite::DatabaseBusy | Sqlite::DatabaseLocked => (
            ErrorCode::Busy,
            text!(
                en: "another program is writing to this space; nothing was changed, try again in a moment",
                ja: "ほかのプログラムがこのスペースに書き込み中です。何も変更していません。少し待ってからもう一度お試しください"
            ),
        ),
        Sqlite::DiskFull => (
            ErrorCode::Io,
            text!(
                en: "the disk is full; nothing of this change was kept and the space is whole. Free some room and try again",
                ja: "ディスクの空きがありません。今回の変更は保存されず、スペースは元のままです。空きを作ってからもう一度お試しください"
            ),
        ),
        Sqlite::ReadOnly => (
            ErrorCode::Refused,
            text!(
                en: "the space file is read-only; nothing was changed. Allow writing to the file and its folder, or copy it elsewhere",
                ja: "スペースのファイルは読み取り専用です。何も変更していません。ファイルとフォルダーへの書き込みを許可するか、別の場所に複製してください"
            ),
        ),
        Sqlite::DatabaseCorrupt => return damaged().with("cause", error.to_string()),
        Sqlite::NotADatabase => return not_a_space(),
        Sqlite::CannotOpen => (
            ErrorCode::Io,
            text!(
                en: "the space file can't be opened: {error}",
                ja: "スペースのファイルを開けません: {error}"
            ),
        ),
        Sqlite::SystemIoFailure => (
            ErrorCode::Io,
            text!(
                en: "reading or writing the space file failed: {error}",
                ja: "スペースのファイルの読み書きに失敗しました: {error}"
            ),
        ),
        _ => return Error::internal(error),
    };
    Error::new(code, message)
}

/// The file is damaged; says the ways out.
pub(crate) fn damaged() -> Error {
    Error::new(
        ErrorCode::Damaged,
        text!(
            en: "the space file is damaged; it was left as it is. `kiroku doctor` says more, `kiroku restore` brings back a backup",
            ja: "スペースのファイルが壊れています。ファイルには触れていません。`kiroku doctor` で詳しく調べ、`kiroku restore` でバックアップから戻せます"
        ),
    )
}

/// The file is no space file.
pub(crate) fn not_a_space() -> Error {
    Error::new(
        ErrorCode::Damaged,
        text!(
            en: "this file is not a Kiroku space; it was left as it is",
            ja: "このファイルは Kiroku のスペースではありません。ファイルには触れていません"
        ),
    )
}
