//! What native runs of tests showed, as plain data: the model of `incise replay`.

/// What native runs of a folder of tests showed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replay {
    /// The entry function.
    pub entry: String,
    /// Each test, in order.
    pub tests: Vec<ReplayedTest>,
    /// What the user should know of the whole, e.g. that a source file has changed since.
    pub warnings: Vec<String>,
}

/// What the native run of one test showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayedTest {
    /// The test's name.
    pub name: String,
    /// The verdict.
    pub verdict: ReplayVerdict,
    /// What was predicted, in words.
    pub predicted: String,
    /// What happened, in words.
    pub actual: String,
    /// Each difference, or the reason why nothing was compared.
    pub notes: Vec<String>,
    /// What runs showed in which nobody led the threads, if there were any.
    pub free_runs: Option<FreeRuns>,
}

/// Runs of a test with threads that nobody led along its schedule.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FreeRuns {
    /// How many there were.
    pub runs: u32,
    /// The one that did what was predicted; no other came after it.
    pub shown: Option<u32>,
}

/// The verdict on one prediction.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ReplayVerdict {
    /// The real run did what was predicted.
    Confirmed,
    /// The real run did something else.
    Disagrees,
    /// The real run did something else, but the path reads memory that was never initialised, so that it may.
    Indeterminate,
    /// There is no prediction, or a native run cannot show it.
    NotChecked,
}

impl ReplayVerdict {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Disagrees => "disagrees",
            Self::Indeterminate => "indeterminate",
            Self::NotChecked => "not-checked",
        }
    }
}

impl Replay {
    /// How many tests have the verdict.
    pub fn count(&self, verdict: ReplayVerdict) -> usize {
        self.tests.iter().filter(|test| test.verdict == verdict).count()
    }
}
