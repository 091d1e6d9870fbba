//! Witnesses run natively on both versions before they are shown.
//!
//! A witness that both native runs confirm is a difference. One on which the native runs do the same is none: something
//! was not understood, and the verdict says so.

use super::stored::ran_as_predicted;
use super::{Entries, VersionJudge};
use anyhow::Result;
use incise_children::Processors;
use incise_frontend::NativeSource;
use incise_ir::{FunctionId, Program};
use incise_replay::{NativeRequest, NativeRun, run_natively};
use incise_report::test::Expected;
use incise_report::verdict::{Comparison, ErrorChange, Witness};
use incise_report::{
    Final, FoundPath, Input, LeftPointer, Observed, Origin, Outcome, PointerTarget, ReplayVerdict, TestCase,
    Value,
};

/// What is said where both versions ran as predicted, and no difference could be seen.
pub(super) const UNSEEN: &str = "both ran as predicted, and what differs is not seen from outside";

/// What native runs say of a witness.
enum Said {
    /// It is a difference, shown natively or not, and what stands in the way.
    Keep { replayed: bool, ran: bool, note: Option<String> },
    /// Both versions do the same.
    Drop(String),
}

/// Runs all witnesses of a comparison natively on both versions, and keeps those that differ. Tells whether all native
/// runs, if there were to be any, did what was predicted.
pub(super) fn confirm(
    judge: &VersionJudge<'_>,
    entries: Entries,
    externals: &[String],
    comparison: &mut Comparison,
) -> bool {
    if comparison.threads.is_some() {
        super::native_threads::confirm(judge, entries, externals, comparison);
        // Which order threads take is not ours to say: such verdicts are not kept.
        return false;
    }
    let errors = comparison.introduced.iter().chain(&comparison.fixed).map(|error| &error.witness);
    let witnesses: Vec<&Witness> = comparison.differences.iter().chain(errors).collect();
    if witnesses.is_empty() || !judge.session.runs_natively() {
        return true;
    }
    let said: Vec<Said> = match both(judge, entries, externals, &witnesses) {
        Ok((old, new)) => {
            let runs = old.iter().zip(&new);
            witnesses.iter().zip(runs).map(|(witness, (old, new))| judged(witness, old, new)).collect()
        }
        Err(error) => {
            // What a compiler says begins on the line after who says it.
            let text = format!("{error:#}");
            let lines = if text.lines().next().is_some_and(|first| first.ends_with(':')) { 2 } else { 1 };
            let note = text.lines().take(lines).map(str::trim).collect::<Vec<_>>().join(" ");
            witnesses
                .iter()
                .map(|_| Said::Keep { replayed: false, ran: false, note: Some(note.clone()) })
                .collect()
        }
    };
    let mut said = said.into_iter();
    let mut reasons = Vec::new();
    let mut keep = |witness: &mut Witness| match said.next() {
        Some(Said::Keep { replayed, ran, note }) => {
            (witness.replayed, witness.ran, witness.replay_note) = (replayed, ran, note);
            true
        }
        Some(Said::Drop(reason)) => {
            reasons.push(reason);
            false
        }
        None => true,
    };
    comparison.differences.retain_mut(&mut keep);
    let mut keep_error = |error: &mut ErrorChange| keep(&mut error.witness);
    comparison.introduced.retain_mut(&mut keep_error);
    comparison.fixed.retain_mut(&mut keep_error);
    // What ran comes before what could not.
    comparison.differences.sort_by_key(|witness| (witness.special.is_some(), !witness.ran));
    let as_predicted = reasons.is_empty() && ran_as_predicted(comparison);
    for reason in reasons {
        if !comparison.reasons.contains(&reason) {
            comparison.reasons.push(reason);
        }
    }
    as_predicted
}

/// Runs the witnesses on both versions at once.
fn both(
    judge: &VersionJudge<'_>,
    entries: Entries,
    externals: &[String],
    witnesses: &[&Witness],
) -> Result<(Vec<NativeRun>, Vec<NativeRun>)> {
    if judge.session.is_interrupted() {
        anyhow::bail!("interrupted");
    }
    let VersionJudge { old: old_source, new: new_source, settings, session, .. } = *judge;
    let run = |source: NativeSource<'_>,
               entry: FunctionId,
               paths: fn(&Witness) -> (&FoundPath, &FoundPath)| {
        let test = |(index, witness): (usize, &&Witness)| test(index, paths(witness), source.program);
        let tests: Vec<TestCase> = witnesses.iter().enumerate().map(test).collect();
        let arguments = &settings.config.inputs.given_arguments;
        let known: Vec<String> =
            externals.iter().filter(|name| source.program.function_named(name).is_some()).cloned().collect();
        let request = NativeRequest { entry, tests: &tests, arguments, externals: &known, pointers: true };
        run_natively(&request, source, &session.replaying())
    };
    let (old, new) = Processors::ours().both(
        incise_frontend::DEEP_STACK,
        || run(old_source, entries.old, |witness| (&witness.old, &witness.new)),
        || run(new_source, entries.new, |witness| (&witness.new, &witness.old)),
    );
    Ok((old?, new?))
}

/// A test that expects what was predicted of a path, an end that does not come included. What the path of the other
/// version writes is looked at in both.
fn test(index: usize, (path, other): (&FoundPath, &FoundPath), program: &Program) -> TestCase {
    let seen = |origin: &Origin| {
        matches!(
            origin,
            Origin::Global(_)
                | Origin::Pointee(_)
                | Origin::Heap { .. }
                | Origin::Stream(_)
                | Origin::File(_)
                | Origin::Device
        )
    };
    let own = path.finals.iter().filter(|each| seen(&each.origin)).cloned();
    let missing = other.finals.iter().filter(|each| !path.finals.iter().any(|own| own.origin == each.origin));
    let inputs = path.inputs.as_deref().unwrap_or_default();
    let untouched = missing.filter_map(|each| untouched(each, program, inputs));
    TestCase {
        name: format!("witness {}", index + 1),
        program: Default::default(),
        condition: String::new(),
        taken: Vec::new(),
        inputs: path.inputs.clone().unwrap_or_default(),
        schedule: None,
        expected: Some(Expected {
            outcome: path.outcome.clone(),
            place: path.place.clone(),
            result: path.result.clone().filter(|result| !result.bytes.is_empty()),
            finals: own.chain(untouched).collect(),
            stdout: path.stdout.clone(),
            stderr: path.stderr.clone(),
            indeterminate: path.indeterminate,
        }),
    }
}

/// A global variable that this version leaves alone: it keeps what it had as an input; of others nothing is predicted,
/// but they are looked at.
pub(super) fn untouched(written: &Final, program: &Program, inputs: &[Input]) -> Option<Final> {
    if written.origin == Origin::Device {
        let observed = Observed::new(Vec::new(), Vec::new(), Value::Array(Vec::new()));
        return Some(Final { name: written.name.clone(), origin: Origin::Device, observed });
    }
    let Origin::Global(symbol) = &written.origin else { return None };
    let size = program.types.size_of(program.globals[program.global_named(symbol)?].ty) as usize;
    let kept = inputs.iter().find(|input| input.origin == written.origin && input.bytes.len() == size);
    let observed = match kept {
        Some(input) => Observed {
            bytes: input.bytes.clone(),
            comparable: (0..size as u64).map(|at| !is_address(input, at)).collect(),
            value: input.value.clone(),
            pointers: written.observed.pointers.iter().map(|each| kept_pointer(input, each.offset)).collect(),
        },
        None => Observed {
            bytes: vec![0; size],
            comparable: vec![false; size],
            value: written.observed.value.clone(),
            pointers: written.observed.pointers.clone(),
        },
    };
    Some(Final { name: written.name.clone(), origin: written.origin.clone(), observed })
}

/// Whether a byte of an input belongs to a pointer.
fn is_address(input: &Input, at: u64) -> bool {
    input.pointers.iter().any(|each| (each.offset..each.offset + 8).contains(&at))
}

/// Where a pointer of an input leads.
fn kept_pointer(input: &Input, offset: u64) -> LeftPointer {
    let pointer = input.pointers.iter().find(|each| each.offset == offset);
    let target = pointer.map(|each| PointerTarget { name: each.target.clone(), addend: each.addend });
    LeftPointer { offset, target }
}

fn judged(witness: &Witness, old: &NativeRun, new: &NativeRun) -> Said {
    let (Some(seen_old), Some(seen_new)) = (&old.observed, &new.observed) else {
        let why = [old, new]
            .iter()
            .find(|run| run.observed.is_none())
            .and_then(|run| run.test.notes.first().cloned());
        return Said::Keep { replayed: false, ran: false, note: why };
    };
    let as_predicted = |run: &NativeRun| run.test.verdict == ReplayVerdict::Confirmed;
    let differs = seen_old.differs_from(seen_new);
    let unchecked = |run: &NativeRun| run.test.verdict == ReplayVerdict::NotChecked;
    match (as_predicted(old) && as_predicted(new), differs) {
        (true, true) => Said::Keep { replayed: true, ran: true, note: None },
        (true, false) if seen_old.is_laid_out_otherwise(seen_new) => {
            Said::Keep { replayed: true, ran: true, note: None }
        }
        (true, false) => Said::Keep { replayed: false, ran: true, note: Some(UNSEEN.to_owned()) },
        _ if unchecked(old) || unchecked(new) => {
            let run = if unchecked(old) { old } else { new };
            Said::Keep { replayed: false, ran: false, note: run.test.notes.first().cloned() }
        }
        (false, true) => {
            let note = format!("natively old {}, and new {}", seen_old.words(), seen_new.words());
            Said::Keep { replayed: false, ran: true, note: Some(note) }
        }
        (false, false) => Said::Drop(format!(
            "{} was predicted to differ natively, and does not: both versions {}{}",
            what(witness),
            seen_new.words(),
            if witness.indeterminate { "; it depends on memory that was never initialised" } else { "" }
        )),
    }
}

/// What was predicted to differ.
fn what(witness: &Witness) -> String {
    match witness.values.first() {
        Some(value) if value.name.is_empty() => format!("the {}", value.kind.name()),
        Some(value) => value.name.clone(),
        None => match (&witness.old.outcome, &witness.new.outcome) {
            (_, Outcome::Error(error)) | (Outcome::Error(error), _) => error.message.clone(),
            _ => "how it ends".to_owned(),
        },
    }
}
