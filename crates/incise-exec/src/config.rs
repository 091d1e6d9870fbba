//! What an exploration is asked to do: one resolved struct, passed explicitly.

use incise_solver::{Deadline, Work};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What an exploration is asked to do.
#[derive(Clone, Debug)]
pub struct Config {
    /// The function to start at.
    pub entry: String,
    /// What is symbolic.
    pub inputs: InputConfig,
    /// When to stop.
    pub limits: Limits,
    /// In which order states are taken.
    pub searcher: SearcherKind,
    /// The seed of the random searcher.
    pub seed: u64,
    /// How many workers explore at once.
    pub workers: usize,
    /// Checks beyond those that are always on.
    pub checks: Checks,
    /// What a call to a function with neither body nor model does.
    pub externals: Externals,
    /// Who changes volatile variables.
    pub volatile: Volatile,
    /// Functions that are not looked into although they have a body: calls of them are noted under the second name, and
    /// return any value.
    pub opaque: Vec<(String, String)>,
    /// How threads are explored; without it a path ends where a second one starts.
    pub threads: Option<crate::threads::ThreadConfig>,
    /// Of which instructions the order among threads is explored; of all if nobody says.
    pub ordered: Option<std::sync::Arc<dyn crate::threads::OrderedInstructions>>,
    /// How the solver chain is set.
    pub solver: incise_solver::SolverConfig,
    /// The program to ask for a second opinion, usually `z3`.
    pub second_opinion: Option<std::path::PathBuf>,
    /// Whether numbers among the reported inputs differ from each other where the path allows it: tests with equal
    /// inputs cannot tell which was used.
    pub distinct_inputs: bool,
}

impl Config {
    /// The defaults, for an entry.
    pub fn new(entry: impl Into<String>) -> Self {
        Self {
            entry: entry.into(),
            inputs: InputConfig::default(),
            limits: Limits::default(),
            searcher: SearcherKind::DepthFirst,
            seed: 0,
            workers: 1,
            checks: Checks::default(),
            externals: Externals::Error,
            volatile: Volatile::Memory,
            opaque: Vec::new(),
            threads: None,
            ordered: None,
            solver: incise_solver::SolverConfig::default(),
            second_opinion: None,
            distinct_inputs: false,
        }
    }
}

/// What is symbolic.
#[derive(Clone, Debug)]
pub struct InputConfig {
    /// `--array name=N`: how many elements a pointer input points to. The name is a parameter, a global, or a path such
    /// as `list->data`.
    pub arrays: Vec<(String, u64)>,
    /// `--concrete name=value`: inputs that have one value. The name is that of a scalar input or element, e.g. `n` or
    /// `config.mode`.
    pub concrete: Vec<(String, i128)>,
    /// Which global variables are symbolic.
    pub globals: SymbolicGlobals,
    /// The symbols of global variables that nothing writes: by default these keep their initial values.
    pub initial: BTreeSet<String>,
    /// How deep pointers in inputs lead to fresh objects.
    pub pointer_depth: u32,
    /// Whether pointer inputs may be null.
    pub null_pointers: bool,
    /// `--sym-args`: the symbolic arguments of `main`, in their order. If there are none, nobody said how many.
    pub arguments: Vec<ArgumentGroup>,
    /// Arguments of `main` that are given, after its name (before the symbolic ones).
    pub given_arguments: Vec<String>,
    /// `--sym-stdin N`: the symbolic bytes of standard input, of which there are any number up to N. If that is zero,
    /// nobody said how many.
    pub stdin: u32,
    /// `--malloc-fails`: one allocation of a path may fail.
    pub malloc_fails: bool,
    /// Whether that is only of interest where two programs both fail at it.
    pub failures_alike: bool,
    /// `--sym-file NAME=N`: files with any number of symbolic bytes up to N, in the folder where the program runs. If
    /// there are some, no others are there.
    pub files: Vec<(String, u32)>,
    /// `--sym-env NAME=N`: environment variables that are unset or have up to N symbolic bytes, in the order of their
    /// names. If there are some, no others are set.
    pub environment: Vec<(String, u32)>,
    /// `--closed`: there is nothing around the program but what is said here. Else a path that looks for more is told
    /// of, and what can be made is made, as much as `sizes` say.
    pub closed: bool,
    /// What the entry's parameters are called instead of their own names, by position: so that two functions can have
    /// the same inputs.
    pub parameter_names: Vec<Option<String>>,
    /// Whether options may name inputs that the program does not have: they are another function's then, and without
    /// effect.
    pub may_be_unknown: bool,
    /// The types of symbols that are not those of their inputs.
    pub symbol_types: crate::inputs::symbol_types::SymbolTypes,
    /// What inputs are taken to be beyond their types.
    pub reading: incise_reading::Reading,
    /// Whether the reading is only told of, for inputs that are given: these are what they are, and a pointer that is
    /// taken not to be null may be.
    pub told: bool,
    /// How large and deep inputs are made that nobody gives a size.
    pub sizes: crate::inputs::sizes::Sizes,
    /// Whether the objects of pointer inputs may be smaller than the program takes for granted. Else an object of which
    /// nothing tells the size is as large as it needs to be.
    pub any_size: bool,
    /// Whether arrays that pointer inputs lead to have no end, and nothing is known of what is in them: for proofs.
    pub endless: bool,
    /// How many bytes such an array has at most, if that is to be taken for granted.
    pub longest: Option<u64>,
}

impl InputConfig {
    /// Whether nobody said how much there is in standard input.
    pub(crate) fn is_stdin_open(&self) -> bool {
        !self.closed && self.stdin == 0
    }

    /// Whether nobody said which arguments `main` gets.
    pub(crate) fn are_arguments_open(&self) -> bool {
        !self.closed && self.arguments.is_empty() && self.given_arguments.is_empty()
    }

    /// Whether nobody said which files there are.
    pub(crate) fn are_files_open(&self) -> bool {
        !self.closed && self.files.is_empty()
    }

    /// Whether nobody said which variables are set in the environment.
    pub(crate) fn is_environment_open(&self) -> bool {
        !self.closed && self.environment.is_empty()
    }
}

impl Default for InputConfig {
    fn default() -> Self {
        Self {
            arrays: Vec::new(),
            concrete: Vec::new(),
            globals: SymbolicGlobals::Default,
            initial: BTreeSet::new(),
            pointer_depth: 2,
            null_pointers: true,
            arguments: Vec::new(),
            given_arguments: Vec::new(),
            stdin: 0,
            malloc_fails: false,
            failures_alike: false,
            files: Vec::new(),
            environment: Vec::new(),
            closed: false,
            parameter_names: Vec::new(),
            may_be_unknown: false,
            symbol_types: Default::default(),
            reading: Default::default(),
            told: false,
            sizes: Default::default(),
            any_size: false,
            endless: false,
            longest: None,
        }
    }
}

/// Symbolic arguments of `main` that follow each other: any number of them from one to another, of at most so many
/// bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ArgumentGroup {
    /// As many there are at least.
    pub least: u32,
    /// As many at most.
    pub most: u32,
    /// The bytes of each, at most.
    pub length: u32,
}

/// Which global variables are symbolic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolicGlobals {
    /// All that are not constant and may be written, if the entry is not `main`, else none.
    Default,
    /// All that are not constant.
    All,
    /// None.
    None,
    /// These.
    Named(Vec<String>),
}

/// When to stop. Every limit has a bounded default.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall-clock time of the exploration.
    pub time: Duration,
    /// Memory of the process, in bytes.
    pub memory: u64,
    /// A time by which all must end, also what is explored on the way.
    pub end: Option<Instant>,
    /// Work, counted: for who gives up at the same point on any machine. None unless somebody does.
    pub work: Option<Work>,
    /// How many times as much work as usual it is worth before a search gives up by itself.
    pub patience: u32,
    /// Paths.
    pub paths: u64,
    /// Decisions on one path.
    pub depth: u64,
    /// Iterations of one loop in one activation of a function, counted only where a symbolic condition decides.
    pub loop_iterations: u64,
    /// Instructions on one path.
    pub instructions: u64,
    /// Frames on one path.
    pub stack: u64,
    /// The largest object whose size is symbolic, in bytes.
    pub symbolic_object: u64,
    /// The longest run of bytes of symbolic length that is copied or set.
    pub symbolic_copy: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(300),
            end: None,
            work: None,
            patience: 1,
            memory: 4 << 30,
            paths: 1_000_000,
            depth: 100_000,
            loop_iterations: 10_000,
            instructions: 10_000_000_000,
            stack: 200_000,
            symbolic_object: 64 << 10,
            symbolic_copy: 4 << 10,
        }
    }
}

impl Limits {
    /// What so much work comes to for whoever has this patience, and what is left.
    pub fn worth(&self, work: Work) -> Work {
        let work = work.times(self.patience);
        self.work.map_or(work, |most| most.min(work))
    }

    /// Gives up after so much work at the latest.
    pub fn give_up_after(&mut self, work: Work) {
        self.work = Some(self.worth(work));
    }

    /// Leaves most of the time to others: one of so many parts of it is used.
    pub fn use_part_of_time(&mut self, parts: u32) {
        if let Some(left) = self.deadline().time_left() {
            self.end = Instant::now().checked_add(left / parts.max(1)).or(self.end);
        }
    }

    /// When to give up on something that begins now.
    pub fn deadline(&self) -> Deadline {
        self.deadline_since(Instant::now())
    }

    /// The same for something that began then.
    pub(crate) fn deadline_since(&self, start: Instant) -> Deadline {
        let time = [start.checked_add(self.time), self.end].into_iter().flatten().min();
        Deadline::at(time, self.work)
    }

    /// When a search gives up that is worth so much work.
    pub fn deadline_after(&self, work: Work) -> Deadline {
        let mut limits = self.clone();
        limits.give_up_after(work);
        limits.deadline()
    }
}

/// Checks beyond those that are always on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks {
    /// `--check overflow`: signed arithmetic whose result does not fit is an error.
    pub overflow: bool,
    /// Signed arithmetic that may not fit and indices that may be beyond their arrays are noted, so that whoever
    /// compares paths can tell when they are.
    pub note_overflow: bool,
    /// Known indices that are beyond their arrays are noted, too: what follows one input wants that.
    pub note_indices: bool,
}

/// What a call to a function with neither body nor model does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Externals {
    /// Ends the path with the outcome `External`.
    Error,
    /// Returns any value, and leaves memory alone; the result says so.
    Havoc,
    /// Returns any value, and leaves any values in what it can get at; the calls are noted with what they find, so that
    /// those of two programs can be compared.
    Recorded,
}

/// Who changes volatile variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Volatile {
    /// The program alone: they are memory like any other.
    Memory,
    /// Others too, at any time: each read gives any value, and accesses are noted, so that those of two programs can be
    /// compared.
    Changing,
}

/// In which order states are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearcherKind {
    /// The newest state first, the true side before the false side.
    DepthFirst,
    /// The oldest state first.
    BreadthFirst,
    /// A random walk down the tree of states.
    RandomPath,
    /// States at code that was not executed yet, first.
    CoverageFirst,
}
