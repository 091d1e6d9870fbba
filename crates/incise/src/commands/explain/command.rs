//! `incise explain`: why a test passes on the old version and fails, or does something else, on the new one.

use super::arguments::GivenInput;
use super::model::ComparedVersions;
use super::settings::ExplainSettings;
use super::written_test::{WrittenTest, given};
use crate::arguments::Format;
use crate::commands::threads;
use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use anyhow::{Context, Result, bail};
use incise_exec::{Detail, Trace};
use incise_frontend::{Loaded, find_function};
use incise_incremental::{Explanation as Explained, Question, explain, initial};
use incise_reading::{Inputs, told};
use incise_report::ExplainVerdict;
use incise_report::explain::{json, text};
use std::collections::BTreeSet;

/// Does what `incise explain` is asked to do.
pub(crate) fn run(settings: ExplainSettings, session: &Session) -> Result<Status> {
    let ExplainSettings { versions, test, inputs, entry, all, replay, mut config, mut reading, output } =
        settings;
    session.limit(&mut config.limits);
    let test = test.map(|path| WrittenTest::read(&path)).transpose()?;
    let sources = versions.lay_out(session)?;
    let (old, new) = session.load_each(sources.old.clone(), sources.new.clone())?;
    let wanted = entry.as_deref().or(test.as_ref().map(|test| test.case.program.entry.as_str()));
    config.entry = incise_frontend::entry(&new.program, wanted).context("in NEW")?;
    refuse_missing(&old, &new, &config.entry)?;
    for program in [&old.program, &new.program] {
        threads::refuse(program, Some(&config.entry), "explaining")?;
    }
    initial::of_versions(&old.program, &new.program, &mut config.inputs);
    reading.initial.clone_from(&config.inputs.initial);
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
    let versions = ComparedVersions { old: &old, new: &new, config: &config };
    let mut explanation = versions.explanation(found, test.as_ref(), !inputs.is_empty(), !all)?;
    if replay {
        versions.replay(&mut explanation, session);
    }
    session.reports();
    write_data(|out| match output.format {
        Format::Text => text::render(&explanation, output.text, out),
        Format::Json => json::render(&explanation, out),
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
