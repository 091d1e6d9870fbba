//! What a change means for the code, statement by statement, as plain data: the model of `incise impact`, and a part of
//! that of `incise diff`.

use std::collections::BTreeSet;

/// How a statement is named in reports.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spot {
    /// Its line in the source.
    Line(u32),
    /// Where there is no debug information: the number of its block in the function, and that of its first instruction
    /// in the block, from 0.
    Code {
        /// The block.
        block: u32,
        /// The instruction.
        index: u32,
    },
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "{line}"),
            Self::Code { block, index } => write!(f, "{block}:{index}"),
        }
    }
}

impl Spot {
    /// The spot in a sentence.
    pub fn words(self) -> String {
        match self {
            Self::Line(line) => format!("line {line}"),
            Self::Code { block, index } => format!("block {block}, instruction {index}"),
        }
    }
}

/// One of the versions that are compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Version {
    /// The files, as the user named them.
    pub files: Vec<String>,
    /// What was passed to the compiler.
    pub flags: Vec<String>,
    /// A hash of the files' bytes.
    pub hash: String,
}

/// What a change means for a program.
#[derive(Clone, Debug, Default)]
pub struct Impact {
    /// The old version.
    pub old: Version,
    /// The new version.
    pub new: Version,
    /// The set of rules that was applied.
    pub rules: RuleSet,
    /// How far the change is followed: `program`, or `function` for each function by itself.
    pub scope: String,
    /// Where executions begin, if the change is followed through the program.
    pub entries: Vec<String>,
    /// The functions that changed, and those that the change reaches, in the order of the new version.
    pub functions: Vec<FunctionImpact>,
    /// The functions that only the new version has.
    pub added: Vec<String>,
    /// The functions that only the old version has.
    pub removed: Vec<String>,
    /// The functions that changed, and that no execution from the entries comes to.
    pub unreached: Vec<String>,
    /// The calls that nobody can see through, in the functions that executions come to.
    pub unresolved: Vec<Unresolved>,
    /// The threads that the new version may start.
    pub threads: Vec<StartedThread>,
    /// The call graph, if it was asked for.
    pub call_graph: Option<crate::CallGraph>,
    /// What a plain forward slice would mark, if it was asked for.
    pub forward_slice: Option<ForwardSlice>,
    /// How many functions are not concerned.
    pub unconcerned: usize,
    /// How many statements the functions have that executions come to, if the change is followed through the program.
    pub reachable_statements: Option<usize>,
    /// What is affected in addition if callers, and code that nobody can see, hand on what they got.
    pub later: Vec<LaterFunction>,
    /// What changed functions are proved to do as before, if that was asked for.
    pub proved: Option<Vec<EqualFunction>>,
    /// How far from the change functions are shown; all if it is not said.
    pub depth: Option<u32>,
    /// What the user should know of the whole.
    pub notes: Vec<String>,
    /// Whether the analysis was stopped before its end: then nothing is known of what the change affects.
    pub stopped: bool,
    /// Milliseconds of the analysis; the compiler's time is not counted.
    pub time_ms: f64,
}

/// The rules by which statements are affected.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// The fewest statements with which no difference is lost.
    #[default]
    Complete,
    /// Those of DiSE.
    Paper,
    /// The impact sets of iDiSE.
    Idise,
}

impl RuleSet {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Paper => "paper",
            Self::Idise => "idise",
        }
    }
}

impl Impact {
    /// Whether a function is near enough to the change to be shown.
    pub fn is_shown(&self, function: &FunctionImpact) -> bool {
        self.depth.is_none_or(|depth| function.changed || function.distance.is_some_and(|at| at <= depth))
    }

    /// The functions that are shown, those nearest to the change first, each distance in the order of the new version.
    pub fn nearest_first(&self) -> Vec<&FunctionImpact> {
        let mut shown: Vec<&FunctionImpact> =
            self.functions.iter().filter(|function| self.is_shown(function)).collect();
        shown.sort_by_key(|function| match function.changed || function.added {
            true => 0,
            false => function.distance.unwrap_or(u32::MAX),
        });
        shown
    }

    /// Whether anything changed at all.
    pub fn is_empty(&self) -> bool {
        let shown = [&self.added, &self.removed, &self.unreached];
        self.functions.is_empty() && shown.iter().all(|names| names.is_empty())
    }
}

/// A function with statements that are affected only if callers, or code that nobody can see, hand on what they got.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaterFunction {
    /// Its name.
    pub name: String,
    /// The file that defines it.
    pub file: Option<String>,
    /// The statements, each once, in order.
    pub spots: Vec<Spot>,
    /// How many statements that are.
    pub statements: usize,
}

/// How many statements are marked, of the functions that executions come to.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ForwardSlice {
    /// By a plain forward slice: without calling contexts, and with the parameters of a function as one.
    pub sliced: usize,
    /// As affected, and not merely because they feed or decide about what is.
    pub forward: usize,
    /// As affected.
    pub affected: usize,
    /// All of them.
    pub nodes: usize,
}

/// A call that nobody can see through: what it does is taken to be anything.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unresolved {
    /// The function that calls.
    pub function: String,
    /// The file that it is in.
    pub file: Option<String>,
    /// Where the call stands.
    pub spot: Spot,
    /// What is called.
    pub callee: UnseenCode,
    /// Whether the statement is affected.
    pub affected: bool,
}

/// What is called and cannot be seen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnseenCode {
    /// A function without a body, of which nothing is known.
    External(String),
    /// An address that may come from elsewhere; the functions whose address is used and whose parameters fit.
    Pointer(Vec<String>),
    /// Assembly.
    Assembly,
    /// An operation of the compiler that is not known.
    Operation,
}

impl UnseenCode {
    /// The stable name of the kind.
    pub fn name(&self) -> &'static str {
        match self {
            Self::External(_) => "external",
            Self::Pointer(_) => "pointer",
            Self::Assembly => "assembly",
            Self::Operation => "operation",
        }
    }
}

/// What a change means for one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionImpact {
    /// Its name.
    pub name: String,
    /// The file that defines it in the new version.
    pub file: Option<String>,
    /// Whether its own code changed, and not only what it calls or is given.
    pub changed: bool,
    /// Whether only the new version has it.
    pub added: bool,
    /// The old and the new signature, if they differ.
    pub signature: Option<(String, String)>,
    /// How many statements it has in the new version.
    pub statements: usize,
    /// How far it is from the change, over calls, returns, and what one entry leaves for others; `None` where that is
    /// not known.
    pub distance: Option<u32>,
    /// The statements of the new version that are changed, added or affected, in order.
    pub new: Vec<Statement>,
    /// The statements of the old version that are changed, removed or affected there, in order.
    pub old: Vec<Statement>,
    /// How each affected statement of the new version became so, in order.
    pub derivation: Vec<ImpactStep>,
}

impl FunctionImpact {
    /// The stable name of what makes the function one that the change concerns.
    pub fn change(&self) -> &'static str {
        match () {
            () if self.added => "added",
            () if self.changed => "changed",
            () if self.is_given() && !self.is_calling() => "reached",
            () => "calls-changed",
        }
    }

    /// Whether it calls functions in which something changed or is affected.
    pub fn is_calling(&self) -> bool {
        self.derivation.iter().any(|step| matches!(step.reason, Reason::Calls(_)))
    }

    /// Whether what it is given carries impact.
    pub fn is_given(&self) -> bool {
        self.derivation.iter().any(|step| matches!(step.reason, Reason::Input(_)))
    }

    /// The changed and added statements of the new version, each spot once, in order.
    pub fn changed_spots(&self) -> Vec<Spot> {
        spots(&self.new, |each| each.status != StatementStatus::Unchanged)
    }

    /// The added statements of the new version.
    pub fn added_spots(&self) -> Vec<Spot> {
        spots(&self.new, |each| each.status == StatementStatus::Added)
    }

    /// The removed statements of the old version.
    pub fn removed_spots(&self) -> Vec<Spot> {
        spots(&self.old, |each| each.status == StatementStatus::Removed)
    }

    /// The paper's ACN.
    pub fn affected_conditions(&self) -> Vec<Spot> {
        spots(&self.new, |each| each.affected && each.kind == StatementKind::Condition)
    }

    /// The paper's AWN; returns included.
    pub fn affected_writes(&self) -> Vec<Spot> {
        spots(&self.new, |each| each.affected && each.kind != StatementKind::Condition)
    }

    /// How many statements are changed, added or removed.
    pub fn changed_count(&self) -> usize {
        let changed = self.new.iter().filter(|each| each.status != StatementStatus::Unchanged).count();
        changed + self.old.iter().filter(|each| each.status == StatementStatus::Removed).count()
    }

    /// How many statements of the new version are affected: conditions, and others.
    pub fn affected_counts(&self) -> (usize, usize) {
        let affected = || self.new.iter().filter(|each| each.affected);
        let conditions = affected().filter(|each| each.kind == StatementKind::Condition).count();
        (conditions, affected().count() - conditions)
    }
}

fn spots(statements: &[Statement], wanted: impl Fn(&Statement) -> bool) -> Vec<Spot> {
    let found: BTreeSet<Spot> = statements.iter().filter(|each| wanted(each)).map(|each| each.spot).collect();
    found.into_iter().collect()
}

/// A statement that a change concerns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Where it is.
    pub spot: Spot,
    /// The same statement in the other version.
    pub partner: Option<Spot>,
    /// What it is for.
    pub kind: StatementKind,
    /// What became of it.
    pub status: StatementStatus,
    /// Whether the change can affect it, in its own version.
    pub affected: bool,
    /// Its text: the source line, or a description where the source is not at hand.
    pub text: String,
}

/// What a statement is for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StatementKind {
    /// It decides where control goes.
    Condition,
    /// It writes a variable or memory, or calls a function.
    Write,
    /// It gives the function's result.
    Return,
}

impl StatementKind {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Condition => "condition",
            Self::Write => "write",
            Self::Return => "return",
        }
    }
}

/// What became of a statement.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StatementStatus {
    /// It does something else than before.
    Changed,
    /// Only the new version has it.
    Added,
    /// Only the old version has it.
    Removed,
    /// It is as it was.
    Unchanged,
}

impl StatementStatus {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Unchanged => "unchanged",
        }
    }
}

/// One step of a derivation: a statement of the new version that became affected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImpactStep {
    /// The statement.
    pub spot: Spot,
    /// What it is for.
    pub kind: StatementKind,
    /// Why it is affected.
    pub reason: Reason,
    /// The affected statement that caused it; for [`Reason::ThroughOld`] the removed statement of the old version.
    pub cause: Option<Spot>,
}

/// A changed function that is proved to do what it did, in part or as a whole, whatever it is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EqualFunction {
    /// Its name.
    pub name: String,
    /// What of that is the same.
    pub effects: Vec<EqualEffect>,
    /// Whether that is all that it does.
    pub all: bool,
}

/// What a function does for whoever calls it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EqualEffect {
    /// What it returns.
    Result,
    /// What it leaves in global variables.
    Variables,
    /// What it leaves in what its parameters lead to.
    Memory,
}

impl EqualEffect {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Variables => "variables",
            Self::Memory => "memory",
        }
    }
}

/// Something that carries impact into a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Carrier {
    /// What it is.
    pub kind: CarrierKind,
    /// Its name; empty for memory.
    pub name: String,
    /// The calls that pass it, in order. Without one, an execution of another entry left it behind.
    pub calls: Vec<CallSite>,
}

/// What carries impact.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CarrierKind {
    /// A parameter.
    Parameter,
    /// A global variable.
    Global,
    /// What pointers lead to.
    Memory,
}

impl CarrierKind {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parameter => "parameter",
            Self::Global => "global",
            Self::Memory => "memory",
        }
    }
}

/// Where a function is called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CallSite {
    /// The function that calls.
    pub function: String,
    /// The file that it is in.
    pub file: Option<String>,
    /// Where the call stands.
    pub spot: Spot,
}

impl CallSite {
    /// Where it is, for people: `worker (new.c:11)`.
    pub fn words(&self) -> String {
        match (&self.file, self.spot) {
            (Some(file), Spot::Line(line)) => format!("{} ({file}:{line})", self.function),
            _ => format!("{} ({})", self.function, self.spot.words()),
        }
    }
}

impl Passing {
    /// Which thread it is, for people.
    pub fn thread_words(&self) -> String {
        match &self.thread {
            Some(function) => format!("the thread of {function}"),
            None => "the first thread".to_owned(),
        }
    }
}

/// Why a statement is affected.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// It changed.
    Changed,
    /// It is new.
    Added,
    /// It calls functions that changed, or in which something is affected; their names, where the call tells.
    Calls(Vec<String>),
    /// It reads inputs of the function that carry impact.
    Input(Vec<Carrier>),
    /// In the old version a removed statement affects it.
    ThroughOld,
    /// Rule (1): a condition that an affected condition decides about.
    ControlledCondition,
    /// Rule (2): a write that an affected condition decides about.
    ControlledWrite,
    /// Rule (3): a condition that reads what an affected statement writes.
    ConditionReads,
    /// Rule (4): a write that an affected statement reads.
    ReadByAffected,
    /// Rule (5): a write that reads what an affected statement writes.
    WriteReads,
    /// Rule (6): a condition that decides about an affected statement.
    DecidesAboutAffected,
    /// Rule (7): it reads what an affected statement of another thread writes.
    OtherThread(Passing),
    /// Rule (8): it writes what an affected statement of another thread writes.
    Competes(Passing),
    /// Rule (9): an affected synchronisation orders it.
    Ordered(Passing),
    /// It is affected in the old version, where threads or synchronisation are not as they are now.
    OtherVersion,
}

/// Who passed impact on from thread to thread.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Passing {
    /// The function that the thread begins with; `None` for the first thread.
    pub thread: Option<String>,
    /// The affected statement.
    pub site: CallSite,
}

/// A thread that a program may start, or several of a kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartedThread {
    /// The function that it begins with.
    pub function: String,
    /// The statement that starts it.
    pub site: CallSite,
    /// Whether there may be several at a time.
    pub several: bool,
    /// The functions that it may run.
    pub functions: Vec<String>,
}

impl Reason {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Calls(_) => "calls-changed",
            Self::Input(_) => "input",
            Self::ThroughOld => "through-removed",
            Self::ControlledCondition => "controlled-condition",
            Self::ControlledWrite => "controlled-write",
            Self::ConditionReads => "condition-reads",
            Self::ReadByAffected => "read-by-affected",
            Self::WriteReads => "write-reads",
            Self::DecidesAboutAffected => "decides-about-affected",
            Self::OtherThread(_) => "other-thread",
            Self::Competes(_) => "competes",
            Self::Ordered(_) => "ordered",
            Self::OtherVersion => "other-version",
        }
    }

    /// The number of the rule, 1 to 4 as in the paper.
    pub fn number(&self) -> Option<u32> {
        match self {
            Self::ControlledCondition => Some(1),
            Self::ControlledWrite => Some(2),
            Self::ConditionReads => Some(3),
            Self::ReadByAffected => Some(4),
            Self::WriteReads => Some(5),
            Self::DecidesAboutAffected => Some(6),
            Self::OtherThread(_) => Some(7),
            Self::Competes(_) => Some(8),
            Self::Ordered(_) => Some(9),
            _ => None,
        }
    }
}
