//! What a change does, ready to be shown: everything is in words and in order, the most important first.

use super::pages::SourcePage;
use crate::repository::Trouble;
use crate::{CallGraph, ErrorKind, Place};
use incise_vocabulary::Sameness;

/// What a change does.
#[derive(Clone, Debug, Default)]
pub struct ChangeReport {
    /// The version of the program that says so.
    pub program: String,
    /// What was, in the words of the user.
    pub old: String,
    /// What is.
    pub new: String,
    /// The verdict on the whole.
    pub sameness: Sameness,
    /// Whether native runs showed a difference, if there is one.
    pub confirmed: bool,
    /// The verdict on the whole, in one line.
    pub conclusion: String,
    /// Whether the check fails.
    pub gate: Gate,
    /// The functions, the most trouble first.
    pub functions: Vec<JudgedFunction>,
    /// What changed and was not compared.
    pub not_compared: Vec<NotCompared>,
    /// Whether that makes the check fail.
    pub not_compared_gate: Gate,
    /// What was left out because the user says so.
    pub left_out: Vec<String>,
    /// Functions that only NEW has, with their units.
    pub added: Vec<String>,
    /// Functions that only OLD has.
    pub removed: Vec<String>,
    /// What has to be said.
    pub notes: Vec<String>,
    /// How many of everything there are.
    pub counts: ReportCounts,
    /// The lines that findings, paths and changes speak of.
    pub pages: Vec<SourcePage>,
    /// Who calls whom where the change has influence, for each unit.
    pub calls: Vec<UnitCalls>,
}

/// Something that changed and was not compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotCompared {
    /// What, and why.
    pub words: String,
    /// Where it is, as far as that is known.
    pub place: Place,
}

/// How many of everything there are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ReportCounts {
    /// Functions by trouble, in the order of [`Trouble::ALL`].
    pub functions: [usize; 5],
    /// Errors that were not there before.
    pub introduced: usize,
    /// Errors that are gone.
    pub fixed: usize,
    /// Ways to differ, with those that are errors.
    pub ways: usize,
    /// Things that were not compared.
    pub not_compared: usize,
}

impl ReportCounts {
    /// All functions.
    pub fn all(&self) -> usize {
        self.functions.iter().sum()
    }

    /// Functions with this trouble.
    pub fn of(&self, trouble: Trouble) -> usize {
        let at = Trouble::ALL.iter().position(|each| *each == trouble);
        at.map_or(0, |at| self.functions[at])
    }
}

/// What a check says.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Gate {
    /// It passes.
    #[default]
    Passes,
    /// It is not known whether it does.
    Open,
    /// It fails.
    Fails,
}

/// The verdict on one function in one unit.
#[derive(Clone, Debug)]
pub struct JudgedFunction {
    /// Its name in NEW.
    pub name: String,
    /// Its name in OLD.
    pub old_name: String,
    /// The unit.
    pub unit: String,
    /// How much trouble it is.
    pub trouble: Trouble,
    /// What it means for the check.
    pub gate: Gate,
    /// What shows the verdict, in a line: the shortest witness, or why there is none.
    pub why: String,
    /// The verdict in words.
    pub verdict: String,
    /// Where it begins to be another one; where that is not known, the first line of its unit.
    pub place: Place,
    /// Errors that were not there before, other differences, or that it is undecided.
    pub findings: Vec<Finding>,
    /// Errors that are gone, in words.
    pub fixed: Vec<String>,
    /// Errors that both versions have, in words.
    pub preexisting: Vec<String>,
    /// Why something is open.
    pub reasons: Vec<String>,
    /// How far it was compared.
    pub bounds: Vec<String>,
    /// What inputs were taken to be.
    pub taken: Vec<String>,
    /// What was found with other inputs, and does not count.
    pub others: Vec<String>,
    /// What the verdict rests on.
    pub notes: Vec<String>,
    /// The paths that the change affects, if they were looked for.
    pub paths: Vec<ReportPath>,
    /// Whether these are all.
    pub paths_complete: bool,
}

/// Something that a person should look at.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// What happens, in a line.
    pub message: String,
    /// Where.
    pub place: Place,
    /// The changed line that is met first.
    pub changed: Option<Place>,
    /// What it is known by: from the function and the path, and not from numbers of lines.
    pub fingerprint: String,
    /// An input on which it happens; empty for what is undecided.
    pub given: String,
    /// What OLD does on it.
    pub old: Side,
    /// What NEW does.
    pub new: Side,
    /// Whether native runs of both versions did so.
    pub replayed: bool,
    /// What has to be said of it: why no run shows it, what it needs.
    pub remarks: Vec<String>,
}

impl Finding {
    /// What happens, and what has to be said of it.
    pub fn with_remarks(&self) -> String {
        let remarks: String = self.remarks.iter().map(|remark| format!(" ({remark})")).collect();
        format!("{}{remarks}", self.message)
    }

    /// The same with the name of the function.
    pub fn sentence(&self, function: &JudgedFunction) -> String {
        match self.kind {
            FindingKind::Undecided => format!("{} is undecided: {}", function.name, self.message),
            _ => format!("{}: {}", function.name, self.with_remarks()),
        }
    }
}

/// What a finding is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FindingKind {
    /// An error that OLD does not have on the same input.
    Introduced(ErrorKind),
    /// The versions do different things.
    Difference,
    /// It is not known whether they do the same.
    Undecided,
}

impl FindingKind {
    /// The stable name of the rule.
    pub fn rule(self) -> String {
        match self {
            Self::Introduced(kind) => format!("introduced-{}", kind.name()),
            Self::Difference => "difference".to_owned(),
            Self::Undecided => "undecided".to_owned(),
        }
    }
}

/// What one version does on an input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Side {
    /// How it ends, or what it leaves behind that the other does not.
    pub does: String,
    /// The branches on its way.
    pub steps: Vec<ReportStep>,
    /// The affected statements that it comes by.
    pub over: Vec<Place>,
    /// Where it ends.
    pub end: Option<Place>,
    /// From which of the steps on it goes another way than the other version.
    pub parts: Option<usize>,
}

/// A step on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportStep {
    /// What holds, or what is done there.
    pub text: String,
    /// Where.
    pub place: Option<Place>,
    /// Whether the change affects it.
    pub affected: bool,
}

/// A path that the change affects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportPath {
    /// How it ends.
    pub ends: String,
    /// Its condition.
    pub condition: Vec<ReportStep>,
    /// An input that takes it.
    pub given: String,
    /// The affected statements on it, in order.
    pub over: Vec<ReportStep>,
}

/// Who calls whom in a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitCalls {
    /// The unit.
    pub unit: String,
    /// The functions that the change concerns, and the calls between them.
    pub graph: CallGraph,
}

impl ChangeReport {
    /// All findings with their functions, errors that were introduced first, then what differs, then what is open.
    pub fn findings(&self) -> Vec<(&JudgedFunction, &Finding)> {
        let of = |function| -> Vec<(&JudgedFunction, &Finding)> {
            let function: &JudgedFunction = function;
            function.findings.iter().map(|finding| (function, finding)).collect()
        };
        let mut all: Vec<_> = self.functions.iter().flat_map(of).collect();
        let weight = |finding: &Finding| match finding.kind {
            FindingKind::Introduced(_) if finding.replayed => 0,
            FindingKind::Introduced(_) => 1,
            FindingKind::Difference if finding.replayed => 2,
            FindingKind::Difference => 3,
            FindingKind::Undecided => 4,
        };
        // The first way to differ of every function counts before the second of any.
        all.sort_by_key(|(function, finding)| {
            let number = function.findings.iter().position(|each| std::ptr::eq(each, *finding));
            (weight(finding), number)
        });
        all
    }
}
