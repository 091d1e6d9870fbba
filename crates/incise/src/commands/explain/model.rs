//! From the explanation of a failing test to the finding model of the reports.

use super::written_test::WrittenTest;
use crate::change::model::version;
use anyhow::Result;
use incise_exec::{ChangedElement, Config, Trace};
use incise_findings as findings;
use incise_frontend::Loaded;
use incise_incremental::explain::{Both as Traced, Looked, Version as Side};
use incise_incremental::{Difference, Explanation as Explained};
use incise_report::{
    Aspect, Behaviour, BothBehaviours, Cause, Constraint, ConstraintCounts, Explanation, FoundPath, Nearby,
};
use std::collections::{BTreeMap, BTreeSet};

/// Both versions, and how they are executed.
pub(super) struct ComparedVersions<'a> {
    pub(super) old: &'a Loaded,
    pub(super) new: &'a Loaded,
    pub(super) config: &'a Config,
}

impl ComparedVersions<'_> {
    /// The finding model of an explanation.
    pub(super) fn explanation(
        &self,
        found: Explained,
        test: Option<&WrittenTest>,
        replaced: bool,
        restricted: bool,
    ) -> Result<Explanation> {
        let mut undecided = BTreeMap::new();
        for why in found.undecided {
            *undecided.entry(why).or_insert(0usize) += 1;
        }
        let mut notes = notes(&found.test, test);
        let grown = |(pointer, count): &(String, u64)| {
            format!(
                "nearby inputs have {count} elements of {pointer}: with as many as are given, none makes both agree"
            )
        };
        notes.extend(found.grown.iter().map(grown));
        let place = |position: &incise_ir::SourcePosition| findings::place(position);
        let behaviour = self.both(found.test);
        // With other values a test expects nothing.
        if !replaced {
            notes.extend(test.and_then(|test| outdated(test, &behaviour.old.path)));
        }
        Ok(Explanation {
            old: version(&self.old.sources)?,
            new: version(&self.new.sources)?,
            entry: self.config.entry.clone(),
            test: test.map(|test| test.case.name.clone()),
            behaviour,
            causes: found.causes.into_iter().map(|cause| self.cause(cause)).collect(),
            agreeing: found.agreeing.map(|(traced, changed)| self.nearby(traced, changed)),
            changed_old: found.changed_old.iter().map(place).collect(),
            changed_new: found.changed_new.iter().map(place).collect(),
            constraints_old: counts(found.looked_old),
            constraints_new: counts(found.looked_new),
            taken: findings::taken(&self.config.inputs.reading),
            restricted,
            undecided: undecided.into_iter().collect(),
            notes,
        })
    }

    fn cause(&self, cause: incise_incremental::explain::Cause) -> Cause {
        let in_new = cause.version == Side::New;
        let program = if in_new { &self.new.program } else { &self.old.program };
        let function = cause.constraint.origin.map(|origin| program.functions[origin.function].name.clone());
        Cause {
            in_new,
            constraint: Constraint {
                text: cause.constraint.text,
                place: cause.constraint.position.as_ref().map(findings::place),
            },
            function,
            occurrences: cause.occurrences,
            changed_statement: cause.changed_statement,
            removed: cause.removed,
            parts: cause.parts,
            nearby: self.nearby(cause.nearby, cause.changed),
        }
    }

    fn nearby(&self, traced: Traced, changed: Vec<ChangedElement>) -> Nearby {
        let changed = changed.into_iter().map(|element| (element.name, findings::value(element.value)));
        Nearby { behaviour: self.both(traced), changed: changed.collect() }
    }

    fn both(&self, traced: Traced) -> BothBehaviours {
        let aspect = |difference: Difference| match difference {
            Difference::Ending => Aspect::Ending,
            Difference::Result => Aspect::Result,
            Difference::Value(name) => Aspect::Value(name),
            Difference::Output => Aspect::Stdout,
            Difference::ErrorOutput => Aspect::Stderr,
        };
        BothBehaviours {
            old: behaviour(traced.old),
            new: behaviour(traced.new),
            differences: traced.differences.into_iter().map(aspect).collect(),
        }
    }
}

fn behaviour(trace: Trace) -> Behaviour {
    let values = trace.observations.into_iter().filter(|each| !each.name.is_empty());
    Behaviour {
        values: values.map(|each| (each.name, findings::value(each.value))).collect(),
        assumed_away: trace.path.is_none(),
        path: trace.path.map(|path| findings::path(path, 0)).unwrap_or_default(),
        replay: None,
    }
}

fn counts(looked: Looked) -> ConstraintCounts {
    ConstraintCounts { all: looked.all, affected: looked.affected, asked: looked.asked }
}

/// A note if the old version does not do what the test expects: then it was written for other code.
fn outdated(test: &WrittenTest, old: &FoundPath) -> Option<String> {
    let expected = test.case.expected.as_ref()?;
    let bytes = |observed: &Option<incise_report::Observed>| observed.as_ref().map(|each| each.bytes.clone());
    let known = bytes(&expected.result).is_none_or(|expected| Some(expected) == bytes(&old.result));
    if expected.outcome.ends_alike(&old.outcome) && known {
        return None;
    }
    Some(format!(
        "the old version does not do what {} expects: it was written for other code",
        test.case.name
    ))
}

/// What the user should know of the inputs.
fn notes(test: &Traced, written: Option<&WrittenTest>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(written) = written {
        for (version, trace) in [("old", &test.old), ("new", &test.new)] {
            if !trace.missing.is_empty() {
                let names = trace.missing.join(", ");
                notes.push(format!(
                    "{} has no value for {names} of the {version} version: zero is taken",
                    written.case.name
                ));
            }
        }
        let unused: Vec<&str> = test
            .new
            .unused
            .iter()
            .filter(|name| test.old.unused.contains(name))
            .map(String::as_str)
            .collect();
        if !unused.is_empty() {
            notes.push(format!(
                "{} has a value for {}, which neither version reads",
                written.case.name,
                unused.join(", ")
            ));
        }
    }
    let concretised: BTreeSet<&String> = test.old.concretised.iter().chain(&test.new.concretised).collect();
    notes.extend(concretised.into_iter().map(|what| format!("made concrete: {what}")));
    let indeterminate = |trace: &Trace| trace.path.as_ref().is_some_and(|path| path.indeterminate);
    if indeterminate(&test.old) || indeterminate(&test.new) {
        notes.push("it reads memory that the program never initialised: zero is taken".to_owned());
    }
    notes
}
