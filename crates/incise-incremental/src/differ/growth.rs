//! Larger inputs, as long as smaller ones do not tell.
//!
//! A comparison begins with small objects behind pointers and shallow data structures. What ends only because an input
//! was taken to be no larger is cut, and the comparison is begun again with more of that input, and of no other. What
//! was found is found: once the versions differ nothing is made larger, and a verdict on smaller inputs stands if
//! larger ones take too long.
//!
//! Where there are many paths, larger inputs are compared on programs whose branches are joined if they only choose
//! values (`incise_ir::join_branches`), in lockstep and with states merged at the heads of loops
//! (`Relation::go_in_lockstep`). An input on which these differ is run on the programs as they are, which then
//! tell what there is to tell.

use super::induction::Inductions;
use super::{Judgement, OpenReason, Question, Sameness, Unmet};
use super::{drawn_texts, longer};
use incise_exec::{Config, Deadline, ExploreError, Given, Hooks, LimitKind, Needs, Sizes, Work};
use std::time::Instant;

/// Larger inputs are worth so much work, unless all the time is to be used.
const GROWING: Work = Work::about_milliseconds(8_000);
/// So much as long as an input has fewer than [`SEVERAL`] elements: a verdict on these says little.
const GROWING_SMALL: Work = Work::about_milliseconds(20_000);
/// So much where something could not be told: what is too hard on small inputs is so on larger ones, and only a
/// difference could still settle it.
const GROWING_OPEN: Work = Work::about_milliseconds(10_000);
/// So much is a part of the change worth that nothing came by.
const GOING_ON: Work = Work::about_milliseconds(40_000);
/// So many elements are worth waiting for.
const SEVERAL: u64 = 16;
/// No more elements than this.
const MOST_ELEMENTS: u64 = 256;
/// Where no input is too small, loops are gone round so many times as often,
const MORE_TURNS: u64 = 4;
/// and no more often than this,
const MOST_TURNS: u64 = 1_024;
/// if what was compared before took at most one of so many parts of what is left.
const TURNS_PART: u32 = 16;
/// After a comparison of more pairs of paths than this there is no point in larger inputs.
const MOST_PAIRS: u64 = 20_000;

/// So much is it worth to find what comes by the change among inputs that were compared on joined programs.
const WITHIN: Work = Work::about_milliseconds(4_000);
/// After so much, a proof of turns in another arrangement is tried before larger inputs are: it takes less than these.
const BEFORE_PROOF: Work = Work::about_milliseconds(2_000);
/// On inputs with so many elements first.
const FIRST_SIZES: [u64; 2] = [4, 8];

/// Texts that are drawn are worth so much work where something could not be told,
const DRAWING: Work = Work::about_milliseconds(2_000);
/// and else one of so many parts of what was done.
const DRAWING_PART: u32 = 8;

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
    /// As they are, on paths that come by a part of the change.
    Towards(&'g Unmet),
    /// By a proof: what only inputs come by that it left out is looked for.
    Proved(&'g Judgement),
}

/// Compares on inputs that grow. `once` compares on inputs as the configurations say.
pub(super) fn grown(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    inductions: &Inductions,
    once: impl Fn(&Question<'_>, Way<'_>) -> Result<Judgement, ExploreError>,
) -> Result<Judgement, ExploreError> {
    let mut growth = Growth::new(question, hooks, inductions);
    let mut found = growth.whole(&once)?;
    let unmet = growth.is_unmet(&found);
    if unmet {
        // What is seen on texts need not be looked for.
        if let Some(drawn) = growth.drawn(&found)? {
            return Ok(settled(drawn));
        }
        found = growth.towards(found, &once)?;
    }
    let longer = match growth.longer(&found)? {
        None if !unmet => growth.drawn(&found)?,
        longer => longer,
    };
    let found = longer.unwrap_or(found);
    let proved = growth.proved_otherwise(&found, &once)?;
    Ok(settled(proved.unwrap_or(found)))
}

/// How far inputs have grown, and what there is to grow with.
struct Growth<'g> {
    question: &'g Question<'g>,
    hooks: &'g Hooks<'g>,
    inductions: &'g Inductions,
    start: Work,
    /// When all ends.
    end: Deadline,
    sizes: Sizes,
    loops: u64,
    /// How large inputs were when they were compared last with a verdict, and whether that was on joined programs.
    compared: (Sizes, bool),
    /// All that was too small at some time.
    needed: Needs,
}

impl<'g> Growth<'g> {
    fn new(question: &'g Question<'g>, hooks: &'g Hooks<'g>, inductions: &'g Inductions) -> Self {
        let sizes = question.new.1.inputs.sizes.clone();
        let end = question.new.1.limits.deadline();
        let compared = (sizes.clone(), false);
        let (start, needed) = (Work::done(), Needs::default());
        Self { question, hooks, inductions, start, end, sizes, loops: 0, compared, needed }
    }

    /// What the inputs are worth, more as long as they are small; no limit if all the time is to be used.
    fn most(&self, small: bool, verdict: Sameness) -> Option<Work> {
        let most = match verdict {
            Sameness::Undecided => GROWING_OPEN,
            _ if small => GROWING_SMALL,
            _ => GROWING,
        };
        (!self.question.all_ways).then(|| self.question.new.1.limits.worth(most))
    }

    /// What is left of so much work. What a proof took is no reason not to look at larger inputs.
    fn left(&self, most: Option<Work>) -> Option<Work> {
        let done = Work::since(self.start).minus(self.inductions.took());
        most.map(|most| most.minus(done))
    }

    /// When all ends, but for the time that is kept for longer inputs.
    fn end_but_kept(&self) -> Option<Instant> {
        let kept = longer::KEPT.min(self.question.new.1.limits.time / 4);
        self.end.time().and_then(|end| end.checked_sub(kept))
    }

    fn is_stopped(&self) -> bool {
        self.hooks.interrupt.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Lets loops be gone round more often; false if that is not wanted, or often enough. What counts a byte or goes
    /// through a table comes to its end then.
    fn turn_more_often(&mut self) -> bool {
        let turns = self.loops.max(self.question.new.1.limits.loop_iterations);
        if !self.question.loops_grow || turns >= MOST_TURNS {
            return false;
        }
        self.loops = turns * MORE_TURNS;
        true
    }

    /// Makes larger what was too small; false if nothing can be.
    fn grow(&mut self, needs: &Needs) -> bool {
        if !self.sizes.grow(needs, MOST_ELEMENTS) {
            return false;
        }
        // Whoever goes over an array goes round a loop once for each element, and once more to see that it is over.
        let largest = needs.elements.keys().map(|input| self.sizes.elements(input, true)).max();
        self.loops = self.loops.max(largest.unwrap_or(0) + 1);
        true
    }

    /// A configuration with the inputs as large as they are now.
    fn config(&self, config: &Config, work: Option<Work>) -> Config {
        let mut config = config.clone();
        config.inputs.sizes = self.sizes.clone();
        config.limits.work = work;
        config.limits.end = self.end.time();
        if self.question.loops_grow {
            config.limits.loop_iterations = config.limits.loop_iterations.max(self.loops);
        }
        config
    }

    /// The same for both versions.
    fn configs(&self, work: Option<Work>) -> [Config; 2] {
        [self.question.old.1, self.question.new.1].map(|config| self.config(config, work))
    }

    /// The question with other configurations.
    fn asked<'c>(&self, [old, new]: &'c [Config; 2]) -> Question<'c>
    where
        'g: 'c,
    {
        Question { old: (self.question.old.0, old), new: (self.question.new.0, new), ..*self.question }
    }

    /// Compares on all inputs of a size, then of a larger one.
    fn whole(
        &mut self,
        once: &impl Fn(&Question<'_>, Way<'_>) -> Result<Judgement, ExploreError>,
    ) -> Result<Judgement, ExploreError> {
        let (mut small, mut joined) = (true, false);
        let mut best: Option<Judgement> = None;
        loop {
            let left = match &best {
                None => self.question.new.1.limits.work,
                Some(best) => self.left(self.most(small, best.verdict)),
            };
            // Once there is a verdict, time is kept for what takes little and may still show a difference.
            let end = if best.is_some() { self.end_but_kept() } else { self.end.time() };
            let mut configs = self.configs(left);
            configs.iter_mut().for_each(|config| config.limits.end = end);
            let question = self.asked(&configs);
            let before = Work::done();
            let mut found = once(&question, if joined { Way::Joined } else { Way::Plain })?;
            let took = Work::since(before);
            if joined && found.verdict == Sameness::Differs {
                let inputs = inputs_of(&found);
                // The time that was kept is for this, too.
                let configs = self.configs(None);
                found = once(&self.asked(&configs), Way::From(&inputs))?;
                if found.verdict != Sameness::Differs {
                    found
                        .undecided
                        .insert("a difference on larger inputs was predicted, and not confirmed".into());
                    found.settle();
                    return Ok(found);
                }
            }
            let (pairs, undecided) = (found.effort.pairs, &found.undecided);
            let work = Work::since(self.start);
            tracing::debug!(verdict = ?found.verdict, pairs, joined, ?work, sizes = ?self.sizes.elements, ?undecided, needs=?found.effort.needs, "compared");
            found.loops = self.loops;
            let needs = found.effort.needs.clone();
            self.needed.extend(&needs);
            let pairs = found.effort.pairs;
            let differs = found.verdict == Sameness::Differs;
            let slow = found.undecided.iter().any(|reason| matches!(reason, OpenReason::TooSlow { .. }));
            if found.verdict == Sameness::WithinBounds {
                self.compared = (self.sizes.clone(), joined);
            }
            let open = found.bounds.iter().any(|bound| bound.is_of_inputs());
            let turning = found.verdict == Sameness::WithinBounds && found.bounds.contains(&LimitKind::Loop);
            let better = match best {
                None => found,
                Some(before) => combined(before, found),
            };
            let late = self.left(self.most(small, better.verdict)) == Some(Work::default())
                || self.end_but_kept().is_some_and(|end| Instant::now() >= end)
                || joined && pairs > MOST_PAIRS;
            // Where overflow is an error, what is done in vain might be one.
            let checked = [question.old.1, question.new.1].iter().any(|config| config.checks.overflow);
            let joinable = pairs > MANY_PAIRS && question.watched.is_none() && !checked;
            let over = differs || self.is_stopped() || self.end.passed().is_some();
            // Where there are so many paths that it would not end, joined programs may have few.
            if slow && joinable && !joined && !over {
                (joined, best) = (true, Some(better));
                continue;
            }
            let worked = self.left(Some(BEFORE_PROOF)) == Some(Work::default());
            if !over
                && worked
                && let Some(proof) = self.proved_otherwise(&better, once)?
            {
                return Ok(proof);
            }
            if over || slow || late {
                return Ok(better);
            }
            if !(open && self.grow(&needs)) {
                let left = self.left(self.most(false, better.verdict));
                let cheap = left.is_none_or(|left| took.minus(left.part(TURNS_PART)) == Work::default());
                if !(turning && cheap && self.turn_more_often()) {
                    return Ok(better);
                }
            }
            small = needs.elements.values().any(|need| need.made < SEVERAL);
            joined |= joinable;
            best = Some(better);
        }
    }

    /// Whether a part of the change was not come by, and may be on larger inputs.
    fn is_unmet(&self, found: &Judgement) -> bool {
        let unmet = found.unmet.as_ref().is_some_and(|unmet| !unmet.is_empty());
        unmet && found.verdict == Sameness::WithinBounds
    }

    /// Where all inputs of a size were compared on joined programs, it is only open which of them come by what changed:
    /// it is looked for on the programs as they are, for a while. A judgement if that shows a difference.
    fn met_within(
        &mut self,
        best: &mut Judgement,
        once: &impl Fn(&Question<'_>, Way<'_>) -> Result<Judgement, ExploreError>,
    ) -> Result<Option<Judgement>, ExploreError> {
        let larger = std::mem::replace(&mut self.sizes, self.compared.0.clone());
        let most = self.compared.0.elements.values().copied().max().unwrap_or(0);
        // Small inputs have fewer paths, and they were compared as well as large ones.
        for elements in FIRST_SIZES.into_iter().filter(|&elements| elements < most).chain([most]) {
            let Some(unmet) = best.unmet.clone().filter(|unmet| !unmet.is_empty()) else { break };
            self.sizes = self.compared.0.at_most(elements);
            let configs = self.configs(Some(self.question.new.1.limits.worth(WITHIN)));
            let found = once(&self.asked(&configs), Way::Towards(&unmet))?;
            tracing::debug!(verdict = ?found.verdict, elements, "looked for what nothing came by");
            if found.verdict == Sameness::Differs {
                self.sizes = larger;
                return Ok(Some(found));
            }
            best.met_also(&found);
            if self.is_stopped() || self.end.passed().is_some() {
                break;
            }
        }
        self.sizes = larger;
        Ok(None)
    }

    /// Runs both versions on longer inputs of the kind that was cut; a judgement if that shows a difference.
    fn longer(&self, found: &Judgement) -> Result<Option<Judgement>, ExploreError> {
        let open = matches!(found.verdict, Sameness::WithinBounds | Sameness::Undecided);
        if !open || found.cut.is_empty() || self.is_stopped() {
            return Ok(None);
        }
        let configs = self.configs(Some(self.question.new.1.limits.worth(longer::TRYING)));
        longer::tried(&self.asked(&configs), self.hooks, &found.cut, &self.needed)
    }

    /// Runs both versions on texts that are drawn; a judgement if that shows a difference.
    fn drawn(&self, found: &Judgement) -> Result<Option<Judgement>, ExploreError> {
        let cut = found.bounds.iter().any(|bound| bound.is_of_inputs());
        let most = match found.verdict {
            Sameness::Undecided => self.question.new.1.limits.worth(DRAWING),
            Sameness::WithinBounds if self.is_unmet(found) => self.question.new.1.limits.worth(DRAWING),
            Sameness::WithinBounds if cut => Work::since(self.start).part(DRAWING_PART),
            _ => return Ok(None),
        };
        if self.is_stopped() || self.question.watched.is_some() {
            return Ok(None);
        }
        let configs = self.configs(Some(most));
        drawn_texts::tried(&self.asked(&configs), self.hooks, &found.cut, &self.needed, most)
    }

    /// A proof of loops whose turns are arranged in another way, where loops were cut or something is open.
    fn proved_otherwise(
        &self,
        found: &Judgement,
        once: &impl Fn(&Question<'_>, Way<'_>) -> Result<Judgement, ExploreError>,
    ) -> Result<Option<Judgement>, ExploreError> {
        let cut = |bound: &LimitKind| {
            matches!(bound, LimitKind::Loop | LimitKind::InputSize | LimitKind::Stack | LimitKind::CopySize)
        };
        let open = match found.verdict {
            Sameness::WithinBounds => found.bounds.iter().any(cut),
            Sameness::Undecided => true,
            Sameness::Same | Sameness::Differs => false,
        };
        if !open || self.is_stopped() || self.end.passed().is_some() {
            return Ok(None);
        }
        let mut configs = [self.question.old.1, self.question.new.1].map(Config::clone);
        configs.iter_mut().for_each(|config| config.limits.end = self.end.time());
        let question = self.asked(&configs);
        let Some(proof) = self.inductions.proved_otherwise(&question, self.hooks, &found.cut)? else {
            return Ok(None);
        };
        if proof.pairs.invalid == 0 {
            return Ok(Some(proof));
        }
        Ok(Some(once(&question, Way::Proved(&proof))?))
    }

    /// Goes on with what was not come by, as long as there is time. What was compared stays compared.
    fn towards(
        &mut self,
        mut best: Judgement,
        once: &impl Fn(&Question<'_>, Way<'_>) -> Result<Judgement, ExploreError>,
    ) -> Result<Judgement, ExploreError> {
        if self.compared.1
            && let Some(found) = self.met_within(&mut best, once)?
        {
            return Ok(found);
        }
        let end = self.end_but_kept();
        let (mut needs, mut grown) = (best.effort.needs.clone(), true);
        while let Some(unmet) = best.unmet.clone().filter(|unmet| !unmet.is_empty() && grown) {
            let most = (!self.question.all_ways).then(|| self.question.new.1.limits.worth(GOING_ON));
            let left = self.left(most);
            let late = end.is_some_and(|end| Instant::now() >= end);
            if left == Some(Work::default()) || late || self.is_stopped() {
                break;
            }
            let config = |config: &Config| {
                let mut config = self.config(config, left);
                config.limits.end = end;
                config
            };
            let (old, new) = (config(self.question.old.1), config(self.question.new.1));
            let (old, new) = ((self.question.old.0, &old), (self.question.new.0, &new));
            let found = once(&Question { old, new, ..*self.question }, Way::Towards(&unmet))?;
            tracing::debug!(verdict = ?found.verdict, pairs = found.effort.pairs, "went on to what nothing came by");
            if found.verdict == Sameness::Differs {
                return Ok(found);
            }
            if found.verdict != Sameness::Undecided {
                best.met_also(&found);
            }
            needs.extend(&found.effort.needs);
            grown = self.grow(&needs);
        }
        Ok(best)
    }
}

/// A verdict within bounds does not speak for a part of the change that nothing came by; none speaks for a part that
/// only inputs came by which were left out.
fn settled(mut found: Judgement) -> Judgement {
    let hidden = found.hidden.as_ref().filter(|hidden| !hidden.is_empty()).map(place);
    if let (Some(place), Sameness::Same | Sameness::WithinBounds) = (hidden, found.verdict) {
        found.undecided.insert(OpenReason::OnlyInvalid { place });
        found.settle();
        return found;
    }
    let unmet = found.unmet.as_ref().filter(|unmet| !unmet.is_empty()).map(place);
    let (Some(place), Sameness::WithinBounds) = (unmet, found.verdict) else { return found };
    let mut too_small = found.effort.needs.bounds();
    too_small.retain(|bound| bound.limit != LimitKind::OneSided);
    let cut = |limit: &&LimitKind| too_small.is_empty() && **limit != LimitKind::OneSided;
    let mut bounds: Vec<LimitKind> = found.bounds.iter().filter(cut).copied().collect();
    bounds.sort_by_key(|bound| bound.name());
    found.undecided.insert(OpenReason::Missed { place, too_small, bounds });
    found.settle();
    found
}

/// Where the parts of a change are.
fn place(parts: &Unmet) -> String {
    /// How many places are shown.
    const SHOWN: usize = 4;
    let lines = parts.lines();
    let shown = lines.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let more = match lines.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if lines.is_empty() { "a part of the change".to_owned() } else { shown + &more }
}

/// The inputs on which two versions were found to differ.
pub(super) fn inputs_of(found: &Judgement) -> Vec<Given> {
    let errors = found.introduced.iter().chain(&found.fixed).map(|error| &error.witness);
    found.witnesses.iter().chain(errors).map(longer::given_to_both).collect()
}

/// What two comparisons tell together, the second on larger inputs.
fn combined(before: Judgement, after: Judgement) -> Judgement {
    // Smaller inputs were compared whole, or at least more of them.
    let is_before = match (before.verdict, after.verdict) {
        (Sameness::WithinBounds, Sameness::Undecided) => !after.undecided.iter().any(OpenReason::is_not_seen),
        (Sameness::Undecided, Sameness::Undecided) => after.effort.pairs < before.effort.pairs,
        _ => false,
    };
    let (mut kept, other) = if is_before { (before, after) } else { (after, before) };
    // What the joined programs come by is not known, nor whether they left inputs out.
    kept.hidden = match (kept.hidden.take(), other.hidden) {
        (Some(mut kept), Some(other)) => {
            kept.keep_common(&other);
            Some(kept)
        }
        (kept, other) => kept.or(other),
    };
    kept.unmet = match (kept.unmet.take(), other.unmet) {
        (Some(mut kept), Some(other)) if !is_before => {
            kept.keep_common(&other);
            Some(kept)
        }
        (kept, other) => kept.or(other),
    };
    if kept.cut.is_empty() {
        kept.cut = other.cut;
    }
    kept.queries += other.queries;
    kept.effort.states += other.effort.states;
    kept.effort.instructions += other.effort.instructions;
    kept
}
