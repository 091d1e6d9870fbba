//! Inputs that two programs have in different types.
//!
//! Such an input is *one* symbol, of the type whose values both can hold; the program that has the other type gets it
//! converted as C converts an argument. So whatever values somebody chooses, they are the same input in both programs:
//! there is no condition between two symbols that a search by trial could forget. Values that only one of the types
//! holds are not looked at, and whoever compares has to say so.
//!
//! A parameter that is a narrower integer in the later program is another matter: callers go on to pass what they
//! passed, and what does not fit any more is cut off. There the symbol has the type of the earlier program.
//!
//! A pointer and a number have no values in common: these are not brought together here.

use incise_exec::inside::{Machine, Sink, find_entry, stop_signal, without_indices};
use incise_exec::{
    Config, Detail, ExploreError, FullExploration, Hooks, InputOrigin, SymbolType, SymbolTypes,
};
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
    /// Parameters that have fewer values in the later program, which gets what C converts the others to.
    cut_off: BTreeSet<String>,
}

/// An input as a program has it.
#[derive(Clone, Copy)]
struct Own {
    ty: SymbolType,
    parameter: bool,
}

impl CommonTypes {
    /// Looks at the inputs that two programs begin with.
    pub fn of(
        later: (&Program, &Config),
        earlier: (&Program, &Config),
        hooks: &Hooks<'_>,
    ) -> Result<Self, ExploreError> {
        let (ones, others) = (symbols(later, hooks)?, symbols(earlier, hooks)?);
        let mut common = Self::default();
        for (name, mine) in ones {
            let Some(&theirs) = others.get(&name).filter(|theirs| theirs.ty != mine.ty) else { continue };
            match mine.parameter && theirs.parameter && is_cut_off(mine.ty, theirs.ty) {
                true => common.add_cut_off(name, mine.ty, theirs.ty),
                false => common.add(name, mine.ty, theirs.ty),
            }
        }
        common.add_results(later.0, earlier.0);
        Ok(common)
    }

    /// A parameter of which the later program holds a part of the values.
    fn add_cut_off(&mut self, name: String, later: SymbolType, earlier: SymbolType) {
        if is_signed(earlier.1) != is_signed(later.1) {
            self.resigned.insert(name.clone());
        }
        self.cut_off.insert(name.clone());
        self.narrow.add(name, earlier);
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
        if !self.cut_off.is_empty() {
            let verb = if self.cut_off.len() == 1 { "has a narrower type" } else { "have narrower types" };
            notes.push(format!(
                "{} {verb} in the new version: a value that it cannot hold is what C converts it to",
                list(&self.cut_off)
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

/// Whether both are integers, and the later type holds fewer values.
fn is_cut_off(later: SymbolType, earlier: SymbolType) -> bool {
    let integer = |(_, kind): SymbolType| !matches!(kind, SymbolKind::Float(_) | SymbolKind::Pointer);
    integer(later) && integer(earlier) && later.0 < earlier.0
}

fn is_signed(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Signed | SymbolKind::Char | SymbolKind::Float(_))
}

/// The symbols of the inputs that a program begins with, by their names without indices.
fn symbols(
    (program, config): (&Program, &Config),
    hooks: &Hooks<'_>,
) -> Result<BTreeMap<String, Own>, ExploreError> {
    let entry = find_entry(program, config)?;
    let stop = stop_signal(config, hooks, Instant::now());
    let mut whole = FullExploration;
    let mut machine = Machine::new(program, config, &mut whole, stop, Sink::new(Detail::First(0)));
    let state = machine.start(entry)?;
    let exprs = &machine.decider.exprs;
    let inputs = state.inputs.to_vec();
    let mut found = BTreeMap::new();
    for input in &inputs {
        let parameter = matches!(input.origin, InputOrigin::Parameter { .. });
        let symbols = input.leaves.iter().flat_map(|leaf| exprs.symbols_of(leaf.expr));
        found.extend(symbols.map(|symbol| {
            let info = exprs.symbol_info(symbol);
            (without_indices(&info.name), Own { ty: (info.width, info.kind), parameter })
        }));
    }
    Ok(found)
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
    fn a_parameter_with_fewer_values_than_before_gets_what_c_converts_to() {
        assert!(is_cut_off(INT, LONG) && !is_cut_off(LONG, INT), "only the later type matters");
        assert!(!is_cut_off(INT, UNSIGNED) && !is_cut_off(INT, DOUBLE));
        let mut common = CommonTypes::default();
        common.add_cut_off("n".to_owned(), INT, LONG);
        assert_eq!(
            common.types().of_input("n"),
            Some(LONG),
            "nothing that the earlier program holds is left out"
        );
        assert!(!common.leaves_out());
        assert!(common.notes()[0].contains("narrower type"));
    }

    #[test]
    fn other_inputs_keep_their_types() {
        assert_eq!(common(INT, LONG).types().of_input("m"), None);
    }
}
