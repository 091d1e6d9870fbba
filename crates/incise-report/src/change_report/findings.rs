//! What a person should look at of one function: errors that were introduced, other differences, or that nothing is
//! known.

use super::fingerprint::Fingerprints;
use super::model::{Finding, FindingKind, ReportStep, Side};
use crate::repository::{Trouble, UnitReport};
use crate::text::Style;
use crate::verdict::text as verdict_text;
use crate::verdict::threads_text::race_words;
use crate::verdict::{Comparison, ErrorChange, RaceChange, Witness, WitnessWay};
use crate::{
    ErrorKind, FoundPath, FunctionImpact, Outcome, Place, ScheduleStep, Spot, Statement, StatementKind,
};
use std::collections::BTreeSet;

/// Makes the findings of a function.
pub(super) struct FindingMaker<'a> {
    pub(super) unit: &'a UnitReport,
    pub(super) comparison: &'a Comparison,
    /// Where what has no place of its own is.
    pub(super) place: &'a Place,
    pub(super) fingerprints: &'a mut Fingerprints,
}

impl FindingMaker<'_> {
    /// All findings, errors first.
    pub(super) fn findings(mut self) -> Vec<Finding> {
        let comparison = self.comparison;
        let mut found: Vec<Finding> =
            comparison.introduced.iter().map(|error| self.introduced(error)).collect();
        let races = comparison.threads.iter().flat_map(|threads| &threads.introduced);
        found.extend(races.map(|race| self.race(race)));
        let others = comparison.differences.iter().filter(|witness| !is_told(comparison, witness));
        found.extend(others.map(|witness| self.difference(witness)));
        if Trouble::of(comparison) == Trouble::Undecided {
            found.push(self.undecided());
        }
        found
    }

    fn introduced(&mut self, error: &ErrorChange) -> Finding {
        let given = verdict_text::inputs(&error.witness);
        let message = format!("{} given {given}, which was not so before", error.message);
        let kind = FindingKind::Introduced(error.kind);
        self.with_witness(kind, message, error.place.as_ref(), &error.witness)
    }

    /// A data race, with the order of steps that leads there.
    fn race(&mut self, change: &RaceChange) -> Finding {
        let kind = FindingKind::Introduced(ErrorKind::DataRace);
        let message = format!("{}, which was not so before", race_words(change));
        let accesses = change.race.accesses.iter();
        let place = accesses.clone().find_map(|access| access.place.clone());
        let names = accesses.map(|access| access.event.as_str());
        let rule = kind.rule();
        let names: Vec<&str> = [&rule, &self.unit.name, &self.comparison.entry, &change.race.object]
            .map(String::as_str)
            .into_iter()
            .chain(names)
            .collect();
        let remark = change.replay_note.as_ref().map(|note| format!("not confirmed natively: {note}"));
        let new = Side {
            does: race_words(change),
            steps: change.race.schedule.iter().map(turn).collect(),
            end: place.clone(),
            ..Side::default()
        };
        Finding {
            place: place.unwrap_or_else(|| self.place.clone()),
            fingerprint: self.fingerprints.of_names(&names),
            given: "an order of its threads".to_owned(),
            old: Side { does: "has no such data race".to_owned(), ..Side::default() },
            new,
            replayed: change.replayed,
            remarks: remark.into_iter().collect(),
            kind,
            message,
            changed: None,
        }
    }

    fn difference(&mut self, witness: &Witness) -> Finding {
        let (old, new) = verdict_text::behaviours(witness);
        let message = match &witness.only {
            Some(_) => verdict_text::witness_line(witness, Style::default()),
            None => format!("given {}: old: {old}; new: {new}", verdict_text::inputs(witness)),
        };
        self.with_witness(FindingKind::Difference, message, witness.place.as_ref(), witness)
    }

    fn undecided(&mut self) -> Finding {
        let kind = FindingKind::Undecided;
        let message = match self.comparison.reasons.is_empty() {
            true => "it is not known whether it does the same".to_owned(),
            false => self.comparison.reasons.join("; "),
        };
        let fingerprint =
            self.fingerprints.of_names(&[&kind.rule(), &self.unit.name, &self.comparison.entry]);
        Finding {
            kind,
            message,
            place: self.place.clone(),
            changed: None,
            fingerprint,
            given: String::new(),
            old: Side::default(),
            new: Side::default(),
            replayed: false,
            remarks: Vec::new(),
        }
    }

    fn with_witness(
        &mut self,
        kind: FindingKind,
        message: String,
        place: Option<&Place>,
        witness: &Witness,
    ) -> Finding {
        let rule = kind.rule();
        let names = [&rule, &self.unit.name, &self.comparison.entry].map(String::as_str);
        let (old, new) = self.sides(witness);
        Finding {
            kind,
            message,
            place: place.unwrap_or(self.place).clone(),
            changed: witness.place.clone(),
            fingerprint: self.fingerprints.of_witness(&names, witness),
            given: verdict_text::inputs(witness),
            old,
            new,
            replayed: witness.replayed,
            remarks: remarks(witness),
        }
    }

    /// What both versions do, and where they part.
    fn sides(&self, witness: &Witness) -> (Side, Side) {
        let (old, new) = verdict_text::behaviours(witness);
        let (before, after) =
            (self.returns(|function| &function.old), self.returns(|function| &function.new));
        let mut old = side(old, &witness.old, &witness.old_way, &before);
        let mut new = side(new, &witness.new, &witness.new_way, &after);
        let both = old.steps.iter().zip(&new.steps);
        let alike = both.take_while(|(one, other)| one.text == other.text).count();
        (old.parts, new.parts) = (behind(&old, alike), behind(&new, alike));
        (old, new)
    }

    /// The lines on which the function says what it returns.
    fn returns(&self, of: fn(&FunctionImpact) -> &Vec<Statement>) -> BTreeSet<u32> {
        let own = self.unit.functions.iter().find(|function| function.name == self.comparison.entry);
        let statements = own.into_iter().flat_map(of).filter(|each| each.kind == StatementKind::Return);
        statements.filter_map(|each| line_of(each.spot)).collect()
    }
}

/// Whether a way to differ is an error that was introduced, and said to be one.
fn is_told(comparison: &Comparison, witness: &Witness) -> bool {
    witness.values.is_empty() && comparison.introduced.iter().any(|error| ends_in(&witness.new, error))
}

fn ends_in(path: &FoundPath, error: &ErrorChange) -> bool {
    let is_kind = matches!(&path.outcome, Outcome::Error(other) if other.kind == error.kind);
    is_kind && path.place == error.place
}

/// Why no run shows it, and what it needs.
fn remarks(witness: &Witness) -> Vec<String> {
    let run = match (&witness.replay_note, witness.replayed) {
        (Some(note), _) => Some(format!("not confirmed natively: {note}")),
        (None, false) => Some("not replayed".to_owned()),
        (None, true) => None,
    };
    let only = witness.only.as_ref().map(|only| {
        let (executions, version) = (only.executions, only.version());
        format!("only {version} can do that: all {executions} executions of the other version were explored")
    });
    run.into_iter().chain(only).chain(witness.special.map(|special| special.words().to_owned())).collect()
}

fn side(does: String, path: &FoundPath, way: &WitnessWay, returns: &BTreeSet<u32>) -> Side {
    let branches = way.branches.iter().map(|each| step(&each.text, each.place.as_ref(), each.affected));
    let steps = branches.chain(path.schedule.iter().map(turn));
    let end = end(path, way, returns).cloned();
    Side { does, steps: steps.collect(), over: way.affected.clone(), end, parts: None }
}

/// Where a path ends. A function is left at its last brace; what it returns is said before.
fn end<'p>(path: &'p FoundPath, way: &'p WitnessWay, returns: &BTreeSet<u32>) -> Option<&'p Place> {
    let said = way.affected.iter().rfind(|place| returns.contains(&place.line));
    let said = said.filter(|_| path.outcome == Outcome::Returned);
    said.or(path.place.as_ref())
}

/// The first step behind those that both versions take.
fn behind(side: &Side, alike: usize) -> Option<usize> {
    (alike < side.steps.len()).then_some(alike)
}

/// What a thread does.
fn turn(turn: &ScheduleStep) -> ReportStep {
    let object = turn.object.as_ref().map_or_else(String::new, |object| format!(" {object}"));
    step(&format!("thread {}: {}{object}", turn.thread, turn.event), turn.place.as_ref(), false)
}

pub(super) fn step(text: &str, place: Option<&Place>, affected: bool) -> ReportStep {
    ReportStep { text: text.to_owned(), place: place.cloned(), affected }
}

/// The line of a statement, if it has one.
pub(super) fn line_of(spot: Spot) -> Option<u32> {
    match spot {
        Spot::Line(line) => Some(line),
        Spot::Code { .. } => None,
    }
}
