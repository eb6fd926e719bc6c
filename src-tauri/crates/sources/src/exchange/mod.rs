//! Kiroku's own exchange format: a whole space as JSON Lines. It is what `kiroku export` writes and `kiroku import`
//! reads, the way in for any other system, and what the sample space ships as. This page is its reference.
//!
//! # The file
//! UTF-8 text, one JSON object a line, each with a `type`. A BOM, CRLF, empty lines, and a last line with no line end
//! are fine. A line over 64 MiB is skipped. `null` is the same as absent. A field may stand once in a line.
//! Types and fields that a reader does not know are kept out quietly and counted, so that a later minor version stays
//! readable; a line that can't be read is skipped, counted, and reported with its number. Nothing else of the file
//! suffers by it.
//!
//! # Values
//! - **time**: RFC 3339 with a zone, 1970 to 9999, such as `"2026-06-20T10:00:00Z"`; finer than a millisecond is cut.
//! - **task number**: `12`; `"12"` and `"task:12"` are read too. **Comment number**: `88`; `"88"` and `"comment:88"`
//!   are read too. From 1 to 2^53. A pin's `ref` is written `"comment:88"`.
//! - **text or JSON** (`input`, `output`): a string, or any other JSON value, which is kept as its compact JSON text.
//! - **item**: `{"id", "content", "status", "activeForm"}`, status `pending`, `in_progress` or `completed`; at most
//!   10,000 in a list.
//! - **attachment**: `{"name", "bytes"?, "media_type"?}`: contents are never in the file. At most 10,000 of
//!   a comment.
//!
//! # Rows
//! In an export they come in this order: the header, the space, members, tasks (parents before children), comments
//! (a task's in its own order), pins, lists, history (oldest first), notes, reviews, tombstones. Files by others may
//! mix them, as long as a row comes before those that name it; only a comment may name a task that has no row (it gets
//! one with no title). Files may be joined: a header holds for the rows up to the next one.
//!
//! | type | fields that must be there | others, and what they are when absent |
//! | --- | --- | --- |
//! | `kiroku` | | `version` 1 (another major version is refused, and reading ends there), `space`: the UUID of the space the rows below come from (else the space they go into) |
//! | `space` | `name` | |
//! | `member` | `id` | `name`: the id; `role` `owner` or `member`: `member` |
//! | `task` | `id` | `uid`, `title` empty, `piece` empty, `state` (`queued`, `running`, `waiting`, `completed`, `failed`, `interrupted`): `completed`, or what `ending` says; `ending` (`turn_ended`, `asked`, `interrupted`, `error`, `mid_turn`), `owner` (a member's id), `parent` (task number), `source` and `key` (importer and its own key for the session), `folder`, `created` and `updated`: the first and last comment's |
//! | `comment` | `task`, `author` (`user`, `agent`), `kind`, `created` | `id`, `uid`, `key` (the source's own, unique in its task), `member`, `progress`, `tool`, `movement`, `body` empty, `input`, `output`, `input_bytes` and `output_bytes` (the size of the whole, where it was cut), `attachments` none, `withdrawn` false (gone from its source), `seq`: the place in its task's order, else that of the line |
//! | `pin` | `task`, `list` (`user_constraints`, `decisions`), `text` | `uid`, `ref`, `member`, `created` |
//! | `list` | `task` or `thread` | `resource`: the task's owner, else `agent`; `items` none, `version`, `updated` |
//! | `history` | `task` or `thread` | `uid`, `resource`, `at`, `by` (a member's id or `agent`), `door` (`app`, `mcp`, `cli`, `import`, `restore`), `version` (the list's, that it made), `ref` (the comment whose tool call it was), `before` and `after` (the whole list, none) |
//! | `note` | `task` or `thread`, `item`, `text` | `uid`, `by`, `at` |
//! | `review` | `task` or `thread`, `item` | `by`, `at` |
//! | `tombstone` | `source`, `key` | `comment` (a comment's key: only that one is gone for good), `at` |
//!
//! `kind`: `request`, `comment`, `interjection`, `interjection_ack`, `result`, `ask`, `progress`, `handoff`; `progress`:
//! `thinking`, `summary`, `tool`. Other words are kept, and never indexed. `task` and `thread` exclude each other:
//! a thread that is no task's is `"thread":"ID"`; `"thread":"task:12"` is `"task":12`.
//! A `by` that is absent is whoever imports; an `at` or a pin's `created` that is absent is the time of the import.
//!
//! # Identity
//! Importing a file twice adds nothing, by the row's `uid`. A row without one has the uid that [`Task::identity`],
//! [`Comment::identity`], [`Pin::identity`], [`History::identity`] and [`Note::identity`] derive: a task's from
//! `source` and `key`, else from the file's space and its number; what belongs to a task or thread from that one's
//! identity and its own `key`, else its number, else its content. A list is its thread's, a review its thread's
//! item's. Numbers are kept when free, else mapped, and every reference to them in the same file with them.
//! Importing never renames a space that has a name and never changes the role of a member who is there; members that
//! are not come in as `member`.

mod identity;
mod object;
mod read;
mod rows;
mod values;

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

pub use read::{Counts, LINE_LIMIT, Line, Reader};
pub use rows::{
    Comment, Header, History, Item, ItemStatus, List, Member, Note, Pin, Review, Row, Space, Task, Tombstone, VERSION,
    write_row,
};
