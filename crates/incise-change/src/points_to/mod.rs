//! Where the pointers of a program may point: an inclusion-based, field-sensitive analysis of the whole program.
//!
//! Neither the order of statements nor who calls a function is taken into account. Objects are global variables,
//! variables of functions, functions, and what each allocating call makes. Code that is not part of the program knows
//! the addresses that it is given, and may do everything with what it knows; it calls the *entries*, and functions
//! whose address it knows. What entries get from outside, directly or further on, is [`Pointee::Outside`]: memory of
//! its own, or one of the objects that outside code knows. A number that was made from an address stands for that
//! object; a pointer that was made from any other number is [`Pointee::Unknown`].

mod build;
mod calls;
mod data;
mod graph;
mod objects;
mod set;
mod sets;

pub(crate) use objects::Location;
pub use objects::{ObjectId, ObjectKind};
pub(crate) use set::SparseSet;
pub use sets::ObjectSetId;
pub(crate) use sets::{ObjectSets, View, ViewRef};

use crate::candidates::Candidates;
use build::Builder;
use graph::{Graph, PointerNode};
use incise_ir::{FunctionId, GlobalId, Id, InstructionId, Program, ValueId};
use objects::{OUTSIDE, Objects, UNKNOWN};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What a pointer may point to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pointee {
    /// An object, at a distance in bytes from its start; `None` if it may be several.
    Object(ObjectId, Option<i64>),
    /// What code outside of the program may know: inputs, and objects whose address got there.
    Outside,
    /// Anything whose address is used.
    Unknown,
}

/// The functions that a call by address may mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Targets {
    /// The functions, in order. Where the address may come from outside, those whose address is used and whose
    /// parameters fit are among them.
    pub functions: Vec<FunctionId>,
    /// Whether all addresses that come there are known.
    pub resolved: bool,
}

/// Where the pointers of a program may point.
#[derive(Debug)]
pub struct PointsTo {
    objects: Objects,
    /// For each object, whether code outside of the program may know it.
    exposed: Vec<bool>,
    /// For each function, the node of its first value.
    first_values: Vec<PointerNode>,
    /// For each node, the position of its set.
    roots: Vec<u32>,
    points: Vec<SparseSet>,
    /// For each set of many objects, these objects.
    many: FxHashMap<u32, ObjectSetId>,
    sets: ObjectSets,
    /// Whether what comes from outside may be an address that was made from a number.
    anything_outside: bool,
    targets: FxHashMap<(FunctionId, InstructionId), Targets>,
    /// For each global variable of a library, what pointers in it lead to, over others as well.
    reached_from: FxHashMap<GlobalId, View>,
}

/// Up to so many objects are named one by one.
const NAMED: usize = 8;

impl PointsTo {
    /// Analyses a program whose execution begins in one of `entries`.
    pub fn new(program: &Program, entries: &BTreeSet<FunctionId>) -> Self {
        Self::with_candidates(program, entries, &Candidates::new(program))
    }

    pub(crate) fn with_candidates(
        program: &Program,
        entries: &BTreeSet<FunctionId>,
        candidates: &Candidates,
    ) -> Self {
        Self::build(program, entries, candidates, (true, false))
    }

    /// The same, where code outside of the program does not know variables by their names.
    pub(crate) fn unnamed(
        program: &Program,
        entries: &BTreeSet<FunctionId>,
        candidates: &Candidates,
    ) -> Self {
        Self::build(program, entries, candidates, (false, false))
    }

    /// The same, where variables that only the program knows hold what the program puts there, if all functions that
    /// others can see are entries.
    pub(crate) fn as_left_by_entries(
        program: &Program,
        entries: &BTreeSet<FunctionId>,
        candidates: &Candidates,
    ) -> Self {
        Self::build(program, entries, candidates, (true, true))
    }

    fn build(
        program: &Program,
        entries: &BTreeSet<FunctionId>,
        candidates: &Candidates,
        (names_known, left_by_entries): (bool, bool),
    ) -> Self {
        let mut graph = Graph::new();
        let complete = left_by_entries && build::is_complete(program, entries);
        let mut builder = Builder::new(program, candidates, entries, (names_known, complete), &mut graph);
        graph.widen_cycles();
        graph.solve(&mut builder);
        while builder.forge(&mut graph) {
            graph.solve(&mut builder);
        }
        let targets = builder.sites.into_iter().map(|site| {
            let functions: Vec<FunctionId> = site.targets.into_iter().collect();
            let resolved = !site.open && !functions.is_empty();
            ((site.function, site.instruction), Targets { functions, resolved })
        });
        let targets = targets.collect();
        let values = builder.first_values.last().copied().unwrap_or(0) as usize;
        let last = program.functions.iter().next_back().map_or(0, |(_, function)| function.values.len());
        let anything_outside = graph.is_anything_outside();
        let own = program.globals.iter().filter(|(_, global)| !global.model);
        let reached_from = match builder.library {
            true => own.filter_map(|(id, _)| Some((id, graph.reached_from(id)?))).collect(),
            false => FxHashMap::default(),
        };
        let (objects, exposed, roots, points) = graph.into_solution(values + last);
        let sets = ObjectSets::new(objects.len(), &exposed);
        let mut found = Self {
            objects,
            exposed,
            first_values: builder.first_values,
            roots,
            points,
            many: FxHashMap::default(),
            sets,
            anything_outside,
            targets,
            reached_from,
        };
        found.name_large_sets();
        found
    }

    /// What a value of a function may point to, or carry the address of, in order. Nothing for a pointer that is only
    /// ever null.
    pub fn pointees(&self, function: FunctionId, value: ValueId) -> Vec<Pointee> {
        let pointee = |number| match self.objects.location(number) {
            Some(Location { object, offset, modulus }) => {
                Pointee::Object(object, (modulus == 0).then_some(offset))
            }
            None if number == OUTSIDE => Pointee::Outside,
            None => Pointee::Unknown,
        };
        let mut found: Vec<Pointee> = self.points(function, value).iter().map(pointee).collect();
        found.sort_unstable();
        found
    }

    /// What pointers in a global variable of a library lead to, directly or over others; `None` if that is not known.
    pub(crate) fn reached_from(&self, global: GlobalId) -> Option<&View> {
        self.reached_from.get(&global)
    }

    /// The functions that a call by address may mean; `None` for any other instruction.
    pub fn targets(&self, function: FunctionId, call: InstructionId) -> Option<&Targets> {
        self.targets.get(&(function, call))
    }

    /// The objects, in order.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        self.objects.ids()
    }

    /// What an object is.
    pub fn kind(&self, object: ObjectId) -> ObjectKind {
        self.objects.get(object).kind
    }

    /// The object of a kind. A variable whose address is used for nothing but reading and writing it is none; a
    /// constant without addresses is [`ObjectKind::Literals`].
    pub fn object(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.objects.find(kind)
    }

    /// Whether code outside of the program may know the address of an object.
    pub fn is_exposed(&self, object: ObjectId) -> bool {
        self.exposed[object.index()]
    }

    /// The objects of a set, in order.
    pub fn members(&self, set: ObjectSetId) -> impl Iterator<Item = ObjectId> + '_ {
        self.sets.get(set).iter().map(|number| ObjectId::from_index(number as usize))
    }

    fn points(&self, function: FunctionId, value: ValueId) -> &SparseSet {
        let node = self.first_values[function.index()] as usize + value.index();
        &self.points[self.roots[node] as usize]
    }

    /// What a value may point to.
    pub(crate) fn lookup(&self, function: FunctionId, value: ValueId) -> Found<'_> {
        let node = self.first_values[function.index()] as usize + value.index();
        let root = self.roots[node];
        let points = &self.points[root as usize];
        let outside = points.contains(OUTSIDE);
        Found {
            outside,
            unknown: points.contains(UNKNOWN) || (outside && self.anything_outside),
            many: self.many.get(&root).copied(),
            points,
            objects: &self.objects,
        }
    }

    /// All objects that a value may point into.
    pub(crate) fn view(&self, function: FunctionId, value: ValueId) -> View {
        let found = self.lookup(function, value);
        let objects: SparseSet = match found.many {
            Some(set) => self.sets.get(set).clone(),
            None => found.locations().map(|location| location.object.index() as u32).collect(),
        };
        View { objects, outside: found.outside, unknown: found.unknown, harmless: found.harmless() }
    }

    pub(crate) fn sets(&self) -> &ObjectSets {
        &self.sets
    }

    /// The name of a set of objects.
    pub(crate) fn name_set(&mut self, objects: SparseSet) -> ObjectSetId {
        self.sets.intern(objects)
    }

    /// The size of an object in bytes, if it is always the same.
    pub(crate) fn size(&self, object: ObjectId) -> Option<u64> {
        self.objects.get(object).size
    }

    /// Gives names to the sets of objects that are too large for naming each object.
    fn name_large_sets(&mut self) {
        for (root, points) in self.points.iter().enumerate() {
            if points.len() <= NAMED {
                continue;
            }
            let objects: SparseSet = (points.iter())
                .filter_map(|number| self.objects.location(number))
                .filter(|location| !self.objects.is_harmless(location.object))
                .map(|location| location.object.index() as u32)
                .collect();
            if objects.len() > NAMED {
                self.many.insert(root as u32, self.sets.intern(objects));
            }
        }
    }
}

/// What one value may point to.
pub(crate) struct Found<'a> {
    pub(crate) outside: bool,
    pub(crate) unknown: bool,
    /// The set of all objects, if they are many.
    pub(crate) many: Option<ObjectSetId>,
    points: &'a SparseSet,
    objects: &'a Objects,
}

impl Found<'_> {
    /// The locations in objects, functions and literals aside.
    pub(crate) fn locations(&self) -> impl Iterator<Item = Location> + '_ {
        (self.points.iter())
            .filter_map(|number| self.objects.location(number))
            .filter(|location| !self.objects.is_harmless(location.object))
    }

    /// Whether functions or literals are among the objects.
    pub(crate) fn harmless(&self) -> bool {
        let mut locations = self.points.iter().filter_map(|number| self.objects.location(number));
        locations.any(|location| self.objects.is_harmless(location.object))
    }
}
