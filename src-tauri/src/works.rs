//! What runs for the page now, by the names that the page gave, so that it can be taken back: a new search takes back
//! the earlier one of the same field and nothing else, and long work ends when the person says so.

use kiroku_model::{Cancel, Error, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Running work by name. Clones are the same list.
#[derive(Clone, Default)]
pub struct Works(Arc<Mutex<HashMap<String, Running>>>);

struct Running {
    turn: u64,
    /// Which of the works that had this name it is.
    serial: u64,
    cancel: Cancel,
}

/// Stands for work that runs; it is off the list when this is dropped.
pub struct Ticket {
    works: Works,
    name: String,
    serial: u64,
    cancel: Cancel,
}

impl Works {
    /// Begins work. Earlier work of the same name is taken back. Calls may arrive in another order than they were made:
    /// one with a lower `turn` than the work that runs is late, and is `cancelled` at once.
    pub fn begin(&self, name: &str, turn: u64) -> Result<Ticket> {
        let mut running = self.lock();
        let earlier = running.get(name);
        if earlier.is_some_and(|earlier| turn < earlier.turn) {
            return Err(Error::cancelled());
        }
        let serial = earlier.map_or(0, |earlier| earlier.serial + 1);
        let cancel = Cancel::new();
        if let Some(earlier) = running.insert(name.to_owned(), Running { turn, serial, cancel: cancel.clone() }) {
            earlier.cancel.cancel();
        }
        Ok(Ticket { works: self.clone(), name: name.to_owned(), serial, cancel })
    }

    /// Takes the work of this name back; whether there was any.
    pub fn cancel(&self, name: &str) -> bool {
        let running = self.lock();
        let found = running.get(name);
        found.inspect(|running| running.cancel.cancel()).is_some()
    }

    /// Takes everything back: the space is closed, or the program ends.
    pub fn cancel_all(&self) {
        self.lock().values().for_each(|running| running.cancel.cancel());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// The token that the work looks at.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut running = self.works.lock();
        if running.get(&self.name).is_some_and(|running| running.serial == self.serial) {
            running.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_search_takes_back_the_earlier_one_of_its_field_only() {
        let works = Works::default();
        let (first, other) = (works.begin("search", 1).unwrap(), works.begin("palette", 1).unwrap());
        let second = works.begin("search", 2).unwrap();
        assert!(first.cancel().is_cancelled());
        assert!(!other.cancel().is_cancelled() && !second.cancel().is_cancelled());
        // The end of the earlier one does not take the later one off the list.
        drop(first);
        assert!(works.cancel("search") && second.cancel().is_cancelled());
        drop(second);
        assert!(!works.cancel("search"));
        works.cancel_all();
        assert!(other.cancel().is_cancelled());
    }

    #[test]
    fn a_call_that_arrives_late_takes_nothing_back() {
        let works = Works::default();
        let newer = works.begin("search", 8).unwrap();
        assert_eq!(works.begin("search", 7).err().unwrap().code(), kiroku_model::ErrorCode::Cancelled);
        assert!(!newer.cancel().is_cancelled());
    }
}
