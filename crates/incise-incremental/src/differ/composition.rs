//! Function by function: an entry whose changed functions all do the same by themselves does the same, and is not
//! explored.
//!
//! Which functions these are, and that all their inputs and effects are in sight, is known statically
//! ([`incise_change::Composition`], where the conditions are told). Here each is compared from its own entry, for any
//! values of its parameters and of the variables that it touches. The proof counts if it is whole: every path of both
//! versions came to its end and leaves the same behind, bit by bit, or ends in an error of the same kind, and no limit,
//! no doubt and no assumption was met. An error that both versions have is the same from the entry, too, if that comes
//! to it; whoever reads the verdict wants to be told, so that then the entry is explored for a while all the same.

use super::{Judgement, Question, Sameness, differ};
use incise_change::Composition;
use incise_exec::{
    Config, ExploreError, Externals, Given, GivenValue, Hooks, InputConfig, InputOrigin, SymbolicGlobals,
    Work,
};
use incise_ir::{Function, FunctionId, Type};
use incise_relate::Visible;
use std::collections::BTreeSet;

/// Of the time that there is, so much is left to others if a proof is in vain.
const PART_OF_TIME: u32 = 8;
/// The proofs are worth so much work together.
pub(super) const PROVING: Work = Work::about_milliseconds(5_000);

/// So many of the inputs on which a function differs are used.
const MOST_WITNESSES: usize = 4;
/// So many inputs of the entry are tried.
const MOST_GUESSES: usize = 32;

/// What is known of the changed functions by themselves.
pub(super) enum ComposedFound {
    /// They all do the same.
    Proved(Box<Composed>),
    /// One of them does not: inputs of the entry that may come to where it shows.
    Differs(Vec<Given>),
    /// Nothing that helps.
    Nothing,
}

/// What was proved function by function.
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
        if matches!(explored.verdict, Sameness::Same | Sameness::Differs) {
            return explored;
        }
        let mut judgement = self.judgement;
        judgement.preexisting = explored.preexisting;
        judgement.contradicted |= explored.contradicted;
        judgement.notes.insert(
            "errors that both versions have where the functions are called are told as far as they were found".into(),
        );
        judgement
    }
}

/// Compares each changed function that an entry reaches by itself, if that can help.
pub(super) fn compared(question: &Question<'_>, hooks: &Hooks<'_>) -> Result<ComposedFound, ExploreError> {
    let Question { old: (old, old_config), new: (new, new_config), .. } = *question;
    let Some(impact) = question.impact else { return Ok(ComposedFound::Nothing) };
    let named = (old.function_named(&old_config.entry), new.function_named(&new_config.entry));
    let (Some(before), Some(after)) = named else { return Ok(ComposedFound::Nothing) };
    let Ok(composition) = Composition::new((old, new), &impact.versions, (before, after)) else {
        return Ok(ComposedFound::Nothing);
    };
    let (start, most) = (Work::done(), new_config.limits.worth(PROVING));
    let (mut judgement, mut fails) = (Judgement::same(), false);
    for part in &composition.changed {
        let left = most.minus(Work::since(start));
        let configs = (
            alone(old_config, &old.functions[part.old], &part.variables, left),
            alone(new_config, &new.functions[part.new], &part.variables, left),
        );
        let visible = Visible::default();
        let by_itself = Question {
            old: (old, &configs.0),
            new: (new, &configs.1),
            subjects: None,
            impact: None,
            visible,
            all_ways: false,
            loops_grow: false,
            watched: None,
        };
        let found = differ(&by_itself, hooks)?;
        tracing::debug!(function = new.functions[part.new].name, verdict = ?found.verdict, "compared by itself");
        if found.verdict == Sameness::Differs {
            return Ok(ComposedFound::Differs(guesses(question, after, &new.functions[part.new], &found)));
        }
        if !is_whole(&found) {
            return Ok(ComposedFound::Nothing);
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
    Ok(match judgement.composed.is_empty() {
        true => ComposedFound::Nothing,
        false => ComposedFound::Proved(Box::new(Composed { judgement, fails })),
    })
}

/// Inputs of an entry with the numbers on which a function that it reaches differs: often they are passed on as they
/// are. Whoever tries them sees whether they show anything; inputs that the user fixed stay as they are.
fn guesses(question: &Question<'_>, entry: FunctionId, part: &Function, found: &Judgement) -> Vec<Given> {
    let program = question.new.0;
    let entry = &program.functions[entry];
    let number = |bytes: &[u8]| {
        let negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
        let mut all = [if negative { 0xff } else { 0 }; 16];
        all[..bytes.len().min(16)].copy_from_slice(&bytes[..bytes.len().min(16)]);
        GivenValue::Integer(i128::from_le_bytes(all))
    };
    let integer = |ty| matches!(program.types.get(ty), Type::Integer(_));
    let mut guesses = Vec::new();
    for witness in found.witnesses.iter().take(MOST_WITNESSES) {
        let (mut named, mut passed) = (Given::default(), Vec::new());
        for input in witness.new.inputs.iter().flatten() {
            let parameter = match input.origin {
                InputOrigin::Parameter { index } => part.parameters.get(index as usize),
                _ => None,
            };
            let name = parameter.map_or(&input.name, |parameter| &parameter.name);
            if parameter.is_none_or(|parameter| integer(parameter.ty)) {
                named.elements.insert(name.clone(), number(&input.bytes));
            }
            passed.extend(parameter.filter(|parameter| integer(parameter.ty)).map(|_| number(&input.bytes)));
        }
        for own in entry.parameters.iter().filter(|own| integer(own.ty)) {
            for value in &passed {
                let mut guess = named.clone();
                guess.elements.insert(own.name.clone(), *value);
                guesses.push(guess);
            }
        }
        guesses.push(named);
    }
    guesses.truncate(MOST_GUESSES);
    guesses
}

/// How a function is explored by itself: with whatever a caller may pass and leave in the variables that it touches,
/// and not with what the entry is given. Parameters of both versions are the same by their position.
pub(super) fn alone(
    config: &Config,
    function: &Function,
    variables: &BTreeSet<String>,
    work: Work,
) -> Config {
    let mut config = config.clone();
    config.entry = function.name.clone();
    config.inputs = InputConfig {
        globals: SymbolicGlobals::Named(variables.iter().cloned().collect()),
        parameter_names: (0..function.parameters.len()).map(|index| Some(format!("#{index}"))).collect(),
        ..InputConfig::default()
    };
    config.externals = Externals::Error;
    config.limits.use_part_of_time(PART_OF_TIME);
    config.limits.work = Some(work);
    config
}

/// Whether a function does the same for all that it can be given, be it to fail in the same way, and nothing was left
/// out.
pub(super) fn is_whole(found: &Judgement) -> bool {
    found.verdict == Sameness::Same && !found.partial && found.effort.externals.is_empty()
}
