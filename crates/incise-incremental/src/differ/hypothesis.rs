//! Proofs beyond bounds: calls that both versions make alike need not be looked into.
//!
//! A function that depends on nothing but its arguments and changes nothing gives the same result for the same
//! arguments. So where such a function did not change, its result is any value, the same in both versions, as long as
//! both make the same calls with the same arguments in the same order; the comparison checks that they do. That leaves
//! out its loops and its recursion.
//!
//! The same holds for the functions that are compared, where they call themselves: that their results agree for the
//! same arguments is the hypothesis of an induction over the calls, which is sound because both versions make the same
//! calls: either both end or neither does (Godlin and Strichman, "Regression verification: proving the equivalence of
//! similar programs", 2013).
//!
//! What does not agree under these assumptions may still agree without them: it is not proved, and that is all.

use super::leading_paths::LeadingPaths;
use super::{LONGEST, Question, assumed_away};
use incise_change::Effects;
use incise_exec::{
    Config, ExploreError, Externals, FullExploration, Hooks, Satisfiable, Session, Strategy, Work,
};
use incise_ir::{FunctionId, Program};
use incise_relate::{Concerned, Effort, Party, Relation, Visible};
use std::collections::BTreeSet;

/// Of the time that there is, so much is left to others if a proof is in vain.
const PART_OF_TIME: u32 = 6;
/// A proof is worth so much work.
const PROVING: Work = Work::about_milliseconds(5_000);

/// The functions that are not looked into, by what both versions call them.
pub(super) struct Assumed {
    pub(super) old: Vec<(String, String)>,
    pub(super) new: Vec<(String, String)>,
}

impl Assumed {
    /// Those that have loops or recursion; `None` if there are none.
    pub(super) fn new(question: &Question<'_>) -> Option<Self> {
        let Question { old: (old, old_config), new: (new, new_config), .. } = *question;
        // The hypothesis is about results, bit for bit.
        if !question.visible.result || question.visible.float_tolerance.is_some() {
            return None;
        }
        let entries = (old.function_named(&old_config.entry)?, new.function_named(&new_config.entry)?);
        let same_program = std::ptr::eq(old, new);
        let made;
        let after = match question.impact.and_then(|impact| impact.effects.as_ref()) {
            Some(effects) => effects,
            None => {
                let both = [entries.1, entries.0];
                made = Effects::for_entries(new, false, if same_program { &both } else { &both[..1] });
                &made
            }
        };
        let mut assumed = Self { old: Vec::new(), new: Vec::new() };
        let alike = old.functions[entries.0].parameters.len() == new.functions[entries.1].parameters.len();
        let is_candidate = alike && after.is_recursive(entries.1) && is_pure(new, after, entries.1);
        if is_candidate && is_pure_recursion(old, entries.0) {
            assumed.old.push((old_config.entry.clone(), new_config.entry.clone()));
            assumed.new.push((new_config.entry.clone(), new_config.entry.clone()));
        }
        let changed: BTreeSet<FunctionId> = match question.impact {
            Some(impact) => {
                let mut changed = impact.versions.calls_changed(old, new);
                changed.extend(impact.versions.changed_new());
                changed
            }
            None if same_program => BTreeSet::new(),
            None => new.functions.ids().collect(),
        };
        for id in after.reachable(entries.1) {
            let function = &new.functions[id];
            let named = |program: &Program| program.function_named(&function.name);
            let other = match (question.impact, same_program) {
                (Some(impact), _) => impact.versions.old_of(id),
                (None, true) => Some(id),
                (None, false) => None,
            };
            let Some(other) = other.filter(|_| !changed.contains(&id) && named(new) == Some(id)) else {
                continue;
            };
            let repeats = after.is_recursive(id) || has_loop(new, after, id);
            let entry = id == entries.1 || other == entries.0;
            if function.is_definition() && repeats && !entry && is_pure(new, after, id) {
                let before = &old.functions[other].name;
                assumed.old.push((before.clone(), function.name.clone()));
                assumed.new.push((function.name.clone(), function.name.clone()));
            }
        }
        (!assumed.new.is_empty()).then_some(assumed)
    }

    /// A configuration in which they are not looked into.
    pub(super) fn config(config: &Config, assumed: &[(String, String)]) -> Config {
        let mut config = config.clone();
        config.opaque = assumed.to_vec();
        config.externals = Externals::Recorded;
        config.limits.instructions = config.limits.instructions.min(LONGEST);
        config.limits.use_part_of_time(PART_OF_TIME);
        config.limits.give_up_after(PROVING);
        config
    }
}

/// Whether two versions do the same, if the assumed functions do: the effort that the proof took.
pub(super) fn proved(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    assumed: &Assumed,
) -> Result<Option<Effort>, ExploreError> {
    let old_config = Assumed::config(question.old.1, &assumed.old);
    let new_config = Assumed::config(question.new.1, &assumed.new);
    let mut lead = question.subjects.map(|(_, new)| LeadingPaths::new(new, None, None));
    let (mut full, mut following) = (FullExploration, FullExploration);
    let leading: &mut dyn Strategy = match &mut lead {
        Some(lead) => lead,
        None => &mut full,
    };
    let mut session = Session::new(&new_config, &hooks.interrupt).with_time_of(&new_config);
    let leading = Party { program: question.new.0, config: &new_config, strategy: leading };
    let following = Party { program: question.old.0, config: &old_config, strategy: &mut following };
    let mut relation = Relation::new(&mut session, leading, following, hooks)?;
    let visible = Visible { calls: true, ..question.visible };
    while let Some(mut pair) = relation.next(&mut session) {
        match assumed_away(&pair) {
            Some(true) => continue,
            Some(false) => return Ok(None),
            None => {}
        }
        let (new, old) = (&pair.leading.outcome, &pair.following.outcome);
        if new.is_cut() || old.is_cut() || !old.ends_like(new) {
            return Ok(None);
        }
        let compared = relation.compare(&mut session, &mut pair, visible, &Concerned::everything());
        if !compared.unsure.is_empty() {
            return Ok(None);
        }
        let conditions: Vec<_> = compared.leaves.iter().map(|leaf| leaf.differs).collect();
        let any = session.any(&conditions);
        match session.satisfiable(&pair.conditions, any, &pair.assignment) {
            Satisfiable::No => {}
            Satisfiable::Yes(_) | Satisfiable::Unknown(_) => return Ok(None),
        }
    }
    let effort = relation.effort();
    let all = effort.limits.is_empty() && effort.abandoned == 0 && effort.diverged == 0;
    Ok((all && effort.concretised.is_empty()).then_some(effort))
}

fn is_pure_recursion(program: &Program, function: FunctionId) -> bool {
    let effects = Effects::for_entries(program, false, &[function]);
    effects.is_recursive(function) && is_pure(program, &effects, function)
}

/// Whether a function depends on nothing but its arguments and changes nothing.
fn is_pure(program: &Program, effects: &Effects, function: FunctionId) -> bool {
    let summary = effects.summary(function);
    let plain = summary.reads.is_empty()
        && summary.writes.is_empty()
        && !summary.reads_memory
        && !summary.writes_memory
        && !summary.unknown;
    let definition = &program.functions[function];
    let types = &program.types;
    let scalar = |ty| types.scalar_bits(ty).is_some() && !matches!(types.get(ty), incise_ir::Type::Pointer);
    let arguments = definition.parameters.iter().all(|parameter| scalar(parameter.ty));
    // What has no body may write output.
    let bodies = effects.reachable(function).into_iter().all(|each| program.functions[each].is_definition());
    plain && scalar(definition.result) && arguments && bodies
}

/// Whether a function, or one that it calls, has a loop.
fn has_loop(program: &Program, effects: &Effects, function: FunctionId) -> bool {
    let loops = |id: FunctionId| {
        let body = &program.functions[id];
        if !body.is_definition() {
            return false;
        }
        let graph = incise_ir::Cfg::new(body);
        let back = |&from: &incise_ir::BlockId| {
            graph.successors(from).iter().any(|&to| graph.order(to) <= graph.order(from))
        };
        graph.reverse_postorder().iter().any(back)
    };
    let mut all = effects.reachable(function);
    all.push(function);
    all.into_iter().any(loops)
}
