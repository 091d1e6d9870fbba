//! Larger inputs, as long as smaller ones do not tell.
//!
//! A comparison begins with small objects behind pointers and shallow data structures. What ends only because an input was taken to be no larger is cut, and the comparison is begun again with more of that input,
//! and of no other. What was found is found: once the versions differ nothing is made larger, and a verdict on smaller inputs stands if larger ones take too long.
//!
//! Where there are many paths, larger inputs are compared on programs whose branches are joined if they only choose values (`incise_ir::join_branches`). An input on which these differ is run on
//! the programs as they are, which then tell what there is to tell.

use super::induction::Inductions;
use super::{Judgement, Question, Verdict, Witness};
use incise_exec::{Config, ExploreError, Given, Hooks};
use std::time::{Duration, Instant};

/// For so long larger inputs are tried, unless all the time is to be used.
const GROWING: Duration = Duration::from_secs(8);
/// For so long as long as an input has fewer than [`SEVERAL`] elements: a verdict on these says little.
const GROWING_SMALL: Duration = Duration::from_secs(20);
/// So many elements are worth waiting for.
const SEVERAL: u64 = 16;
/// No more elements than this.
const MOST_ELEMENTS: u64 = 256;
/// After a comparison of more pairs of paths than this there is no point in larger inputs.
const MOST_PAIRS: u64 = 20_000;

/// After a comparison of more pairs of paths than this branches are joined.
const MANY_PAIRS: u64 = 8;

/// How programs are compared.
pub(super) enum Way<'g> {
    /// As they are.
    Plain,
    /// With branches joined that only choose values.
    Joined,
    /// As they are, on some inputs before all others.
    From(&'g [Given]),
}

/// The bounds that larger inputs move.
const OF_INPUTS: [&str; 3] = ["input-size", "pointer-depth", "apart"];

/// Compares on inputs that grow. `once` compares on inputs as the configurations say.
pub(super) fn grown(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    inductions: &Inductions,
    once: impl Fn(&Question<'_>, Way<'_>) -> Result<Judgement, ExploreError>,
) -> Result<Judgement, ExploreError> {
    let start = Instant::now();
    // What a proof took is no reason not to look at larger inputs.
    let elapsed = || start.elapsed().saturating_sub(inductions.took());
    let time = question.new.1.limits.time;
    let most = |small: bool| match (question.all_ways, small) {
        (true, _) => time,
        (false, true) => time.min(GROWING_SMALL),
        (false, false) => time.min(GROWING),
    };
    let mut small = true;
    let mut sizes = question.new.1.inputs.sizes.clone();
    let mut loops = 0;
    let mut best: Option<Judgement> = None;
    let mut joined = false;
    loop {
        let left = match best {
            None => time,
            Some(_) => most(small).saturating_sub(elapsed()),
        };
        let config = |config: &Config| {
            let mut config = config.clone();
            config.inputs.sizes = sizes.clone();
            config.limits.time = left;
            if question.loops_grow {
                config.limits.loop_iterations = config.limits.loop_iterations.max(loops);
            }
            config
        };
        let (old, new) = (config(question.old.1), config(question.new.1));
        let (old, new) = ((question.old.0, &old), (question.new.0, &new));
        let question = Question { old, new, ..*question };
        let mut found = once(&question, if joined { Way::Joined } else { Way::Plain })?;
        if joined && found.verdict == Verdict::Differs {
            let inputs = inputs_of(&found);
            found = once(&question, Way::From(&inputs))?;
            if found.verdict != Verdict::Differs {
                found
                    .undecided
                    .insert("a difference on larger inputs was predicted, and not confirmed".into());
                found.settle();
                return Ok(found);
            }
        }
        found.loops = loops;
        let needs = found.effort.needs.clone();
        let pairs = found.effort.pairs;
        let differs = found.verdict == Verdict::Differs;
        let open = found.bounds.iter().any(|bound| OF_INPUTS.contains(&bound.as_str()));
        let better = match best {
            None => found,
            Some(before) => combined(before, found),
        };
        let stopped = hooks.interrupt.load(std::sync::atomic::Ordering::Relaxed);
        let late = elapsed() >= most(small) || start.elapsed() >= time || joined && pairs > MOST_PAIRS;
        if differs || !open || stopped || late || !sizes.grow(&needs, MOST_ELEMENTS) {
            return Ok(better);
        }
        // Whoever goes over an array goes round a loop once for each element, and once more to see that it is over.
        let largest = needs.elements.keys().map(|input| sizes.elements(input, true)).max();
        loops = loops.max(largest.unwrap_or(0) + 1);
        small = needs.elements.values().any(|need| need.made < SEVERAL);
        // Where overflow is an error, what is done in vain might be one.
        let checked = [question.old.1, question.new.1].iter().any(|config| config.checks.overflow);
        joined |= pairs > MANY_PAIRS && !question.all_ways && !checked;
        best = Some(better);
    }
}

/// The inputs on which two versions were found to differ.
fn inputs_of(found: &Judgement) -> Vec<Given> {
    let errors = found.introduced.iter().chain(&found.fixed).map(|error| &error.witness);
    let given = |witness: &Witness| Given {
        bytes: witness
            .new
            .inputs
            .iter()
            .flatten()
            .map(|each| (each.name.clone(), each.bytes.clone()))
            .collect(),
        ..Given::default()
    };
    found.witnesses.iter().chain(errors).map(given).collect()
}

/// What two comparisons tell together, the second on larger inputs.
fn combined(before: Judgement, after: Judgement) -> Judgement {
    let (mut kept, other) = match (before.verdict, after.verdict) {
        // Smaller inputs were compared whole.
        (Verdict::SameWithinBounds, Verdict::Undecided) => (before, after),
        _ => (after, before),
    };
    kept.queries += other.queries;
    kept.effort.states += other.effort.states;
    kept.effort.instructions += other.effort.instructions;
    kept
}
