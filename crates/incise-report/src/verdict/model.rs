//! Whether two versions do the same, as plain data: the verdicts of `incise diff`.

use super::threads::{ComparedThreads, Only};
use crate::{ErrorKind, FoundPath, Frame, Place, Value};
use incise_vocabulary::{Bound, Sameness, Special};
use serde::{Deserialize, Serialize};

/// The verdicts on all functions that were compared.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// The entries.
    pub entries: Vec<Comparison>,
    /// Changed functions below the entry, each compared by itself: there is no caller, so that its inputs are
    /// arbitrary.
    pub below: Vec<Comparison>,
    /// Why something could not be compared at all: then the whole is not the same.
    pub reasons: Vec<String>,
}

impl Verdicts {
    /// The verdict on the whole: what was found in the entries.
    pub fn sameness(&self) -> Sameness {
        let unsaid = if self.reasons.is_empty() { Sameness::Same } else { Sameness::Undecided };
        self.entries.iter().map(|each| each.sameness).max().unwrap_or(Sameness::Same).max(unsaid)
    }

    /// Whether the versions differ, and no native run shows it.
    pub fn is_unconfirmed(&self) -> bool {
        let mut differing = self.entries.iter().filter(|each| each.sameness == Sameness::Differs).peekable();
        differing.peek().is_some() && differing.all(Comparison::is_unconfirmed)
    }

    /// All of them: the entries, then what is below.
    pub fn all(&self) -> impl Iterator<Item = &Comparison> {
        self.entries.iter().chain(&self.below)
    }
}

/// What comparing a function of two versions found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Comparison {
    /// The function in the new version.
    pub entry: String,
    /// The function in the old version.
    pub old_entry: String,
    /// The verdict.
    pub sameness: Sameness,
    /// An input for each way to differ.
    pub differences: Vec<Witness>,
    /// Errors of the new version that the old one does not have on the same input.
    pub introduced: Vec<ErrorChange>,
    /// Errors of the old version that the new one does not have.
    pub fixed: Vec<ErrorChange>,
    /// Errors of both, on paths that the change affects.
    pub preexisting: Vec<ErrorChange>,
    /// Where the old version itself goes wrong in memory, and the new one does not end well either: such inputs are not
    /// compared.
    pub invalid: Vec<ErrorChange>,
    /// What the inputs were taken to be.
    pub taken: Vec<TakenInput>,
    /// What was found with other inputs, if it was looked for.
    pub others: Option<OtherInputs>,
    /// The limits that cut paths.
    pub bounds: Vec<Bound>,
    /// Why something is open.
    pub reasons: Vec<String>,
    /// What the verdict rests on.
    pub notes: Vec<String>,
    /// The changed functions that the entry reaches, if each was proved to do the same by itself and that is the proof
    /// for the entry.
    pub composed: Vec<String>,
    /// Whether no statement changed that the entry can reach: what differs is how they are written.
    pub unchanged: bool,
    /// Whether inputs were left out of the comparison; the notes say which.
    pub partial: bool,
    /// Whether all that is open is that nothing came by a part of the change, on inputs as large as were compared.
    pub only_missed: bool,
    /// What no caller of the function was found to pass inputs for, where all of them were compared.
    pub not_passed: Option<NotPassed>,
    /// Watched parts that could not be decided, and why; these reasons are among `reasons`.
    pub open_parts: Vec<(String, String)>,
    /// Whether a run contradicted what was said to have no influence: nothing may rest on that then.
    pub contradicted: bool,
    /// What was found of threads, if there are any. A verdict with that is not kept for other runs.
    #[serde(skip)]
    pub threads: Option<ComparedThreads>,
    /// How pairs of paths were decided.
    pub pairs: PairCounts,
    /// Effort.
    pub effort: ComparisonEffort,
}

/// That the callers of a function, the only ones there can be, were not found to pass inputs that show what is found of
/// it by itself. Not every input of theirs was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NotPassed {
    /// The callers.
    pub callers: Vec<String>,
    /// Whether that is only said of the errors that are introduced: otherwise callers differ, too.
    pub errors_only: bool,
}

impl NotPassed {
    /// What this says of the inputs, for the end of a sentence.
    pub fn words(&self) -> String {
        let were = if self.callers.len() == 1 { "was" } else { "were" };
        format!("on inputs that {} {were} not found to pass", self.callers.join(", "))
    }
}

/// What an input was taken to be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TakenInput {
    /// The input, as a C expression.
    pub input: String,
    /// What it was taken to be: a stable name.
    pub kind: String,
    /// The same in words.
    pub words: String,
    /// Why.
    pub because: String,
    /// Where that comes from: a stable name.
    pub source: String,
    /// Where in the program.
    pub place: Option<Place>,
    /// Whether inputs are left out by it.
    pub restricts: bool,
}

impl TakenInput {
    /// In words, with why.
    pub fn with_evidence(&self) -> String {
        format!("{}: {}", self.words, self.because)
    }
}

/// What was found with inputs that are not what they were taken to be: it does not count.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct OtherInputs {
    /// An input for each way to differ.
    pub differences: Vec<Witness>,
    /// Errors that only the new version has.
    pub introduced: Vec<ErrorChange>,
    /// Errors that only the old version has.
    pub fixed: Vec<ErrorChange>,
    /// Whether all such inputs were looked at.
    pub complete: bool,
}

impl OtherInputs {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty() && self.introduced.is_empty() && self.fixed.is_empty()
    }
}

/// How pairs of paths were decided.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairCounts {
    /// Equal without a question.
    pub identical: u64,
    /// Proved equal by the solver.
    pub proved: u64,
    /// With an input on which they differ.
    pub differing: u64,
    /// Not asked about, because a difference of that kind is known.
    pub unasked: u64,
    /// Cut, or not decided.
    pub open: u64,
}

impl Comparison {
    /// Whether inputs are left out because of what they were taken to be.
    pub fn is_as_taken(&self) -> bool {
        let all = self.others.as_ref().is_some_and(|others| others.complete && others.is_empty());
        !all && self.taken.iter().any(|taken| taken.restricts)
    }

    /// Whether it was tried to run a difference natively.
    pub fn was_tried(&self) -> bool {
        let errors = self.introduced.iter().chain(&self.fixed).map(|error| &error.witness);
        let mut witnesses = self.differences.iter().chain(errors);
        let races = self.threads.iter().flat_map(|threads| &threads.introduced);
        witnesses.any(|each| each.ran || each.replayed || each.replay_note.is_some())
            || races.into_iter().any(|race| race.replayed || race.replay_note.is_some())
    }
}

impl Comparison {
    /// Whether the versions differ, as far as the engine knows, and no native run of both could be had for any way, or
    /// no caller was found that passes such inputs.
    pub fn is_unconfirmed(&self) -> bool {
        let errors = self.introduced.iter().chain(&self.fixed).map(|error| &error.witness);
        let races = self.threads.iter().flat_map(|threads| &threads.introduced);
        let ran = self.differences.iter().chain(errors).any(|each| each.ran)
            || races.into_iter().any(|race| race.replayed);
        let passed = self.not_passed.as_ref().is_none_or(|not_passed| not_passed.errors_only);
        self.sameness == Sameness::Differs && !(ran && passed)
    }

    /// Adds what differs on other inputs.
    pub fn add_differences(&mut self, other: Self) {
        self.differences.extend(other.differences);
        self.introduced.extend(other.introduced);
        self.fixed.extend(other.fixed);
    }

    /// Whether there is an error or a data race that only the new version has.
    pub fn has_introduced(&self) -> bool {
        !self.introduced.is_empty()
            || self.threads.as_ref().is_some_and(|threads| !threads.introduced.is_empty())
    }

    /// Whether an error that only the new version has came to pass in native runs of both, on inputs that callers may
    /// pass.
    pub fn introduces(&self) -> bool {
        let races = self.threads.iter().flat_map(|threads| &threads.introduced);
        let ran = self.introduced.iter().any(|error| error.witness.ran)
            || races.into_iter().any(|race| race.replayed);
        ran && self.not_passed.is_none()
    }
}

impl PairCounts {
    /// All pairs.
    pub fn all(&self) -> u64 {
        self.identical + self.proved + self.differing + self.unasked + self.open
    }
}

/// What a comparison took.
#[derive(Copy, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct ComparisonEffort {
    /// Paths of the new version.
    pub paths: u64,
    /// States made.
    pub states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Questions put to the solver chain.
    pub queries: u64,
    /// Milliseconds, native runs included.
    pub time_ms: f64,
}

/// An input on which the versions differ.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Witness {
    /// Which way to differ it stands for, from 1, counted over everything that was compared.
    pub group: usize,
    /// What the old version does, with the inputs as it has them.
    pub old: FoundPath,
    /// What the new version does, with the inputs.
    pub new: FoundPath,
    /// What differs, if both end alike.
    pub values: Vec<ChangedValue>,
    /// The change that the path meets first.
    pub place: Option<Place>,
    /// Whether one version was still running when it was stopped.
    pub endless: bool,
    /// Whether it depends on what was never initialised.
    pub indeterminate: bool,
    /// What it needs, if there is no such difference without that.
    pub special: Option<Special>,
    /// Whether native runs of both versions differed as predicted.
    pub replayed: bool,
    /// Whether both versions ran natively on it, whatever could be seen of that from outside.
    pub ran: bool,
    /// What the native runs did instead, or why there were none.
    pub replay_note: Option<String>,
    /// With threads: which version can do that, and the other cannot.
    #[serde(skip)]
    pub only: Option<Only>,
    /// Its way through the old version, if that was asked for and is known.
    pub old_way: WitnessWay,
    /// Its way through the new version.
    pub new_way: WitnessWay,
}

/// The way of an input through a version.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WitnessWay {
    /// What holds at its branches.
    pub branches: Vec<WayBranch>,
    /// The affected statements that it comes by, one for each visit.
    pub affected: Vec<Place>,
}

/// What holds at a branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WayBranch {
    /// In C syntax.
    pub text: String,
    /// Where it is.
    pub place: Option<Place>,
    /// Whether the change affects it.
    pub affected: bool,
}

/// Something that the versions leave behind differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChangedValue {
    /// Its name as in C, or that of a file; empty for the result, output, calls and the exit status.
    pub name: String,
    /// What it belongs to.
    pub kind: ValueKind,
    /// What the old version leaves.
    pub old: Value,
    /// What the new version leaves.
    pub new: Value,
}

/// What a value belongs to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ValueKind {
    /// What the entry returned.
    Result,
    /// A global variable.
    Global,
    /// Memory that a parameter, a global or the result leads to.
    Memory,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file.
    File,
    /// The exit status.
    Status,
    /// Calls of functions that nobody can see into.
    Calls,
}

impl ValueKind {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Global => "global",
            Self::Memory => "memory",
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
            Self::File => "file",
            Self::Status => "status",
            Self::Calls => "calls",
        }
    }
}

/// An error, and an input that leads there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ErrorChange {
    /// Which kind.
    pub kind: ErrorKind,
    /// What happens, in a sentence.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
    /// The active functions there, innermost first.
    pub stack: Vec<Frame>,
    /// An input that leads there, and what both versions do on it.
    pub witness: Witness,
}
