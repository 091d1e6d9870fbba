//! What a change in a repository does, as plain data: all formats are made from it.

use crate::verdict::{Comparison, ErrorChange, Sameness, Verdicts, Witness, WitnessWay};
use crate::{CallGraph, Entry, FoundPath, FunctionImpact, Place};

/// What a change in a repository does.
#[derive(Clone, Debug, Default)]
pub struct RepositoryReport {
    /// What was, in the words of the user.
    pub old: String,
    /// What is.
    pub new: String,
    /// Where it is said how files are compiled; none if that was guessed.
    pub database: Option<String>,
    /// The units that the change concerns, in the order of their names.
    pub units: Vec<UnitReport>,
    /// Units that only NEW has.
    pub added: Vec<String>,
    /// Files of C that only OLD has.
    pub removed: Vec<String>,
    /// What changed and is not compared, in words: then the whole is not the same.
    pub reasons: Vec<String>,
    /// What was left out because the user says so, with the reason.
    pub left_out: Vec<String>,
    /// What has to be said.
    pub notes: Vec<String>,
}

/// What the change does to one unit.
#[derive(Clone, Debug, Default)]
pub struct UnitReport {
    /// Its path in NEW, from the top of the repository.
    pub name: String,
    /// How far it was looked at.
    pub reached: Reached,
    /// The verdicts on its functions.
    pub verdicts: Verdicts,
    /// Functions that only NEW has.
    pub added: Vec<String>,
    /// Functions that only OLD has.
    pub removed: Vec<String>,
    /// Functions that were left out because the user says so, with the reason.
    pub left_out: Vec<String>,
    /// What has to be said of it.
    pub notes: Vec<String>,
    /// The functions that the change concerns, if that was asked for.
    pub functions: Vec<FunctionImpact>,
    /// The paths that the change affects, if they were looked for.
    pub paths: Vec<Entry>,
    /// Who calls whom, if that was asked for.
    pub calls: Option<CallGraph>,
}

impl UnitReport {
    /// The file that it is named after: behind the name may stand what tells two units of a file apart, and where a
    /// function came from.
    pub fn file(&self) -> &str {
        let name = self.name.split_once(" from ").map_or(self.name.as_str(), |(name, _)| name);
        match name.ends_with(')') {
            true => name.split_once(" (").map_or(name, |(name, _)| name),
            false => name,
        }
    }
}

/// How far a unit was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Reached {
    /// It was not its turn yet.
    #[default]
    Not,
    /// Its functions were compared.
    Compared,
    /// It could not be read: why.
    Failed(String),
}

/// How much trouble a function is, the most first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Trouble {
    /// There is an error that was not there before.
    Introduces,
    /// It does something else.
    Differs,
    /// It is not known.
    Undecided,
    /// It does the same within bounds.
    WithinBounds,
    /// It does the same.
    Same,
}

impl Trouble {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Introduces, Self::Differs, Self::Undecided, Self::WithinBounds, Self::Same];

    /// Of one comparison.
    pub fn of(comparison: &Comparison) -> Self {
        match comparison.sameness {
            Sameness::Differs if comparison.has_introduced() => Self::Introduces,
            Sameness::Differs => Self::Differs,
            Sameness::Undecided => Self::Undecided,
            Sameness::WithinBounds => Self::WithinBounds,
            Sameness::Same => Self::Same,
        }
    }

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Introduces => "introduces",
            Self::Differs => "differs",
            Self::Undecided => "undecided",
            Self::WithinBounds => "same-within-bounds",
            Self::Same => "same",
        }
    }
}

/// One function in one unit.
#[derive(Copy, Clone, Debug)]
pub struct Row<'r> {
    /// The unit.
    pub unit: &'r UnitReport,
    /// The verdict.
    pub comparison: &'r Comparison,
}

/// How many functions and units there are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Functions by trouble, in the order of [`Trouble::ALL`].
    pub functions: [usize; 5],
    /// Units that were compared.
    pub compared: usize,
    /// Units that could not be read.
    pub failed: usize,
    /// Units that were not reached.
    pub not_reached: usize,
}

impl RepositoryReport {
    /// The functions that were compared, the most trouble first, then by names.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let all = self
            .units
            .iter()
            .flat_map(|unit| unit.verdicts.entries.iter().map(move |comparison| Row { unit, comparison }));
        let mut rows: Vec<Row<'_>> = all.collect();
        rows.sort_by_key(|row| (Trouble::of(row.comparison), &row.unit.name, &row.comparison.entry));
        rows
    }

    /// How many of everything there are.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for row in self.rows() {
            let trouble = Trouble::of(row.comparison);
            let at = Trouble::ALL.iter().position(|each| *each == trouble).unwrap_or_default();
            counts.functions[at] += 1;
        }
        for unit in &self.units {
            *match unit.reached {
                Reached::Compared => &mut counts.compared,
                Reached::Failed(_) => &mut counts.failed,
                Reached::Not => &mut counts.not_reached,
            } += 1;
        }
        counts
    }

    /// Everything that was not compared although it changed, in words.
    pub fn all_reasons(&self) -> Vec<String> {
        let mut reasons = self.reasons.clone();
        for unit in &self.units {
            match &unit.reached {
                Reached::Compared => {}
                Reached::Failed(why) => reasons.push(format!("{}: {why}", unit.name)),
                Reached::Not => reasons.push(format!("{} was not reached", unit.name)),
            }
            reasons.extend(unit.verdicts.reasons.iter().map(|reason| format!("{}: {reason}", unit.name)));
        }
        reasons
    }

    /// Everything that was left out because the user says so, in words.
    pub fn all_left_out(&self) -> Vec<String> {
        let units = self.units.iter();
        let functions =
            units.flat_map(|unit| unit.left_out.iter().map(|what| format!("{}: {what}", unit.name)));
        self.left_out.iter().cloned().chain(functions).collect()
    }

    /// Everything that has to be said, in words.
    pub fn all_notes(&self) -> Vec<String> {
        let units = self.units.iter();
        let notes = units.flat_map(|unit| unit.notes.iter().map(|note| format!("{}: {note}", unit.name)));
        self.notes.iter().cloned().chain(notes).collect()
    }

    /// The verdicts on all functions of all units as one.
    pub fn verdicts(&self) -> Verdicts {
        let entries = self.rows().into_iter().map(|row| row.comparison.clone()).collect();
        Verdicts { entries, below: Vec::new(), reasons: self.all_reasons() }
    }
}

impl Comparison {
    /// Gives files other names, wherever they are named.
    pub fn rename_files(&mut self, rename: &dyn Fn(&mut String)) {
        let place = |place: &mut Option<Place>| {
            if let Some(place) = place {
                rename(&mut place.file);
            }
        };
        let path = |path: &mut FoundPath| place(&mut path.place);
        let way = |way: &mut WitnessWay| {
            way.branches.iter_mut().for_each(|branch| place(&mut branch.place));
            way.affected.iter_mut().for_each(|place| rename(&mut place.file));
        };
        let witness = |witness: &mut Witness| {
            way(&mut witness.old_way);
            way(&mut witness.new_way);
            place(&mut witness.place);
            path(&mut witness.old);
            path(&mut witness.new);
            witness.replay_note.iter_mut().for_each(rename);
        };
        let error = |error: &mut ErrorChange| {
            place(&mut error.place);
            error.stack.iter_mut().for_each(|frame| place(&mut frame.place));
            witness(&mut error.witness);
        };
        self.differences.iter_mut().for_each(witness);
        for errors in [&mut self.introduced, &mut self.fixed, &mut self.preexisting, &mut self.invalid] {
            errors.iter_mut().for_each(error);
        }
        if let Some(others) = &mut self.others {
            others.differences.iter_mut().for_each(witness);
            others.introduced.iter_mut().chain(&mut others.fixed).for_each(error);
        }
        self.taken.iter_mut().for_each(|taken| place(&mut taken.place));
        self.reasons.iter_mut().chain(&mut self.notes).for_each(rename);
    }
}
