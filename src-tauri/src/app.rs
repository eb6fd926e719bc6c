//! The shell's state, and the border that every command goes through: the work is done on a thread that may wait, a
//! panic there is an internal error and no end of the program, and errors leave in the window's language.

use crate::desk::Desk;
use crate::events::{PreferencesChanged, Told};
use crate::launch::{Location, Place};
use crate::preferences::{self, Preferences, RecentSpace};
use crate::space::{Around, OpenSpace, SpaceView, folder_of, none_open};
use crate::watching::{WatchWish, Watched};
use crate::works::Works;
use kiroku_api::Workspace;
use kiroku_model::{Call, Cancel, Clock, Error, Lang, Result, WireError};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// What a command answers.
pub type Answered<T> = std::result::Result<T, WireError>;

/// The shell's state, one for the program. Clones are the same state.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    place: Place,
    clock: Arc<dyn Clock>,
    desk: Arc<dyn Desk>,
    preferences: RwLock<Preferences>,
    open: RwLock<Option<Arc<OpenSpace>>>,
    works: Works,
    /// Held while a space is opened, made or replaced, so that two of these come one after the other.
    opening: Mutex<()>,
    unseen: Arc<AtomicBool>,
    /// Where the page is to go first.
    location: Mutex<Option<Location>>,
}

impl App {
    /// The state of a program that begins.
    pub fn new(place: Place, clock: Arc<dyn Clock>, desk: Arc<dyn Desk>) -> App {
        let preferences = RwLock::new(Preferences::read(&*desk));
        let location = Mutex::new(place.location.clone());
        App(Arc::new(Inner {
            place,
            clock,
            desk,
            preferences,
            open: RwLock::default(),
            works: Works::default(),
            opening: Mutex::default(),
            unseen: Arc::default(),
            location,
        }))
    }

    /// Where things are on this computer.
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// The computer's desktop.
    pub fn desk(&self) -> &dyn Desk {
        &*self.0.desk
    }

    /// The clock that spaces are opened with.
    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.0.clock)
    }

    /// What runs for the page.
    pub fn works(&self) -> &Works {
        &self.0.works
    }

    /// What the person chose.
    pub fn preferences(&self) -> Preferences {
        self.0.preferences.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps other preferences, and tells the page and the window.
    pub fn set_preferences(&self, new: Preferences) -> Result<()> {
        let lang = self.lang();
        new.write(self.desk())?;
        *self.0.preferences.write().unwrap_or_else(PoisonError::into_inner) = new.clone();
        self.desk().set_theme(new.theme.of_window());
        if self.lang() != lang {
            self.desk().set_lang(self.lang());
        }
        self.desk().tell(Told::PreferencesChanged(PreferencesChanged { preferences: new, lang: self.lang() }));
        Ok(())
    }

    /// The window's language.
    pub fn lang(&self) -> Lang {
        self.preferences().lang(self.place().system_lang)
    }

    /// Where the page is to go first, once.
    pub fn take_location(&self) -> Option<Location> {
        self.0.location.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Says whether anybody sees the window: while nobody does, less is done.
    pub fn set_unseen(&self, unseen: bool) {
        self.0.unseen.store(unseen, Ordering::Relaxed);
    }

    /// The open space.
    pub fn open_space(&self) -> Result<Arc<OpenSpace>> {
        self.opened().ok_or_else(none_open)
    }

    /// The open space, if there is one.
    pub fn opened(&self) -> Option<Arc<OpenSpace>> {
        self.0.open.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// To be held while the open space is exchanged.
    pub fn opening(&self) -> MutexGuard<'_, ()> {
        self.0.opening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the space at `path` in the window, in the place of the one that is open.
    pub fn open(&self, path: &Path) -> Result<SpaceView> {
        let known = preferences::recent(self.desk()).into_iter().find(|space| Path::new(&space.path) == path);
        let sample = self.place().is_sample(path);
        self.show(Workspace::open(path, self.clock())?, known.and_then(|space| space.member), sample)
    }

    /// Shows an opened workspace in the window.
    pub fn show(&self, workspace: Workspace, member: Option<String>, sample: bool) -> Result<SpaceView> {
        let workspace = workspace.with_data_dir(Some(self.place().data_dir.clone()));
        let desk = Arc::clone(&self.0.desk);
        // Weak: the threads of a space must not keep the state that holds it.
        let app = Arc::downgrade(&self.0);
        let around = Around {
            tell: Arc::new(move |told| desk.tell(told)),
            unseen: Arc::clone(&self.0.unseen),
            lang: Arc::new(move || app.upgrade().map(|inner| App(inner).lang()).unwrap_or_default()),
        };
        let space = Arc::new(OpenSpace::new(workspace, member.as_deref(), sample, &around)?);
        let view = self.view(&space)?;
        self.set_open(Some(Arc::clone(&space)));
        self.remember(&space, &view.name)?;
        let wish = WatchWish::read(self.desk(), space.uid());
        if wish.on {
            self.watch(&space, wish, false)?;
        }
        Ok(view)
    }

    /// Has sessions come into a space by themselves, or no longer. `soon`: at once.
    pub fn watch(&self, space: &OpenSpace, wish: WatchWish, soon: bool) -> Result<()> {
        let desk = Arc::clone(&self.0.desk);
        let of = Watched {
            owner: space.member(),
            folder: folder_of(space.path()),
            environment: self.place().environment.clone(),
            clock: self.clock(),
            lang: self.lang(),
            tell: Arc::new(move |told| desk.tell(told)),
        };
        space.watch_sessions(wish, of, soon)
    }

    /// Closes the open space: what runs over it is taken back.
    pub fn close(&self) {
        self.set_open(None);
    }

    fn set_open(&self, space: Option<Arc<OpenSpace>>) {
        let earlier = std::mem::replace(&mut *self.0.open.write().unwrap_or_else(PoisonError::into_inner), space);
        if let Some(earlier) = earlier {
            self.works().cancel_all();
            drop(earlier);
        }
    }

    /// What the page is told of a space.
    pub fn view(&self, space: &OpenSpace) -> Result<SpaceView> {
        space.view(self.lang(), &self.place().mounts())
    }

    /// Keeps the space among those that were open lately.
    pub fn remember(&self, space: &OpenSpace, name: &str) -> Result<()> {
        let entry = RecentSpace {
            path: space.path().display().to_string(),
            uid: space.uid().to_owned(),
            name: name.to_owned(),
            member: Some(space.member()),
            opened: self.0.clock.now(),
            sample: space.is_sample(),
            present: true,
        };
        preferences::remember_recent(self.desk(), entry)
    }

    /// Does work on a thread that may wait: the border of every command.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T> + Send + 'static,
    ) -> Answered<T> {
        let app = self.clone();
        let done = tauri::async_runtime::spawn_blocking(move || work(&app)).await;
        // The thread's end without an answer is a panic: the message went to the log by the panic hook.
        let answer = done.unwrap_or_else(|fault| Err(Error::internal(fault)));
        answer.map_err(|error| {
            if error.code() == kiroku_model::ErrorCode::Internal {
                log::error!("{error}");
            }
            error.to_wire(self.lang())
        })
    }

    /// Reads the open space as the app's member.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Workspace, &Call) -> Result<T> + Send + 'static,
    ) -> Answered<T> {
        self.blocking(move |app| {
            let space = app.open_space()?;
            work(space.workspace(), &space.call(app.lang(), &Cancel::new()))
        })
        .await
    }

    /// Does work over the open space that the page can take back by `name`; see [`Works::begin`] for `turn`.
    pub async fn cancellable<T: Send + 'static>(
        &self,
        name: String,
        turn: u64,
        work: impl FnOnce(&App, &OpenSpace, &Call) -> Result<T> + Send + 'static,
    ) -> Answered<T> {
        // Before the thread begins, so that calls take their turns in the order in which they arrive.
        let ticket = self.works().begin(&name, turn).map_err(|error| error.to_wire(self.lang()))?;
        self.blocking(move |app| {
            let space = app.open_space()?;
            let call = space.call(app.lang(), ticket.cancel());
            work(app, &space, &call)
        })
        .await
    }
}
