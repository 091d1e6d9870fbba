//! From what the engine found to the finding model of the reports.

use super::{Entries, VersionJudge};
use crate::words::of_stop;
use incise_exec::{Config, LimitKind, Needs};
use incise_findings as findings;
use incise_incremental::differ::{
    DEEPEST, DifferingValue, FoundError, Judgement, LONGEST, OpenReason, PairCounts as Pairs, ThreadsFound,
    Version, Witness as Found, WitnessBranch, WitnessWay as Way,
};
use incise_relate::Seen;
use incise_report::verdict::{
    Bound, ChangedValue, ComparedThreads, Comparison, ComparisonEffort, ErrorChange, Only, PairCounts,
    RaceChange, Sameness, ValueKind, WayBranch, Witness, WitnessWay,
};
use incise_report::{Frame, Outcome};
use std::collections::BTreeSet;

/// The finding model of a judgement; nothing in it has been run natively yet.
pub(super) fn comparison(
    judge: &VersionJudge<'_>,
    entries: Entries,
    config: &Config,
    judgement: Judgement,
    mut notes: Vec<String>,
) -> Comparison {
    notes.extend(judgement.notes);
    let Pairs { identical, proved, differing, unasked, open, .. } = judgement.pairs;
    let errors = |errors: Vec<FoundError>| -> Vec<ErrorChange> { errors.into_iter().map(error).collect() };
    let mut comparison = Comparison {
        entry: judge.new.program.functions[entries.new].name.clone(),
        old_entry: judge.old.program.functions[entries.old].name.clone(),
        sameness: Sameness::Same,
        differences: judgement.witnesses.into_iter().map(witness).collect(),
        introduced: errors(judgement.introduced),
        fixed: errors(judgement.fixed),
        preexisting: errors(judgement.preexisting),
        invalid: errors(judgement.invalid),
        taken: findings::taken(&config.inputs.reading),
        others: None,
        bounds: bounds(&judgement.bounds, &judgement.effort.needs, config, judgement.loops),
        reasons: judgement.undecided.iter().map(open_words).collect::<BTreeSet<_>>().into_iter().collect(),
        notes,
        composed: judgement.composed,
        unchanged: judgement.unchanged,
        partial: judgement.partial,
        only_missed: !judgement.undecided.is_empty()
            && judgement.undecided.iter().all(|reason| matches!(reason, OpenReason::Missed { .. })),
        not_passed: None,
        open_parts: judgement.open_parts.into_iter().collect(),
        contradicted: judgement.contradicted,
        threads: judgement.threads.map(threads),
        pairs: PairCounts { identical, proved, differing, unasked, open },
        effort: ComparisonEffort {
            paths: judgement.effort.leading,
            states: judgement.effort.states,
            instructions: judgement.effort.instructions,
            queries: judgement.queries,
            time_ms: 0.0,
        },
    };
    if !judge.settings.errors {
        leave_out_errors(&mut comparison);
    }
    comparison
}

/// The verdict that what is left makes.
pub(super) fn settle(comparison: &mut Comparison) {
    let races = comparison.threads.as_ref().is_some_and(|threads| !threads.introduced.is_empty());
    let differs = !comparison.differences.is_empty()
        || !comparison.introduced.is_empty()
        || !comparison.fixed.is_empty()
        || races;
    let (open, bounded) = (!comparison.reasons.is_empty(), !comparison.bounds.is_empty());
    comparison.sameness = Sameness::of(differs, open, bounded);
}

/// Why nothing is known of a change that only inputs may meet which are left out.
const NOT_MET_AS_TAKEN: &str = "no path meets the change on inputs as taken, and of others it could not be told \
                                (--inputs any looks at all alike)";

/// What inputs were taken to be may keep all paths from the change: that says nothing of it, unless others tell.
pub(super) fn leave_open_if_unmet(comparison: &mut Comparison, others: &Comparison) {
    let unmet = comparison.sameness == Sameness::Same && comparison.pairs.all() == 0 && !comparison.unchanged;
    let silent = others.differences.is_empty() && others.introduced.is_empty() && others.fixed.is_empty();
    if unmet && silent && others.sameness != Sameness::Same {
        comparison.reasons.push(NOT_MET_AS_TAKEN.to_owned());
        settle(comparison);
    }
}

/// Why something is open, in the words of the options that have to do with it.
fn open_words(reason: &OpenReason) -> String {
    match reason {
        OpenReason::Stopped { limit, left: None } => of_stop(*limit),
        OpenReason::Stopped { limit, left: Some(left) } => {
            format!("{} with {left} states left", of_stop(*limit))
        }
        OpenReason::NothingNew { .. } | OpenReason::ShortTime { .. } | OpenReason::TooSlow { .. } => {
            format!("{reason}: --max-time goes on")
        }
        OpenReason::Missed { place, bounds, .. } if !bounds.is_empty() => {
            let flags: Vec<String> = bounds.iter().map(|bound| format!("--{bound}")).collect();
            format!("nothing that was compared came by {place}: paths were cut by {}", flags.join(", "))
        }
        OpenReason::Missed { .. }
        | OpenReason::NothingMeets { .. }
        | OpenReason::OnlyInvalid { .. }
        | OpenReason::GaveUp { .. } => reason.to_string(),
        OpenReason::Other(words) => words.clone(),
    }
}

/// The user does not want to see errors: paths that end in one have nothing else to compare.
fn leave_out_errors(comparison: &mut Comparison) {
    let fails = |witness: &Witness| {
        witness.values.is_empty()
            && [&witness.old, &witness.new].iter().any(|path| matches!(path.outcome, Outcome::Error(_)))
    };
    let before = comparison.differences.len();
    comparison.differences.retain(|witness| !fails(witness));
    let errors = comparison.introduced.len() + comparison.fixed.len() + before - comparison.differences.len();
    comparison.introduced.clear();
    comparison.fixed.clear();
    comparison.preexisting.clear();
    if let Some(threads) = &mut comparison.threads {
        threads.introduced.clear();
        threads.fixed.clear();
        threads.preexisting.clear();
    }
    if errors > 0 {
        let note = "where one version ends in an error they are not compared (--observe leaves errors out)";
        comparison.notes.push(note.to_owned());
    }
}

fn witness(found: Found) -> Witness {
    Witness {
        group: 0,
        old: findings::path(found.old, 0),
        new: findings::path(found.new, 0),
        values: found.values.into_iter().map(value).collect(),
        place: found.location.as_ref().map(findings::place),
        endless: found.endless,
        indeterminate: found.indeterminate,
        special: found.special,
        replayed: false,
        ran: false,
        replay_note: None,
        old_way: found.ways.0.map(way).unwrap_or_default(),
        new_way: found.ways.1.map(way).unwrap_or_default(),
        only: found.only.map(|only| Only {
            new: only.version == Version::New,
            executions: only.executions,
            outcomes: only.outcomes,
        }),
    }
}

fn way(found: Way) -> WitnessWay {
    let branch = |each: WitnessBranch| WayBranch {
        text: each.text,
        place: each.position.as_ref().map(findings::place),
        affected: each.affected,
    };
    WitnessWay {
        branches: found.branches.into_iter().map(branch).collect(),
        affected: found.affected.iter().map(findings::place).collect(),
    }
}

fn threads(found: ThreadsFound) -> ComparedThreads {
    let races = |races: Vec<incise_exec::Race>| {
        let change = |race| RaceChange { race: findings::race(race), ..RaceChange::default() };
        races.into_iter().map(change).collect()
    };
    ComparedThreads {
        executions: found.executions,
        outcomes: found.outcomes,
        introduced: races(found.introduced),
        fixed: races(found.fixed),
        preexisting: races(found.preexisting),
    }
}

fn value(found: DifferingValue) -> ChangedValue {
    ChangedValue {
        name: found.name,
        kind: match found.seen {
            Seen::Result => ValueKind::Result,
            Seen::Global => ValueKind::Global,
            Seen::Memory => ValueKind::Memory,
            Seen::Output => ValueKind::Stdout,
            Seen::ErrorOutput => ValueKind::Stderr,
            Seen::File => ValueKind::File,
            Seen::Status => ValueKind::Status,
            Seen::Call => ValueKind::Calls,
        },
        old: findings::value(found.old),
        new: findings::value(found.new),
    }
}

fn error(found: FoundError) -> ErrorChange {
    let frame = |frame: incise_exec::StackFrame| Frame {
        function: frame.function,
        place: frame.position.as_ref().map(findings::place),
    };
    ErrorChange {
        kind: found.kind,
        message: found.message,
        place: found.position.as_ref().map(findings::place),
        stack: found.stack.into_iter().map(frame).collect(),
        witness: witness(found.witness),
    }
}

/// The limits that cut paths in the order of their names, those of inputs one by one.
fn bounds(limits: &BTreeSet<LimitKind>, needs: &Needs, config: &Config, loops: u64) -> Vec<Bound> {
    let mut limits: Vec<LimitKind> = limits.iter().copied().collect();
    limits.sort_by_key(|limit| limit.name());
    let mut bounds = Vec::new();
    for limit in limits {
        let about = needs.bounds().into_iter().filter(|bound| bound.limit == limit);
        let before = bounds.len();
        bounds.extend(about);
        if bounds.len() == before {
            bounds.push(bound(limit, config, loops));
        }
    }
    bounds
}

fn bound(limit: LimitKind, config: &Config, loops: u64) -> Bound {
    let limits = &config.limits;
    let value = match limit {
        LimitKind::Loop => Some(limits.loop_iterations.max(loops)),
        LimitKind::Depth => Some(limits.depth),
        LimitKind::Instructions => Some(limits.instructions.min(LONGEST)),
        LimitKind::Stack => Some(limits.stack.min(DEEPEST)),
        LimitKind::PointerDepth => Some(u64::from(config.inputs.pointer_depth)),
        LimitKind::ObjectSize => Some(limits.symbolic_object),
        LimitKind::CopySize => Some(limits.symbolic_copy),
        _ => None,
    };
    Bound { limit, value, input: None, unit: None }
}
