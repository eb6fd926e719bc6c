//! A space out: everything it holds, from one read transaction.

use crate::Workspace;
use kiroku_model::{Cancel, Result, ToolData};
use kiroku_search::dump;
use kiroku_search::text::redact;
use kiroku_sources::exchange::{Comment, Header, Member, Pin, Row, Space, Task, Tombstone, VERSION, write_row};
use kiroku_store::{members, tombstones};
use std::io::Write;

/// How an export is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportOptions {
    /// Secrets are taken out of every text, by the rules of the search index.
    pub redact: bool,
}

impl ExportOptions {
    fn text(self, text: String) -> String {
        if self.redact { redact(&text).into_owned() } else { text }
    }
}

impl Workspace {
    /// Writes everything that the space holds, as the exchange format. Answers how many rows there were.
    pub fn export(&self, to: &mut impl Write, options: ExportOptions, cancel: &Cancel) -> Result<u64> {
        let info = self.info()?;
        self.space().read(cancel, |conn| {
            let mut out = Out { to, rows: 0 };
            out.row(&Row::Header(Header { version: VERSION, space: Some(info.uid) }))?;
            out.row(&Row::Space(Space { name: info.name }))?;
            for member in members(conn)? {
                out.row(&Row::Member(Member { id: member.id, name: Some(member.name), role: Some(member.role) }))?;
            }
            for found in dump::tasks(conn)? {
                let (source, key) = found.task.source.unzip();
                out.row(&Row::Task(Box::new(Task {
                    id: found.id,
                    uid: Some(found.uid),
                    title: options.text(found.task.title),
                    piece: found.task.piece,
                    state: found.task.state,
                    ending: found.task.ending,
                    owner: found.task.owner,
                    parent: found.task.parent,
                    source,
                    key,
                    folder: found.task.folder,
                    created: Some(found.task.created),
                    updated: Some(found.task.updated),
                })))?;
            }
            dump::comments(conn, |found| {
                cancel.check()?;
                out.row(&Row::Comment(Box::new(comment(found, options))))
            })?;
            for pin in dump::pins(conn)? {
                out.row(&Row::Pin(Pin {
                    uid: Some(pin.uid),
                    task: pin.task,
                    list: pin.list,
                    text: options.text(pin.text),
                    reference: pin.comment,
                    member: pin.member,
                    created: Some(pin.created),
                }))?;
            }
            super::lists::export(conn, &|text| options.text(text), cancel, &mut |row| out.row(row))?;
            for gone in tombstones(conn)? {
                out.row(&Row::Tombstone(Tombstone {
                    source: gone.source,
                    key: gone.task,
                    comment: Some(gone.comment).filter(|comment| !comment.is_empty()),
                    at: Some(gone.at),
                }))?;
            }
            Ok(out.rows)
        })
    }
}

struct Out<'w, W> {
    to: &'w mut W,
    rows: u64,
}

impl<W: Write> Out<'_, W> {
    fn row(&mut self, row: &Row) -> Result<()> {
        self.rows += 1;
        write_row(self.to, row)
    }
}

fn comment(found: dump::CommentRow, options: ExportOptions) -> Comment {
    let mut kept = found.comment;
    for attachment in &mut kept.attachments {
        attachment.name = options.text(std::mem::take(&mut attachment.name));
    }
    // The size of the whole is only said where it is not that of what is there.
    let whole = |data: &Option<ToolData>| {
        data.as_ref().filter(|data| data.whole_bytes != data.text.len() as u64).map(|data| data.whole_bytes)
    };
    let (input_bytes, output_bytes) = (whole(&kept.input), whole(&kept.output));
    let text = |data: Option<ToolData>| data.map(|data| options.text(data.text));
    Comment {
        id: Some(found.id),
        uid: None,
        key: Some(kept.key),
        task: found.task,
        author: kept.author,
        member: kept.member,
        kind: kept.kind,
        progress: kept.progress,
        tool: kept.tool,
        movement: kept.movement.map(|movement| options.text(movement)),
        body: options.text(kept.body),
        input: text(kept.input),
        output: text(kept.output),
        input_bytes,
        output_bytes,
        created: kept.created,
        attachments: kept.attachments,
        withdrawn: found.withdrawn,
        seq: Some(found.seq),
    }
}
