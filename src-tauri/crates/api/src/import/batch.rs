//! What was read of sessions and waits for the next commit. What a reader says of a comment or a task that waits here is
//! put in its place at once, since most of what it says is taken back or completed a few lines later.

use kiroku_sources::{Cursor, Event};
use std::collections::HashMap;

/// What was read and not written yet.
#[derive(Default)]
pub struct Batch {
    pub events: Vec<(usize, Event)>,
    pub bytes: usize,
    /// Where each comment of the batch stands in `events`, so that what is said of it later is said at once.
    comments: HashMap<(String, String), usize>,
    /// Likewise each task, as each file knows it: a reader tells of it after nearly every line.
    tasks: HashMap<(usize, String), usize>,
    pub cursors: Vec<(usize, String, Cursor)>,
    pub rewritten: Vec<Rewritten>,
}

/// A file that was read anew to its end: the comments that its tasks have now, in order.
pub struct Rewritten {
    pub path: String,
    pub keys: HashMap<String, Vec<String>>,
}

impl Batch {
    /// Adds an event; what changes a comment that is in the batch already is said in its place.
    pub fn push(&mut self, file: usize, event: Event) {
        let place = match &event {
            Event::Comment { task, comment } => Some((task.clone(), comment.key.clone())),
            Event::Output { task, comment, .. } | Event::Kind { task, comment, .. } => {
                Some((task.clone(), comment.clone()))
            }
            Event::Task(_) | Event::List { .. } | Event::Skipped(_) => None,
        };
        if let Event::Task(task) = &event
            && let Some(at) = self.tasks.get(&(file, task.key.clone()))
            && let Some((_, waiting)) = self.events.get_mut(*at)
        {
            *waiting = event;
            return;
        }
        self.bytes += weight(&event);
        let known = place.as_ref().and_then(|place| self.comments.get(place)).copied();
        let waiting = known.and_then(|at| self.events.get_mut(at)).map(|(_, event)| event);
        match (event, waiting) {
            (Event::Comment { comment, .. }, Some(Event::Comment { comment: waiting, .. })) => {
                let earlier = std::mem::replace(waiting, comment);
                waiting.output = waiting.output.take().or(earlier.output);
            }
            (Event::Output { output, .. }, Some(Event::Comment { comment, .. })) => comment.output = Some(output),
            (Event::Kind { kind, progress, .. }, Some(Event::Comment { comment, .. })) => {
                comment.kind = kind;
                comment.progress = progress;
            }
            (event, _) => {
                if let Event::Task(task) = &event {
                    self.tasks.insert((file, task.key.clone()), self.events.len());
                }
                if let (Event::Comment { .. }, Some(place)) = (&event, place) {
                    self.comments.insert(place, self.events.len());
                }
                self.events.push((file, event));
            }
        }
    }
}

/// About how many bytes an event holds.
fn weight(event: &Event) -> usize {
    match event {
        Event::Comment { comment, .. } => {
            let data = |data: &Option<kiroku_model::ToolData>| data.as_ref().map_or(0, |data| data.text.len());
            comment.body.len() + data(&comment.input) + data(&comment.output)
        }
        Event::Output { output, .. } => output.text.len(),
        Event::Task(_) | Event::Kind { .. } | Event::List { .. } | Event::Skipped(_) => 0,
    }
}
