//! Inputs that two programs have in different types.
//!
//! Such an input is *one* symbol, of the type whose values both can hold; the program that has the other type gets it
//! converted as C converts an argument. So whatever values somebody chooses, they are the same input in both programs:
//! there is no condition between two symbols that a search by trial could forget. Values that only one of the types
//! holds are not looked at, and whoever compares has to say so.
//!
//! A pointer and a number have no values in common: these are not brought together here.

use incise_exec::inside::{Machine, Sink, find_entry, stop_signal, without_indices};
use incise_exec::{Config, Detail, ExploreError, FullExploration, Hooks, SymbolType, SymbolTypes};
use incise_ir::{Function, Program, Type};
use incise_solver::SymbolKind;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// The types of inputs that two programs have in different ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CommonTypes {
    /// The types with the fewer values.
    narrow: SymbolTypes,
    /// Inputs of which one of the programs can hold more values.
    limited: BTreeSet<String>,
    /// Inputs that are signed in one program only.
    resigned: BTreeSet<String>,
}

impl CommonTypes {
    /// Looks at the inputs that two programs begin with.
    pub fn of(
        one: (&Program, &Config),
        other: (&Program, &Config),
        hooks: &Hooks<'_>,
    ) -> Result<Self, ExploreError> {
        let (ones, others) = (symbols(one, hooks)?, symbols(other, hooks)?);
        let mut common = Self::default();
        for (name, mine) in ones {
            if let Some(&theirs) = others.get(&name).filter(|&&theirs| theirs != mine) {
                common.add(name, mine, theirs);
            }
        }
        common.add_results(one.0, other.0);
        Ok(common)
    }

    /// What functions without a body return is an input too, and comes up on the way. Nothing is known of its sign:
    /// most are signed.
    fn add_results(&mut self, one: &Program, other: &Program) {
        let width = |program: &Program, function: &Function| match program.types.get(function.result) {
            Type::Integer(width) if !function.is_definition() => Some(*width),
            _ => None,
        };
        for (_, function) in one.functions.iter() {
            let there = other.function_named(&function.name).map(|id| &other.functions[id]);
            let widths = width(one, function).zip(there.and_then(|there| width(other, there)));
            if let Some((mine, theirs)) = widths.filter(|(mine, theirs)| mine != theirs) {
                self.narrow.add_function(&function.name);
                let signed = SymbolKind::Signed;
                self.add(function.name.clone(), (mine, signed), (theirs, signed));
            }
        }
    }

    fn add(&mut self, name: String, one: SymbolType, other: SymbolType) {
        let is_float = |(_, kind): SymbolType| matches!(kind, SymbolKind::Float(_));
        if [one.1, other.1].contains(&SymbolKind::Pointer) {
            return;
        }
        let narrow = match (is_float(one), is_float(other)) {
            (true, false) => other,
            (false, true) => one,
            _ if other.0 < one.0 => other,
            _ => one,
        };
        if one.0 != other.0 || is_float(one) != is_float(other) {
            self.limited.insert(name.clone());
        }
        if is_signed(one.1) != is_signed(other.1) && (is_signed(narrow.1) || one.0 == other.0) {
            self.resigned.insert(name.clone());
        }
        self.narrow.add(name, narrow);
    }

    /// Whether all inputs have the same types in both programs.
    pub fn is_empty(&self) -> bool {
        self.narrow.is_empty()
    }

    /// Whether values are left out because only one of the programs can hold them.
    pub fn leaves_out(&self) -> bool {
        !self.limited.is_empty()
    }

    /// What a reader has to know, one sentence for each kind of inputs.
    pub fn notes(&self) -> Vec<String> {
        let list = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
        let mut notes = Vec::new();
        if !self.limited.is_empty() {
            let verb = if self.limited.len() == 1 { "has" } else { "have" };
            notes.push(format!(
                "{} {verb} another type in each version: only values that both can hold are compared",
                list(&self.limited)
            ));
        }
        if !self.resigned.is_empty() {
            let verb = if self.resigned.len() == 1 { "is" } else { "are" };
            notes.push(format!(
                "{} {verb} signed in one version only: a negative value is what C converts it to in the other",
                list(&self.resigned)
            ));
        }
        notes
    }

    /// The types of the symbols for these inputs.
    pub fn types(&self) -> &SymbolTypes {
        &self.narrow
    }
}

fn is_signed(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Signed | SymbolKind::Char | SymbolKind::Float(_))
}

/// The symbols of the inputs that a program begins with, by their names without indices.
fn symbols(
    (program, config): (&Program, &Config),
    hooks: &Hooks<'_>,
) -> Result<BTreeMap<String, SymbolType>, ExploreError> {
    let entry = find_entry(program, config)?;
    let stop = stop_signal(config, hooks, Instant::now());
    let mut whole = FullExploration;
    let mut machine = Machine::new(program, config, &mut whole, stop, Sink::new(Detail::First(0)));
    let state = machine.start(entry)?;
    let exprs = &machine.decider.exprs;
    let inputs = state.inputs.to_vec();
    let leaves = inputs.iter().flat_map(|input| input.leaves.iter());
    let symbols = leaves.flat_map(|leaf| exprs.symbols_of(leaf.expr));
    Ok(symbols
        .map(|symbol| {
            let info = exprs.symbol_info(symbol);
            (without_indices(&info.name), (info.width, info.kind))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: SymbolType = (32, SymbolKind::Signed);
    const UNSIGNED: SymbolType = (32, SymbolKind::Unsigned);
    const LONG: SymbolType = (64, SymbolKind::Signed);
    const DOUBLE: SymbolType = (64, SymbolKind::Float(incise_solver::FloatFormat::Double));

    fn common(one: SymbolType, other: SymbolType) -> CommonTypes {
        let mut common = CommonTypes::default();
        common.add("n".to_owned(), one, other);
        common
    }

    #[test]
    fn the_type_with_the_fewer_values_is_taken_in_either_order() {
        for (one, other, narrow) in [(INT, LONG, INT), (LONG, UNSIGNED, UNSIGNED), (DOUBLE, LONG, LONG)] {
            assert_eq!(common(one, other).types().of_input("n"), Some(narrow));
            assert_eq!(common(other, one).types().of_input("n"), Some(narrow));
            assert!(common(one, other).leaves_out());
        }
        assert!(common(INT, (1, SymbolKind::Pointer)).is_empty());
    }

    #[test]
    fn what_is_left_out_or_converted_is_said() {
        assert_eq!(common(INT, LONG).notes().len(), 1);
        assert!(common(INT, LONG).notes()[0].contains("only values that both can hold"));
        let signs = common(INT, UNSIGNED);
        assert!(!signs.leaves_out());
        assert!(signs.notes()[0].contains("n is signed in one version only"));
    }

    #[test]
    fn other_inputs_keep_their_types() {
        assert_eq!(common(INT, LONG).types().of_input("m"), None);
    }
}
