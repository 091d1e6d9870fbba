//! Which functions changed between two versions of a program.

use crate::fingerprint::{fingerprint, signature};
use crate::{Alignment, StatementGraph, Symbols};
use incise_ir::{Callee, ConstantKind, Function, FunctionId, Id, Op, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What became of a function.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FunctionChange {
    /// Its own code does the same as before; what it calls may have changed.
    Unchanged,
    /// Its own code, or its signature, is another.
    Changed,
    /// It has a body in the new version only.
    Added,
    /// It has a body in the old version only.
    Removed,
}

/// A function in two versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionPair {
    /// Its name.
    pub name: String,
    /// Its definition in the old version.
    pub old: Option<FunctionId>,
    /// Its definition in the new version.
    pub new: Option<FunctionId>,
    /// What became of it.
    pub change: FunctionChange,
    /// Whether the types of its parameters or its result are others, in a function that both versions have.
    pub signature_changed: bool,
}

/// Two versions of a program, compared function by function.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The functions, in the new version's order, those that were removed last. Library models are left out.
    pub functions: Vec<FunctionPair>,
    old_symbols: Symbols,
    new_symbols: Symbols,
}

impl Versions {
    /// Compares all functions that have a body in at least one of the versions.
    pub fn compare(old: &Program, new: &Program) -> Self {
        let (old_symbols, new_symbols) = Symbols::pair(old, new);
        let counts = |function: &Function| function.is_definition() && !function.model;
        let old_ids: FxHashMap<_, FunctionId> = old
            .functions
            .iter()
            .filter(|(_, function)| counts(function))
            .map(|(id, _)| (old_symbols.function(id), id))
            .collect();
        let mut versions = Self { functions: Vec::new(), old_symbols, new_symbols };
        let mut met = vec![false; old.functions.len()];
        for (id, function) in new.functions.iter().filter(|(_, function)| counts(function)) {
            let partner = old_ids.get(&versions.new_symbols.function(id)).copied();
            partner.iter().for_each(|old_id| met[old_id.index()] = true);
            let pair = versions.pair(old, partner, new, Some(id), function);
            versions.functions.push(pair);
        }
        for (id, function) in old.functions.iter().filter(|(_, function)| counts(function)) {
            if !met[id.index()] {
                let pair = versions.pair(old, Some(id), new, None, function);
                versions.functions.push(pair);
            }
        }
        versions
    }

    fn pair(
        &self,
        old_program: &Program,
        old: Option<FunctionId>,
        new_program: &Program,
        new: Option<FunctionId>,
        named: &Function,
    ) -> FunctionPair {
        let mut signature_changed = false;
        let change = match (old, new) {
            (Some(old), Some(new)) => {
                let old_signature = signature(&self.old_symbols, &old_program.functions[old]);
                let new_signature = signature(&self.new_symbols, &new_program.functions[new]);
                signature_changed = old_signature != new_signature;
                let same = fingerprint(old_program, &self.old_symbols, old)
                    == fingerprint(new_program, &self.new_symbols, new);
                if same { FunctionChange::Unchanged } else { FunctionChange::Changed }
            }
            (None, _) => FunctionChange::Added,
            (_, None) => FunctionChange::Removed,
        };
        FunctionPair { name: named.name.clone(), old, new, change, signature_changed }
    }

    /// The symbols of the old version, comparable with those of the new one.
    pub fn old_symbols(&self) -> &Symbols {
        &self.old_symbols
    }

    /// The symbols of the new version, comparable with those of the old one.
    pub fn new_symbols(&self) -> &Symbols {
        &self.new_symbols
    }

    /// Whether no function changed, was added or was removed.
    pub fn is_unchanged(&self) -> bool {
        self.functions.iter().all(|pair| pair.change == FunctionChange::Unchanged)
    }

    /// The function of a name: the first, if several files have a `static` one.
    pub fn named(&self, name: &str) -> Option<&FunctionPair> {
        self.functions.iter().find(|pair| pair.name == name)
    }

    /// The same with the versions exchanged.
    pub fn mirrored(&self) -> Self {
        let mirrored = |pair: &FunctionPair| FunctionPair {
            name: pair.name.clone(),
            old: pair.new,
            new: pair.old,
            change: match pair.change {
                FunctionChange::Added => FunctionChange::Removed,
                FunctionChange::Removed => FunctionChange::Added,
                same => same,
            },
            signature_changed: pair.signature_changed,
        };
        let mut functions: Vec<FunctionPair> = self.functions.iter().map(mirrored).collect();
        functions.sort_by_key(|pair| (pair.new.is_none(), pair.new, pair.old));
        Self { functions, old_symbols: self.new_symbols.clone(), new_symbols: self.old_symbols.clone() }
    }

    /// The function of the old version that belongs to one of the new version.
    pub fn old_of(&self, function: FunctionId) -> Option<FunctionId> {
        self.functions.iter().find(|pair| pair.new == Some(function))?.old
    }

    /// Aligns the statements of two versions of one function. The graphs must belong to the programs that were
    /// compared.
    pub fn align(
        &self,
        old: &Program,
        old_graph: StatementGraph,
        new: &Program,
        new_graph: StatementGraph,
    ) -> Alignment {
        Alignment::with_symbols((old, &self.old_symbols, old_graph), (new, &self.new_symbols, new_graph))
    }

    /// The functions of the new version whose own code changed, or that were added.
    pub fn changed_new(&self) -> BTreeSet<FunctionId> {
        let changed = self
            .functions
            .iter()
            .filter(|pair| matches!(pair.change, FunctionChange::Changed | FunctionChange::Added));
        changed.filter_map(|pair| pair.new).collect()
    }

    /// Whether a function was removed whose address the old version takes.
    pub(crate) fn removes_callable(&self, old: &Program) -> bool {
        let callable = address_taken(old);
        self.functions.iter().any(|pair| {
            pair.change == FunctionChange::Removed && pair.old.is_some_and(|id| callable.contains(&id))
        })
    }

    /// The functions of the new version that call one that changed, was added or was removed, directly or through
    /// others. Through a pointer, any function may be called whose address is taken and whose parameters fit.
    pub fn calls_changed(&self, old: &Program, new: &Program) -> BTreeSet<FunctionId> {
        let removed: BTreeSet<_> = self
            .functions
            .iter()
            .filter(|pair| pair.change == FunctionChange::Removed)
            .filter_map(|pair| pair.old)
            .map(|id| self.old_symbols.function(id))
            .collect();
        let mut goals = self.changed_new();
        goals.extend(new.functions.ids().filter(|&id| removed.contains(&self.new_symbols.function(id))));
        let callers = callers(new, self.removes_callable(old));
        let mut found = BTreeSet::new();
        let mut work: Vec<FunctionId> = goals.into_iter().collect();
        found.extend(callers.through_removed.iter().copied());
        work.extend(callers.through_removed.iter().copied());
        while let Some(callee) = work.pop() {
            for &caller in &callers.of[callee.index()] {
                if found.insert(caller) {
                    work.push(caller);
                }
            }
        }
        found.retain(|&id| !new.functions[id].model);
        found
    }
}

struct Callers {
    /// For each function, those that may call it.
    of: Vec<Vec<FunctionId>>,
    /// The functions with a call through a pointer, if a removed function may have been behind it.
    through_removed: Vec<FunctionId>,
}

fn callers(program: &Program, removed_callable: bool) -> Callers {
    let mut of: Vec<Vec<FunctionId>> = vec![Vec::new(); program.functions.len()];
    let mut through_removed = Vec::new();
    let callable = address_taken(program);
    for (id, function) in program.functions.iter() {
        for (_, instruction) in function.instructions.iter() {
            let (Op::Call(call) | Op::Invoke { call, .. }) = &instruction.op else { continue };
            match &call.callee {
                Callee::Direct(callee) => of[callee.index()].push(id),
                Callee::Indirect(_) => {
                    if removed_callable {
                        through_removed.push(id);
                    }
                    let types: Vec<_> = call
                        .arguments
                        .iter()
                        .map(|&argument| program.operand_type(function, argument))
                        .collect();
                    for &candidate in &callable {
                        if fits(&program.functions[candidate], &types) {
                            of[candidate.index()].push(id);
                        }
                    }
                }
                Callee::Intrinsic(_) | Callee::Assembly(_) => {}
            }
        }
    }
    for callers in &mut of {
        callers.sort_unstable();
        callers.dedup();
    }
    through_removed.dedup();
    Callers { of, through_removed }
}

/// Whether a function can be called with arguments of these types.
fn fits(function: &Function, types: &[incise_ir::TypeId]) -> bool {
    let count = function.parameters.len();
    let enough = if function.variadic { types.len() >= count } else { types.len() == count };
    enough && function.parameters.iter().zip(types).all(|(parameter, &ty)| parameter.ty == ty)
}

/// The functions that are used other than by calling them by their name: a direct callee is no constant.
pub(crate) fn address_taken(program: &Program) -> BTreeSet<FunctionId> {
    let taken = program.constants.iter().filter_map(|(_, constant)| match constant.kind {
        ConstantKind::Function(function) => Some(function),
        _ => None,
    });
    taken.collect()
}
