//! What a command works with beside its settings: it reads programs, shows progress, talks, and keeps to its limits.

mod board;
mod build;
mod cause;
mod guard;
mod interrupt;
pub(crate) mod output;
mod progress;
mod rescue;
mod scratch;
mod store;
mod workers;

pub(crate) use guard::CommandLimits;
pub(crate) use rescue::Kept;
pub(crate) use workers::{InOrder, Workers};

use crate::exit::Status;
use crate::settings::StoreSettings;
use anyhow::{Context, Result};
use board::Board;
use cause::{Stopping, cause, past_cause, stopped_by};
use guard::{Guard, ReportCost, memory_used};
use incise_exec::{Detail, FoundSoFar, Hooks, LimitKind, Limits, Progress};
use incise_frontend::versions::{OldVersion, load_both, load_each, load_versions};
use incise_frontend::{
    Classified, ClassifiedNumber, FrontendError, Loaded, Loading, Sources, Watch, classified, load, watched,
};
use incise_replay::ReplayOptions;
use incise_replay::confinement::{Confinement, Layer, Layers};
use incise_suite::{Caches, StoredSuite};
use progress::ProgressLine;
use rescue::Rescue;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::SessionStore;
use tempfile::TempDir;

/// How long a native run of one test may take if the user does not say.
const REPLAY_TIMEOUT: Duration = Duration::from_secs(10);

/// How a command talks.
#[derive(Copy, Clone, Debug)]
pub(crate) struct TalkSettings {
    /// Whether it says only what has to be said.
    pub(crate) quiet: bool,
    /// Whether it passes on what clang warns of.
    pub(crate) verbose: bool,
    /// Whether standard error is coloured.
    pub(crate) color: bool,
}

/// One run of a command.
pub(crate) struct Session {
    talk: TalkSettings,
    stopping: Stopping,
    rescue: Rescue,
    guard: Guard,
    store: SessionStore,
    found: FoundSoFar,
    workers: Workers,
    board: Board,
    /// What native runs are kept in; nothing runs without.
    confinement: Option<Confinement>,
    _scratch: Option<TempDir>,
}

impl Session {
    /// Begins a run: from now on limits and the first Ctrl-C ask it to stop.
    pub(crate) fn begin(
        talk: TalkSettings,
        limits: CommandLimits,
        jobs: Option<usize>,
        native: bool,
        store: &StoreSettings,
    ) -> Result<Self> {
        let confinement = if native { Some(confinement()?) } else { None };
        let (stopping, rescue) = (Stopping::new(), Rescue::new());
        interrupt::install(stopping.clone());
        let found = FoundSoFar::default();
        let guard = Guard::begin(limits, stopping.clone(), rescue.clone(), found.clone());
        Ok(Self {
            talk,
            stopping,
            rescue,
            guard,
            store: SessionStore::of(store)?,
            found,
            workers: Workers::of_process(jobs),
            board: Board::new(talk.quiet),
            confinement,
            _scratch: scratch::begin(),
        })
    }

    /// Says, at the end, what programs that ran natively were not kept from.
    pub(crate) fn say_gaps(&self) {
        let gaps = self.confinement.as_ref().map(Confinement::gaps).unwrap_or_default();
        if !gaps.is_empty() {
            self.warn(&format!(
                "warning: the programs that ran natively could {}: this system has nothing to keep them from it \
                 (--no-native runs nothing)",
                gaps.join(", and ")
            ));
        }
    }

    /// From now on this reports what was found if the command has to stop and does not come to it.
    pub(crate) fn rescue(&self, report: impl FnOnce(LimitKind) -> Result<Status> + Send + 'static) {
        self.rescue.set(report);
    }

    /// From now on the command reports by itself, however long that takes.
    pub(crate) fn reports(&self) {
        self.rescue.command_reports();
    }

    /// Makes the report of a command that stopped on its way, and says why if there is none.
    pub(crate) fn report_stopped(&self, limit: LimitKind, error: anyhow::Error) -> Result<Status> {
        match self.rescue.take() {
            Some(report) => report(limit),
            None => Err(error),
        }
    }

    /// Those that work at once.
    pub(crate) fn workers(&self) -> &Workers {
        &self.workers
    }

    /// Where it is shown how far the whole is.
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// The paths that the exploration which runs has found so far.
    pub(crate) fn found(&self) -> &FoundSoFar {
        &self.found
    }

    /// Has searches end early enough for a report that takes so much.
    pub(crate) fn expect(&self, percent_of_search: u32, most_each: Duration) {
        self.guard.expect(ReportCost { percent_of_search, most_each });
    }

    /// Has everything that is searched end early enough for a report.
    pub(crate) fn limit(&self, limits: &mut Limits) {
        limits.end = [limits.end, self.guard.end_of_search()].into_iter().flatten().min();
    }

    /// Says something, unless the user wants it quiet.
    pub(crate) fn say(&self, text: &str) {
        if !self.talk.quiet {
            output::talk(text);
        }
    }

    /// Says something that has to be said.
    pub(crate) fn warn(&self, text: &str) {
        output::talk(text);
    }

    /// Whether it has to end now: the user wants it, or a limit is reached.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.stopped_by().is_some()
    }

    /// Why it has to end now, if it has to. A lack of memory may have passed.
    pub(crate) fn stopped_by(&self) -> Option<LimitKind> {
        self.guard.recover();
        cause()
    }

    /// Why something was stopped on the way, if it was.
    pub(crate) fn was_stopped_by(&self) -> Option<LimitKind> {
        past_cause()
    }

    /// Set once it has to end.
    pub(crate) fn interrupt(&self) -> &Arc<AtomicBool> {
        self.stopping.flag()
    }

    /// What was found out by other runs.
    pub(crate) fn store(&self) -> &SessionStore {
        &self.store
    }

    /// Says, at the end, what was taken from the store, and what went wrong with it.
    pub(crate) fn say_store(&self) {
        self.store.troubles().iter().for_each(|trouble| self.warn(&format!("note: {trouble}")));
        if let Some(taken) = self.store.taken() {
            self.say(&taken);
        }
    }

    /// Where notes about suites are kept.
    pub(crate) fn caches(&self) -> &Caches {
        self.store.caches()
    }

    /// Reads a suite.
    pub(crate) fn read_suite(&self, directory: &Path) -> Result<StoredSuite> {
        Ok(incise_suite::read_suite(directory, self.caches())?)
    }

    fn loading(&self) -> Loading<'_> {
        let required_model = incise_exec::required_model;
        let TalkSettings { color, verbose: warnings, .. } = self.talk;
        Loading { color, warnings, interrupt: self.interrupt(), required_model, keep_text: false }
    }

    /// Reads a program.
    pub(crate) fn load(&self, sources: Sources) -> Result<Loaded> {
        Ok(load(sources, self.loading(), &mut |note| self.say(note))?)
    }

    /// Reads a program of which everything was said when the tests were written that are for it.
    pub(crate) fn load_silently(&self, sources: Sources) -> Result<Loaded> {
        Ok(load(sources, self.loading(), &mut |_| {})?)
    }

    /// Reads two versions.
    pub(crate) fn load_versions(&self, old: Sources, new: Sources) -> Result<(OldVersion, Loaded)> {
        Ok(load_versions(old, new, self.loading(), &mut |note| self.say(note))?)
    }

    /// Reads two versions of one unit among many: what is said of it is kept for the report.
    pub(crate) fn load_unit(
        &self,
        old: Sources,
        new: Sources,
    ) -> (Result<(OldVersion, Loaded), FrontendError>, Vec<String>) {
        let mut notes = Vec::new();
        let loaded = load_versions(old, new, self.loading(), &mut |note| notes.push(note.to_owned()));
        (loaded, notes)
    }

    /// Reads two versions with all that belongs to each of them.
    pub(crate) fn load_each(&self, old: Sources, new: Sources) -> Result<(Loaded, Loaded)> {
        Ok(load_each(old, new, self.loading(), &mut |note| self.say(note))?)
    }

    /// Reads two versions where they are; no old one if both are the same files.
    pub(crate) fn load_both(&self, old: Sources, new: Sources) -> Result<(Option<Loaded>, Loaded)> {
        Ok(load_both(old, new, self.loading(), &mut |note| self.say(note))?)
    }

    /// The same, and keeps what clang made of them for [`Session::watch`].
    pub(crate) fn load_to_watch(&self, old: Sources, new: Sources) -> Result<(Loaded, Loaded)> {
        let loading = Loading { keep_text: true, ..self.loading() };
        Ok(load_each(old, new, loading, &mut |note| self.say(note))?)
    }

    /// A program in which things inside of functions are seen from outside, and which of them are.
    pub(crate) fn watch(&self, loaded: &Loaded, watches: &[Watch]) -> Result<(Loaded, BTreeSet<Watch>)> {
        Ok(watched(loaded, watches, self.loading().required_model)?)
    }

    /// The program of modules that tells the class of a variable at the end of a function.
    pub(crate) fn classify(
        &self,
        texts: &[(String, String)],
        function: &str,
        numbers: &[ClassifiedNumber],
    ) -> Result<Option<Classified>> {
        Ok(classified(texts, function, numbers, self.loading().required_model)?)
    }

    /// For an exploration without progress.
    pub(crate) fn hooks(&self, detail: Detail) -> Hooks<'_> {
        self.guard.recover();
        Hooks {
            interrupt: Arc::clone(self.stopping.search()),
            stopped_by: Some(stopped_by),
            progress: None,
            memory_used: Some(memory_used),
            detail,
            found: Some(&self.found),
        }
    }

    /// Explores with a line of progress.
    pub(crate) fn exploring<T>(&self, detail: Detail, explore: impl FnOnce(&Hooks<'_>) -> T) -> T {
        self.showing(detail, ProgressLine::show, explore)
    }

    /// Compares both versions of a function with a line of progress.
    pub(crate) fn comparing<T>(&self, function: &str, compare: impl FnOnce(&Hooks<'_>) -> T) -> T {
        if let Some(place) = self.board.begin(function) {
            let show = |progress: &Progress| place.show(progress);
            return compare(&Hooks { progress: Some(&show), ..self.hooks(Detail::All) });
        }
        self.showing(Detail::All, |line, progress| line.show_comparison(function, progress), compare)
    }

    fn showing<T>(
        &self,
        detail: Detail,
        show: impl Fn(&ProgressLine, &Progress) + Sync,
        work: impl FnOnce(&Hooks<'_>) -> T,
    ) -> T {
        let line = ProgressLine::new(self.talk.quiet);
        let show = |progress: &Progress| {
            if let Some(line) = &line {
                show(line, progress);
            }
        };
        work(&Hooks { progress: Some(&show), ..self.hooks(detail) })
    }

    /// Whether anything may run natively.
    pub(crate) fn runs_natively(&self) -> bool {
        self.confinement.is_some()
    }

    /// For native runs with the limits that hold if the user does not say others.
    pub(crate) fn replaying(&self) -> ReplayOptions<'_> {
        ReplayOptions {
            timeout: REPLAY_TIMEOUT,
            jobs: processors(),
            confinement: self.confinement.as_ref(),
            interrupt: self.interrupt(),
            stress: 0,
        }
    }
}

/// As many tests run at a time as there are processors.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Names the layers that native runs do without, with commas between: for finding out which of them is in the way.
const WITHOUT: &str = "INCISE_CONFINE_WITHOUT";

/// What native runs are kept in, by the launcher beside this binary, or by this binary itself.
fn confinement() -> Result<Confinement> {
    let own = std::env::current_exe().context("this program does not find itself")?;
    let launcher = crate::launcher(own);
    let mut layers = Layers::all();
    let without = std::env::var(WITHOUT).unwrap_or_default();
    for name in without.split(',').filter(|name| !name.is_empty()) {
        let all = Layer::ALL.map(Layer::name).join(", ");
        let layer = Layer::named(name).with_context(|| format!("{WITHOUT}: {name:?} is none of {all}"))?;
        layers = layers.without(layer);
    }
    Ok(Confinement::new(launcher, layers))
}
