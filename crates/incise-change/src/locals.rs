//! Which variables of two versions of a function are the same: parameters by position, others by name, by use, by
//! order.
//!
//! Names alone do not tell: they may be swapped, and three loops may each have their own `i`. So statements are aligned
//! first with variables of one name (or of one type) taken for the same, and every pair of statements that fits votes
//! for the variables that it pairs.

use crate::content::Contents;
use crate::fingerprint::for_each_operand;
use crate::hash::{Fingerprint, Mixer};
use crate::roots::Roots;
use incise_ir::{Function, Id, Op, Operand, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// How variables are told apart before they are matched.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum ToldApartBy {
    /// By name and type.
    Name,
    /// By type alone.
    Type,
}

/// A variable of a function: a parameter, a local, or a joined value.
struct Local {
    value: ValueId,
    name: String,
    /// Variables of different kinds are never the same: the type, and whether it is a place or a value.
    kind: Fingerprint,
    /// The parameter that it is, or that it holds from the start.
    parameter: Option<usize>,
}

/// The variables of two versions.
pub(crate) struct Locals {
    old: Vec<Local>,
    new: Vec<Local>,
    /// For each parameter of the old version, that of the new one.
    parameters: Vec<Option<usize>>,
    counts: (usize, usize),
}

/// Which variables are the same: for each of the old version, that of the new one, by its place in [`Locals`].
pub(crate) struct Matching {
    to_new: Vec<Option<usize>>,
    /// How many of the pairs have the same name.
    pub(crate) same_names: usize,
}

/// What each variable is, for the old and for the new version.
pub(crate) type Variables = (Vec<Option<Fingerprint>>, Vec<Option<Fingerprint>>);

impl Locals {
    pub(crate) fn new(old: &Roots<'_>, new: &Roots<'_>) -> Self {
        Self {
            old: find_locals(old),
            new: find_locals(new),
            parameters: match_parameters(old, new),
            counts: (old.function.values.len(), new.function.values.len()),
        }
    }

    /// Variables before they are matched.
    pub(crate) fn guessed(&self, known: ToldApartBy) -> Variables {
        let anonymous = |local: &Local| {
            let mut mixer = Mixer::new("some variable");
            mixer.fingerprint(local.kind);
            if known == ToldApartBy::Name {
                mixer.text(&local.name);
            }
            mixer.done()
        };
        let mut variables = self.parameters_only();
        for (locals, found) in [(&self.old, &mut variables.0), (&self.new, &mut variables.1)] {
            for local in locals {
                found[local.value.index()].get_or_insert_with(|| anonymous(local));
            }
        }
        variables
    }

    /// Variables that were matched: those without a partner are like no other.
    pub(crate) fn matched(&self, matching: &Matching) -> Variables {
        let mut variables = self.parameters_only();
        let mut partners = vec![None; self.new.len()];
        for (old, &new) in matching.to_new.iter().enumerate() {
            new.iter().for_each(|&new| partners[new] = Some(old));
            let key = if new.is_some() { "variable" } else { "old variable" };
            variables.0[self.old[old].value.index()].get_or_insert_with(|| numbered(key, old));
        }
        for (new, partner) in partners.into_iter().enumerate() {
            let key = partner.map_or(numbered("new variable", new), |old| numbered("variable", old));
            variables.1[self.new[new].value.index()].get_or_insert(key);
        }
        variables
    }

    /// The variables that are, or hold, parameters are settled from the start.
    fn parameters_only(&self) -> Variables {
        let mut variables = (vec![None; self.counts.0], vec![None; self.counts.1]);
        let pairs = self.parameters.iter().enumerate();
        let partners: FxHashMap<usize, usize> = pairs.filter_map(|(old, new)| Some(((*new)?, old))).collect();
        let key = |local: &Local, name: &str, number: usize| {
            let mut mixer = Mixer::new(name);
            mixer.fingerprint(local.kind);
            mixer.word(number as u64);
            Some(mixer.done())
        };
        for local in &self.old {
            let Some(parameter) = local.parameter else { continue };
            let name = if self.parameters[parameter].is_some() { "parameter" } else { "old parameter" };
            variables.0[local.value.index()] = key(local, name, parameter);
        }
        for local in &self.new {
            let Some(parameter) = local.parameter else { continue };
            variables.1[local.value.index()] = match partners.get(&parameter) {
                Some(&old) => key(local, "parameter", old),
                None => key(local, "new parameter", parameter),
            };
        }
        variables
    }

    /// Matches variables by the votes of roots that fit, then by name, then in order.
    pub(crate) fn match_by_votes(&self, votes: &BTreeMap<(ValueId, ValueId), usize>) -> Matching {
        let places = |locals: &[Local]| -> FxHashMap<ValueId, usize> {
            locals.iter().enumerate().map(|(place, local)| (local.value, place)).collect()
        };
        let (old_places, new_places) = (places(&self.old), places(&self.new));
        let mut ballots: Vec<_> = votes
            .iter()
            .filter_map(|(&(old, new), &count)| {
                let (old, new) = (*old_places.get(&old)?, *new_places.get(&new)?);
                let other_name = self.old[old].name != self.new[new].name;
                Some((std::cmp::Reverse(count), other_name, old.abs_diff(new), old, new))
            })
            .collect();
        ballots.sort_unstable();
        let mut pairing = Pairing::new(self);
        for (_, _, _, old, new) in ballots {
            pairing.join(old, new);
        }
        pairing.join_in_order(|local| local.name.clone());
        pairing.join_in_order(|local| {
            local.name.trim_end_matches(|each: char| each.is_ascii_digit()).to_owned()
        });
        pairing.join_in_order(|_| String::new());
        let pairs = pairing.to_new.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?)));
        let same_names = pairs.filter(|&(old, new)| self.old[old].name == self.new[new].name).count();
        Matching { to_new: pairing.to_new, same_names }
    }
}

/// A matching under construction.
struct Pairing<'a> {
    locals: &'a Locals,
    to_new: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl<'a> Pairing<'a> {
    fn new(locals: &'a Locals) -> Self {
        Self { locals, to_new: vec![None; locals.old.len()], taken: vec![false; locals.new.len()] }
    }

    fn join(&mut self, old: usize, new: usize) {
        let (left, right) = (&self.locals.old[old], &self.locals.new[new]);
        let free = self.to_new[old].is_none() && !self.taken[new];
        if free && left.kind == right.kind && left.parameter.is_none() && right.parameter.is_none() {
            self.to_new[old] = Some(new);
            self.taken[new] = true;
        }
    }

    /// Joins what is left in order, among variables with the same key.
    fn join_in_order(&mut self, key: impl Fn(&Local) -> String) {
        let mut waiting: FxHashMap<(Fingerprint, String), Vec<usize>> = FxHashMap::default();
        for (new, local) in self.locals.new.iter().enumerate().rev() {
            if !self.taken[new] && local.parameter.is_none() {
                waiting.entry((local.kind, key(local))).or_default().push(new);
            }
        }
        for (old, local) in self.locals.old.iter().enumerate() {
            if self.to_new[old].is_none() && local.parameter.is_none() {
                let queue = waiting.get_mut(&(local.kind, key(local)));
                if let Some(new) = queue.and_then(Vec::pop) {
                    self.join(old, new);
                }
            }
        }
    }
}

/// What pairs of roots that look alike say about their variables. Only roots with equal contents may be given.
pub(crate) fn count_votes(
    old: (&Roots<'_>, &[Option<Fingerprint>]),
    new: (&Roots<'_>, &[Option<Fingerprint>]),
    pairs: &[(usize, usize)],
) -> BTreeMap<(ValueId, ValueId), usize> {
    let mut votes = BTreeMap::new();
    for &(old_root, new_root) in pairs {
        let results = |roots: &Roots<'_>, root: usize| roots.function.instructions[roots.list[root]].result;
        let mut seen = FxHashSet::default();
        let mut work = Vec::new();
        if matches!(old.0.op(old_root), Op::Phi(_)) {
            if let (Some(left), Some(right)) = (results(old.0, old_root), results(new.0, new_root)) {
                *votes.entry((left, right)).or_insert(0) += 1;
            }
            continue;
        }
        push_operands(old.0, old_root, new.0, new_root, &mut work);
        while let Some((Operand::Value(left), Operand::Value(right))) = work.pop_if_values() {
            if !seen.insert((left, right)) || seen.len() > 4096 {
                continue;
            }
            if old.1[left.index()].is_some() && new.1[right.index()].is_some() {
                *votes.entry((left, right)).or_insert(0) += 1;
                continue;
            }
            let (Some(left), Some(right)) = (old.0.definition(left), new.0.definition(right)) else {
                continue;
            };
            let (left, right) = (operands(old.0, left), operands(new.0, right));
            work.extend(left.into_iter().zip(right));
        }
    }
    votes
}

fn push_operands(
    old: &Roots<'_>,
    old_root: usize,
    new: &Roots<'_>,
    new_root: usize,
    work: &mut Vec<(Operand, Operand)>,
) {
    match (old.returned(old_root), new.returned(new_root)) {
        (Some(left), Some(right)) => work.push((left, right)),
        _ => {
            let (left, right) = (operands(old, old.list[old_root]), operands(new, new.list[new_root]));
            work.extend(left.into_iter().zip(right));
        }
    }
}

/// The operands of an instruction that count.
pub(crate) fn operands(roots: &Roots<'_>, id: incise_ir::InstructionId) -> Vec<Operand> {
    let mut found = Vec::new();
    for_each_operand(roots.program, &roots.function.instructions[id].op, |_, operand| found.push(operand));
    found
}

trait PopValues {
    fn pop_if_values(&mut self) -> Option<(Operand, Operand)>;
}

impl PopValues for Vec<(Operand, Operand)> {
    /// The last pair of values; constants are dropped.
    fn pop_if_values(&mut self) -> Option<(Operand, Operand)> {
        while let Some(pair) = self.pop() {
            if let (Operand::Value(_), Operand::Value(_)) = pair {
                return Some(pair);
            }
        }
        None
    }
}

fn numbered(kind: &str, number: usize) -> Fingerprint {
    let mut mixer = Mixer::new(kind);
    mixer.word(number as u64);
    mixer.done()
}

/// The variables of a function, in the order of their declaration.
fn find_locals(roots: &Roots<'_>) -> Vec<Local> {
    let function = roots.function;
    let names = debug_names(function);
    let holders = parameter_holders(roots);
    let mut locals = Vec::new();
    for (value, info) in function.values.iter() {
        let parameter = (value.index() < function.parameters.len()).then_some(value.index());
        let mut mixer = Mixer::new("kind");
        let op = roots.definition(value).map(|id| &function.instructions[id].op);
        match op {
            _ if parameter.is_some() => mixer.text("parameter"),
            Some(Op::Alloca { ty, count: None, align }) => {
                mixer.text(if roots.slot() == Some(value) { "result" } else { "local" });
                mixer.fingerprint(roots.symbols.ty(*ty));
                mixer.word(*align);
            }
            Some(Op::Phi(_)) => mixer.text("phi"),
            _ => continue,
        }
        mixer.fingerprint(roots.symbols.ty(info.ty));
        let name = names.get(&value).cloned().unwrap_or_else(|| info.name.to_string());
        let parameter = parameter.or_else(|| holders.get(&value).copied());
        locals.push(Local { value, name, kind: mixer.done(), parameter });
    }
    locals
}

/// The names that the source gives to places.
fn debug_names(function: &Function) -> FxHashMap<ValueId, String> {
    let mut names = FxHashMap::default();
    for variable in &function.variables {
        if let (Some(Operand::Value(value)), true) = (variable.storage, variable.by_address) {
            names.entry(value).or_insert_with(|| variable.name.clone());
        }
    }
    names
}

/// The locals that parameters are put into at the start, with the parameter.
fn parameter_holders(roots: &Roots<'_>) -> FxHashMap<ValueId, usize> {
    let function = roots.function;
    let mut holders = FxHashMap::default();
    let Some(entry) = function.entry() else { return holders };
    for id in function.block_instructions(entry).filter(|&id| roots.number(id).is_none()) {
        let Op::Store { value: Operand::Value(value), pointer: Operand::Value(pointer), .. } =
            function.instructions[id].op
        else {
            continue;
        };
        if value.index() < function.parameters.len() {
            holders.entry(base_local(roots, pointer)).or_insert(value.index());
        }
    }
    holders
}

/// The local that an address with a constant offset lies in.
fn base_local(roots: &Roots<'_>, pointer: ValueId) -> ValueId {
    let op = roots.definition(pointer).map(|id| &roots.function.instructions[id].op);
    match op {
        Some(Op::ElementPointer { base: Operand::Value(base), .. }) => *base,
        _ => pointer,
    }
}

/// Parameters by position if their number is the same, else by name; the types must agree.
fn match_parameters(old: &Roots<'_>, new: &Roots<'_>) -> Vec<Option<usize>> {
    let (left, right) = (&old.function.parameters, &new.function.parameters);
    let same_type = |index: usize, other: usize| {
        let copied = |program: &Roots<'_>, ty: Option<incise_ir::TypeId>| ty.map(|ty| program.symbols.ty(ty));
        old.symbols.ty(left[index].ty) == new.symbols.ty(right[other].ty)
            && copied(old, left[index].by_value) == copied(new, right[other].by_value)
    };
    let same_count = left.len() == right.len();
    (0..left.len())
        .map(|index| {
            let partner = if same_count {
                Some(index)
            } else {
                let name = parameter_name(old.function, index);
                (0..right.len())
                    .find(|&other| !name.is_empty() && parameter_name(new.function, other) == name)
            };
            partner.filter(|&other| same_type(index, other))
        })
        .collect()
}

fn parameter_name(function: &Function, index: usize) -> String {
    let number = u32::try_from(index + 1).ok();
    let named = &function.parameters[index].name;
    if !named.is_empty() {
        return named.clone();
    }
    let variable = function.variables.iter().find(|variable| variable.parameter == number);
    variable.map(|variable| variable.name.clone()).unwrap_or_default()
}

/// The contents of both versions for one choice of variables.
pub(crate) fn contents(old: &Roots<'_>, new: &Roots<'_>, variables: &Variables) -> (Contents, Contents) {
    (Contents::new(old, &variables.0), Contents::new(new, &variables.1))
}
