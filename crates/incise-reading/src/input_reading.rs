//! What the inputs of an entry are taken to be: what is inferred from the program, what the user says, and what two
//! versions have in common.

use crate::enumerations;
use crate::matched_parameters::matched_parameters;
use crate::new_members::new_members;
use crate::{Contracts, Reading, Source, Taken, What, infer};
use incise_ir::parameters::parameter_names;
use incise_ir::{FunctionId, Program};
use std::collections::BTreeSet;

/// Which inputs count.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Inputs {
    /// Those that the code shows it was made for: strings that end, lengths that fit, pointers that are there.
    #[default]
    Natural,
    /// All that the types allow.
    Any,
}

/// How the inputs of entries are read.
#[derive(Clone, Debug, Default)]
pub struct InputReading {
    /// Which inputs count.
    pub inputs: Inputs,
    /// What the user says, for the entry or for functions by their names.
    pub contracts: Contracts,
    /// The symbols of the variables that have their initial values: there is nothing to take of them.
    pub initial: BTreeSet<String>,
}

impl InputReading {
    /// What the inputs of a function are taken to be.
    pub fn reading(&self, program: &Program, entry: FunctionId) -> Reading {
        let name = &program.functions[entry].name;
        let mut inferred = match self.inputs {
            Inputs::Natural if name != "main" => infer(program, entry, &self.initial),
            Inputs::Any if name != "main" => only_streams(infer(program, entry, &self.initial)),
            Inputs::Natural | Inputs::Any => Reading::default(),
        };
        inferred.parts.retain(is_safe);
        inferred.with(&self.contracts.of(name))
    }

    /// What the inputs of a function in two versions are taken to be, with the names that they have in the new one.
    /// The old version is the specification. That a pointer is null means something once one of them asks for it.
    pub fn common(
        &self,
        (old_program, old): (&Program, FunctionId),
        (new_program, new): (&Program, FunctionId),
        old_names: &[Option<String>],
    ) -> Reading {
        let own =
            |number: usize| parameter_names(old_program, &old_program.functions[old]).get(number).cloned();
        let renamed =
            old_names.iter().enumerate().filter_map(|(number, new)| Some((own(number)?, new.clone()?)));
        let mut reading = self.reading(old_program, old).renamed(&renamed.collect());
        let after = self.reading(new_program, new);
        // An enumerator that one version does not have is what the change is about.
        let same_enumerators =
            enumerations::enumerators(old_program) == enumerations::enumerators(new_program);
        reading.parts.retain(|taken| {
            let said = taken.evidence.source == Source::Contract;
            let restricted = match taken.what {
                What::NotNull => !after.is_checked(&taken.input),
                What::Enumerator => same_enumerators && !after.is_checked(&taken.input),
                _ => true,
            };
            said || restricted
        });
        // What is in the file of a stream matters if one of the versions looks.
        let is_read = |input: &str| after.of(input).any(|what| *what == What::Stream { empty: false });
        for taken in &mut reading.parts {
            if taken.what == (What::Stream { empty: true }) && is_read(&taken.input) {
                taken.what = What::Stream { empty: false };
            }
        }
        if self.inputs == Inputs::Natural {
            let known = |taken: &Taken| reading.parts.iter().any(|other| other.input == taken.input);
            let new = new_members(old_program, (new_program, new), &after);
            let new: Vec<Taken> = new.into_iter().filter(|taken| !known(taken)).collect();
            reading.parts.extend(new);
        }
        // What the user says of the new version counts as well.
        for taken in after.parts {
            if taken.evidence.source == Source::Contract && !reading.parts.contains(&taken) {
                reading.parts.push(taken);
            }
        }
        reading.checked.extend(after.checked);
        reading
    }

    /// What the inputs of an entry are taken to be where NEW is explored: what they are in both versions, or in NEW if
    /// OLD does not have it.
    pub fn of_versions(&self, old: &Program, new: &Program, entry: &str) -> Reading {
        let Some(of_new) = new.function_named(entry) else { return Reading::default() };
        match old.function_named(entry).filter(|&of_old| old.functions[of_old].is_definition()) {
            Some(of_old) => {
                let matched = matched_parameters(old, of_old, new, of_new);
                self.common((old, of_old), (new, of_new), &matched.old_names)
            }
            None => self.reading(new, of_new),
        }
    }
}

/// A reading that leaves no input out, for those that are given: they are what they are.
pub fn as_given(reading: &Reading) -> Reading {
    let added = |taken: &&Taken| !taken.what.restricts();
    Reading { parts: reading.parts.iter().filter(added).cloned().collect(), ..reading.clone() }
}

/// What nearby inputs of one that is given keep to. Where pointers of that one lead is what it says, and not what is
/// taken of them.
pub fn told(reading: &Reading) -> Reading {
    let about_pointers = |what: &What| {
        matches!(
            what,
            What::EndOf { .. }
                | What::MaySame { .. }
                | What::MayOverlap { .. }
                | What::Apart { .. }
                | What::Calls { .. }
        )
    };
    let kept = reading.parts.iter().filter(|taken| !about_pointers(&taken.what)).cloned();
    Reading { parts: kept.collect(), ..reading.clone() }
}

/// Whether something that was found out may leave inputs out. That a number stays below what it indexes is what checks
/// are for: to take it would hide that a check is gone. Only how the members of a struct keep to each other is
/// nobody's to check.
fn is_safe(taken: &Taken) -> bool {
    let member = taken.input.contains("->") || taken.input.contains('.');
    match taken.what {
        What::Range { .. } => taken.evidence.source == Source::Attribute,
        What::AtMost { .. } | What::Below { .. } => member,
        _ => true,
    }
}

/// A reading that leaves no inputs out but those that the user does, and streams that are not open at the start of a
/// file: there are no others to look at.
pub fn unrestricted(reading: &Reading) -> Reading {
    let kept = |taken: &Taken| match &taken.what {
        What::Apart { other } => {
            let other = other.clone();
            Some(Taken { what: What::MaySame { other }, ..taken.clone() })
        }
        What::Stream { .. } => Some(Taken { what: What::Stream { empty: false }, ..taken.clone() }),
        _ if taken.evidence.source == Source::Contract || !taken.what.restricts() => Some(taken.clone()),
        _ => None,
    };
    Reading { parts: reading.parts.iter().filter_map(kept).collect(), ..reading.clone() }
}

/// What is taken even if nothing is to be: streams are open at the start of a file, for there are no others to look at,
/// and what is around a member of a struct is the rest of that.
fn only_streams(inferred: Reading) -> Reading {
    let mut all = unrestricted(&inferred);
    all.parts.retain(|taken| matches!(taken.what, What::Stream { .. } | What::MemberOf { .. }));
    Reading { checked: Default::default(), ..all }
}
