//! `incise explain`: why a test passes on the old version and fails, or does something else, on the new one.

use super::settings::ExplainSettings;
use crate::arguments::Format;
use crate::change::model::version;
use crate::commands::explain::arguments::GivenInput;
use crate::commands::explain::written_test::{WrittenTest, given};
use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use anyhow::{Context, Result, bail};
use incise_exec::{ChangedElement, Config, Detail, Trace};
use incise_findings as findings;
use incise_frontend::{Loaded, find_function};
use incise_incremental::explain::{Both as Traced, Looked, Version as Side};
use incise_incremental::{Difference, Explanation as Explained, Question, explain, initial};
use incise_reading::{Inputs, told};
use incise_replay::{ReplayRequest, replay};
use incise_report::{
    Aspect, Behaviour, Both, Cause, Constraint, Constraints, ExplainVerdict, Explanation, Nearby, Path,
    Program as Identity, Run, TestCase, explain_json, explain_text,
};
use incise_suite::test_case;
use std::collections::{BTreeMap, BTreeSet};

/// So many nearby inputs are run natively; the others are not shown in text.
const REPLAYED: usize = 10;

/// Does what `incise explain` is asked to do.
pub(crate) fn run(settings: ExplainSettings, session: &Session) -> Result<Status> {
    let ExplainSettings { old, new, test, inputs, entry, all, replay, mut config, reading, output } =
        settings;
    let test = test.map(|path| WrittenTest::read(&path)).transpose()?;
    let (old, new) = session.load_each(old, new)?;
    let wanted = entry.as_deref().or(test.as_ref().map(|test| test.case.program.entry.as_str()));
    config.entry = incise_frontend::entry(&new.program, wanted).context("in NEW")?;
    refuse_missing(&old, &new, &config.entry)?;
    initial::of_versions(&old.program, &new.program, &mut config.inputs);
    config.inputs.reading = told(&reading.of_versions(&old.program, &new.program, &config.entry));
    config.inputs.told = true;
    config.inputs.any_size = reading.inputs == Inputs::Any;
    if let Some(test) = &test {
        test.configure(&mut config);
    }
    let question = Question {
        old: &old.program,
        new: &new.program,
        config: &config,
        given: given(test.as_ref(), &inputs),
        all,
    };
    let found = explain(&question, &session.hooks(Detail::All))?;
    refuse_unknown(&found, &inputs)?;
    let versions = Versions { old: &old, new: &new, config: &config };
    let mut explanation = versions.explanation(found, test.as_ref(), !inputs.is_empty(), !all)?;
    if replay {
        versions.replay(&mut explanation, session);
    }
    write_data(|out| match output.format {
        Format::Text => explain_text::render(&explanation, output.text, out),
        Format::Json => explain_json::render(&explanation, out),
    })?;
    Ok(match explanation.verdict() {
        ExplainVerdict::Same => Status::Nothing,
        ExplainVerdict::Differs => Status::Found,
        ExplainVerdict::Undecided => Status::Undecided,
    })
}

/// The entry has to be in both versions.
fn refuse_missing(old: &Loaded, new: &Loaded, name: &str) -> Result<()> {
    for (loaded, version) in [(old, "in OLD"), (new, "in NEW")] {
        find_function(&loaded.program, name).context(version)?;
    }
    Ok(())
}

/// A value for an input that neither version has is a slip of the user's.
fn refuse_unknown(found: &Explained, inputs: &[GivenInput]) -> Result<()> {
    let unused = |trace: &Trace, name: &String| trace.unused.contains(name);
    for input in inputs {
        let unknown =
            |(name, _): &(String, _)| unused(&found.test.old, name) && unused(&found.test.new, name);
        if !input.elements.iter().all(unknown) {
            continue;
        }
        let known: BTreeSet<&str> = [&found.test.old, &found.test.new]
            .into_iter()
            .filter_map(|trace| trace.path.as_ref()?.inputs.as_ref())
            .flatten()
            .map(|input| input.name.as_str())
            .collect();
        if known.is_empty() {
            bail!("--input names '{}', but neither version has an input", input.name);
        }
        let known: Vec<&str> = known.into_iter().collect();
        bail!("--input names '{}', but the inputs are: {}", input.name, known.join(", "));
    }
    Ok(())
}

/// Both versions and where they are entered.
struct Versions<'a> {
    old: &'a Loaded,
    new: &'a Loaded,
    config: &'a Config,
}

impl Versions<'_> {
    /// The finding model of an explanation.
    fn explanation(
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

    fn both(&self, traced: Traced) -> Both {
        let aspect = |difference: Difference| match difference {
            Difference::Ending => Aspect::Ending,
            Difference::Result => Aspect::Result,
            Difference::Value(name) => Aspect::Value(name),
            Difference::Output => Aspect::Stdout,
            Difference::ErrorOutput => Aspect::Stderr,
        };
        Both {
            old: behaviour(traced.old),
            new: behaviour(traced.new),
            differences: traced.differences.into_iter().map(aspect).collect(),
        }
    }

    /// Runs the test and the nearby inputs natively on both versions. What stands in the way of that is a note: the
    /// explanation is good without it.
    fn replay(&self, explanation: &mut Explanation, session: &Session) {
        for new in [false, true] {
            if let Err(error) = self.replay_version(explanation, new, session) {
                let version = if new { "new" } else { "old" };
                explanation.notes.push(format!("the {version} version was not run natively: {error:#}"));
            }
        }
    }

    fn replay_version(&self, explanation: &mut Explanation, new: bool, session: &Session) -> Result<()> {
        let loaded = if new { self.new } else { self.old };
        let mut behaviours = behaviours(explanation, new);
        let program = Identity { entry: self.config.entry.clone(), ..Identity::default() };
        let mut run = Run { program, ..Run::default() };
        run.paths = behaviours
            .iter()
            .enumerate()
            .filter(|(_, behaviour)| !behaviour.assumed_away)
            .map(|(index, behaviour)| Path { id: index as u64, ..behaviour.path.clone() })
            .collect();
        let with_inputs: Vec<u64> =
            run.paths.iter().filter(|path| path.inputs.is_some()).map(|path| path.id).collect();
        let tests: Vec<TestCase> = run.paths.iter().filter_map(|path| test_case(&run, path)).collect();
        let arguments = &self.config.inputs.given_arguments;
        let request = ReplayRequest { entry: &self.config.entry, tests: &tests, arguments };
        let replayed = replay(&request, loaded, &session.replaying())?;
        for (id, test) in with_inputs.into_iter().zip(replayed.tests) {
            behaviours[id as usize].replay = Some(test);
        }
        Ok(())
    }
}

/// What one version does on the test and on the nearby inputs that are shown.
fn behaviours(explanation: &mut Explanation, new: bool) -> Vec<&mut Behaviour> {
    let Explanation { behaviour, causes, agreeing, .. } = explanation;
    let nearby = causes.iter_mut().take(REPLAYED).map(|cause| &mut cause.nearby).chain(agreeing);
    let all = std::iter::once(behaviour).chain(nearby.map(|nearby| &mut nearby.behaviour));
    all.map(|both| if new { &mut both.new } else { &mut both.old }).collect()
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

fn counts(looked: Looked) -> Constraints {
    Constraints { all: looked.all, affected: looked.affected, asked: looked.asked }
}

/// A note if the old version does not do what the test expects: then it was written for other code.
fn outdated(test: &WrittenTest, old: &Path) -> Option<String> {
    let expected = test.case.expected.as_ref()?;
    let bytes = |observed: &Option<incise_report::Observed>| observed.as_ref().map(|each| each.bytes.clone());
    let known = bytes(&expected.result).is_none_or(|expected| Some(expected) == bytes(&old.result));
    if expected.outcome.name() == old.outcome.name() && known {
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
