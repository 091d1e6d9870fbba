//! Function by function: an entry whose changed functions all do the same by themselves does the same, and is not explored.
//!
//! Which functions these are, and that all their inputs and effects are in sight, is known statically ([`incise_change::Composition`], where the conditions are told). Here each is compared from its own entry, for any values of its parameters
//! and of the variables that it touches. The proof counts if it is whole: every path of both versions came to its end and leaves the same behind, bit by bit, or ends in an error of the same kind, and no limit, no doubt and no assumption was met. An error that both
//! versions have is the same from the entry, too, if that comes to it; whoever reads the verdict wants to be told, so that then the entry is explored for a while all the same.

use super::{Judgement, Question, Verdict, differ};
use incise_change::{Composition, Part};
use incise_exec::{Config, ExploreError, Externals, Hooks, InputConfig, SymbolicGlobals, Visible};
use incise_ir::Function;
use std::time::{Duration, Instant};

/// How long the proofs may take together, at most.
pub(super) const PROVING: Duration = Duration::from_secs(5);
/// The part of the time that there is.
const SHARE: u32 = 8;

/// What was found function by function.
pub(super) struct Composed {
    /// What is to be said of the entry.
    pub(super) judgement: Judgement,
    /// Whether one of the functions ends in an error on some input, in both versions alike: the entry may come to it.
    pub(super) fails: bool,
}

impl Composed {
    /// The verdict with the errors that an exploration from the entry found, if that did not decide it.
    pub(super) fn with_errors_of(self, explored: Judgement) -> Judgement {
        // A difference would show that something was not understood: it is not hidden.
        if matches!(explored.verdict, Verdict::Same | Verdict::Differs) {
            return explored;
        }
        let mut judgement = self.judgement;
        judgement.preexisting = explored.preexisting;
        judgement.notes.insert(
            "errors that both versions have where the functions are called are told as far as they were found".into(),
        );
        judgement
    }
}

/// What is to be said of an entry if each changed function that it reaches does the same by itself; `None` if that is not proved.
pub(super) fn proved(question: &Question<'_>, hooks: &Hooks<'_>) -> Result<Option<Composed>, ExploreError> {
    let Question { old: (old, old_config), new: (new, new_config), .. } = *question;
    let Some(impact) = question.impact else { return Ok(None) };
    let named = (old.function_named(&old_config.entry), new.function_named(&new_config.entry));
    let (Some(before), Some(after)) = named else { return Ok(None) };
    let Ok(composition) = Composition::new((old, new), &impact.versions, (before, after)) else {
        return Ok(None);
    };
    let until = Instant::now() + PROVING.min(new_config.limits.time / SHARE);
    let (mut judgement, mut fails) = (Judgement::same(), false);
    for part in &composition.changed {
        let left = until.saturating_duration_since(Instant::now());
        let configs = (
            alone(old_config, &old.functions[part.old], part, left),
            alone(new_config, &new.functions[part.new], part, left),
        );
        let visible = Visible::default();
        let question = Question {
            old: (old, &configs.0),
            new: (new, &configs.1),
            subjects: None,
            impact: None,
            visible,
            all_ways: false,
        };
        let found = differ(&question, hooks)?;
        if !is_whole(&found) {
            return Ok(None);
        }
        fails |= !found.preexisting.is_empty();
        judgement.pairs.identical += found.pairs.identical;
        judgement.pairs.proved += found.pairs.proved;
        judgement.queries += found.queries;
        judgement.effort.leading += found.effort.leading;
        judgement.effort.pairs += found.effort.pairs;
        judgement.effort.states += found.effort.states;
        judgement.effort.instructions += found.effort.instructions;
        judgement.notes.extend(found.notes);
        judgement.composed.push(configs.1.entry);
    }
    Ok((!judgement.composed.is_empty()).then_some(Composed { judgement, fails }))
}

/// How a function is explored by itself: with whatever a caller may pass and leave in the variables that it touches, and not with what the entry is given. Parameters of both versions are the same by their position.
fn alone(config: &Config, function: &Function, part: &Part, time: Duration) -> Config {
    let mut config = config.clone();
    config.entry = function.name.clone();
    config.inputs = InputConfig {
        globals: SymbolicGlobals::Named(part.variables.iter().cloned().collect()),
        parameter_names: (0..function.parameters.len()).map(|index| Some(format!("#{index}"))).collect(),
        ..InputConfig::default()
    };
    config.externals = Externals::Error;
    config.limits.time = time;
    config
}

/// Whether a function does the same for all that it can be given, be it to fail in the same way, and nothing was left out.
fn is_whole(found: &Judgement) -> bool {
    found.verdict == Verdict::Same && !found.partial && found.effort.externals.is_empty()
}
