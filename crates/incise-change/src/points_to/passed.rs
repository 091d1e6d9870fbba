//! What callers pass, told apart by how it is declared.
//!
//! Nobody can see the callers of a library: what they pass may be the same memory by every way, and that of the
//! library itself. Of one call by itself more can be said if its caller does what declarations say: a pointer to a
//! struct leads to such a struct, and what pointers of different types lead to is not the same. Pointers to bytes,
//! and those of which nothing is declared, lead to bytes. Memory that code makes which nobody can see is an object
//! of its own for each such call, and what code that nobody can see calls is not the program's.
//!
//! What holds if callers do not keep to that is found with [`World::Open`].

use super::build::Builder;
use super::graph::{Graph, PointerNode, Use};
use super::objects::{LocationNumber, ObjectId, ObjectKind, Shift};
use incise_ir::c_types::size_of_debug_type;
use incise_ir::parameters::{Carried, carried_parameters, parameter_type};
use incise_ir::{Call, DebugType, DebugTypeId, Encoding, FunctionId, GlobalId, InstructionId, Program, Type};
use rustc_hash::FxHashMap;

/// What is known of the memory of code that nobody can see.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum World {
    /// Such code may pass on all that it knows.
    Open,
    /// Memory is what it is declared to be.
    Declared,
}

/// By which way memory is passed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Way {
    /// By a parameter that is declared.
    Parameter,
    /// Among the arguments that come after the parameters.
    Variadic,
    /// By a variable of the program.
    Variable,
    /// As the place of a result.
    Result,
    /// By a call.
    Made,
}

/// Arrays of more pointers are not taken apart.
const ELEMENTS: u64 = 256;
/// Pointers to pointers to pointers..., so often at most.
const POINTERS: usize = 8;

/// What pointers that are passed lead to.
#[derive(Default)]
pub(super) struct Passed {
    known: FxHashMap<(String, Way), LocationNumber>,
    /// Objects that hold what their type says, and not yet do.
    empty: Vec<(ObjectId, Content, Way)>,
}

/// What an object holds that is passed.
#[derive(Clone)]
enum Content {
    /// No addresses.
    Nothing,
    /// Addresses of itself: nobody knows more.
    Itself,
    /// A pointer to a type.
    Pointer(Option<DebugTypeId>),
    /// A struct.
    Struct(DebugTypeId),
}

impl Builder<'_> {
    /// Calls an entry with what its parameters are declared to be.
    pub(super) fn call_as_declared(&mut self, graph: &mut Graph, id: FunctionId) {
        let function = &self.program.functions[id];
        let carried = carried_parameters(self.program, function);
        for (index, parameter) in function.parameters.iter().enumerate() {
            let value = function.parameter_value(index);
            let ty = match carried.get(index) {
                Some(Carried::Bytes { number, .. }) => parameter_type(function, *number as u32),
                _ => {
                    let result = self.passed_object(graph, format!("{id:?}"), Way::Result, Content::Nothing);
                    graph.insert(self.value(id, value), result);
                    continue;
                }
            };
            let (way, resolved) = (Way::Parameter, ty.and_then(|ty| self.program.resolve_debug_type(ty)));
            let declared = resolved.map(|ty| &self.program.debug_types[ty]);
            if parameter.by_value.is_some() {
                if let (Some(object), Some(ty)) = (graph.objects.find(ObjectKind::Local(id, value)), resolved)
                {
                    self.fill(graph, object, ty, way);
                }
            } else if let Some(DebugType::Pointer(target)) = declared {
                let location = self.passed(graph, *target, way);
                graph.insert(self.value(id, value), location);
            } else if matches!(declared, Some(DebugType::Composite { .. }) | None)
                && self.holds_address(parameter.ty)
                || matches!(self.program.types.get(parameter.ty), Type::Pointer)
            {
                let location = self.passed(graph, None, way);
                graph.insert(self.value(id, value), location);
            }
        }
        if let Some(object) = graph.objects.find(ObjectKind::Arguments(id)) {
            let location = self.passed(graph, None, Way::Variadic);
            graph.cells(object).for_each(|cell| graph.insert(cell, location));
        }
        self.fill_passed(graph);
    }

    /// A variable of the program holds what its users outside put there.
    pub(super) fn set_as_declared(&mut self, graph: &mut Graph, id: GlobalId, object: ObjectId) {
        match self.program.globals[id].debug_type {
            Some(ty) => self.fill(graph, object, ty, Way::Variable),
            None => {
                let location = self.passed(graph, None, Way::Variable);
                graph.cells(object).for_each(|cell| graph.insert(cell, location));
            }
        }
        self.fill_passed(graph);
    }

    /// Calls code that nobody can see: it returns something new, or what it was given, and leaves that where pointers
    /// lead that it was given.
    pub(super) fn call_stranger(
        &mut self,
        graph: &mut Graph,
        (id, at): (FunctionId, InstructionId),
        call: &Call,
        to: Option<PointerNode>,
    ) {
        let given = graph.add_node();
        let made = self.passed_object(graph, format!("{id:?} {at:?}"), Way::Made, Content::Itself);
        graph.insert(given, made);
        for &argument in &call.arguments {
            if let Some(node) = self.node(graph, id, argument) {
                let anywhere = graph.add_node();
                graph.add_use(node, Use::Shift(Shift::ANY, anywhere));
                graph.include(anywhere, given);
                graph.add_use(anywhere, Use::Store(given, 8));
            }
        }
        to.into_iter().for_each(|to| graph.include(given, to));
        self.fill_passed(graph);
    }

    /// Where a pointer to a declared type leads.
    fn passed(&mut self, graph: &mut Graph, target: Option<DebugTypeId>, way: Way) -> LocationNumber {
        let (key, content) = declared(self.program, target);
        self.passed_object(graph, key, way, content)
    }

    fn passed_object(
        &mut self,
        graph: &mut Graph,
        key: String,
        way: Way,
        content: Content,
    ) -> LocationNumber {
        if let Some(&known) = self.passed.known.get(&(key.clone(), way)) {
            return known;
        }
        let kind = ObjectKind::Passed(self.passed.known.len() as u32);
        let size = match content {
            Content::Struct(ty) => size_of_debug_type(self.program, ty),
            Content::Pointer(_) => Some(8),
            _ => None,
        };
        let object = graph.objects.add_repeating(kind, size);
        graph.add_cells(object);
        let location = graph.objects.any_element(object);
        self.passed.known.insert((key, way), location);
        self.passed.empty.push((object, content, way));
        location
    }

    /// Gives contents to the objects that have none.
    fn fill_passed(&mut self, graph: &mut Graph) {
        while let Some((object, content, way)) = self.passed.empty.pop() {
            match content {
                Content::Nothing => {}
                Content::Itself => {
                    let anywhere = graph.objects.anywhere(object);
                    graph.cells(object).for_each(|cell| graph.insert(cell, anywhere));
                }
                Content::Pointer(target) => {
                    let location = self.passed(graph, target, way);
                    graph.cells(object).for_each(|cell| graph.insert(cell, location));
                }
                Content::Struct(ty) => self.fill(graph, object, ty, way),
            }
        }
    }

    /// Lets an object hold what a type says.
    fn fill(&mut self, graph: &mut Graph, object: ObjectId, ty: DebugTypeId, way: Way) {
        for (offset, target) in pointers_in(self.program, ty) {
            let location = self.passed(graph, target, way);
            let cell = graph.cell(object, offset / 8);
            graph.insert(cell, location);
        }
    }
}

/// A name for what a pointer to a type leads to, and what is there.
fn declared(program: &Program, target: Option<DebugTypeId>) -> (String, Content) {
    let bytes = || ("bytes".to_owned(), Content::Itself);
    let mut target = target;
    let mut stars = String::new();
    let mut outermost = None;
    for _ in 0..POINTERS {
        let Some((ty, name)) = target.and_then(|ty| named(program, ty)) else {
            return match outermost {
                Some(content) => (stars, content),
                None => bytes(),
            };
        };
        let (key, content) = match &program.debug_types[ty] {
            DebugType::Pointer(next) => {
                stars.push('*');
                outermost.get_or_insert(Content::Pointer(*next));
                target = *next;
                continue;
            }
            DebugType::Array { element, .. } => {
                target = Some(*element);
                continue;
            }
            DebugType::Composite { members, .. } if members.is_empty() => (name, Content::Itself),
            DebugType::Composite { .. } => (name, Content::Struct(ty)),
            DebugType::Basic { bits: 8, .. } | DebugType::Unknown if outermost.is_none() => return bytes(),
            DebugType::Basic { bits, encoding, .. } => {
                let number = matches!(encoding, Encoding::Float);
                (format!("{}{bits}", if number { 'f' } else { 'i' }), Content::Nothing)
            }
            DebugType::Enumeration { bits, .. } => (format!("i{bits}"), Content::Nothing),
            DebugType::Function(_) => ("function".to_owned(), Content::Nothing),
            _ => ("?".to_owned(), Content::Itself),
        };
        return (stars + &key, outermost.unwrap_or(content));
    }
    bytes()
}

/// A type behind its names, and what it is called: a struct has the same name in all files.
fn named(program: &Program, mut ty: DebugTypeId) -> Option<(DebugTypeId, String)> {
    let mut known = String::new();
    for _ in 0..program.debug_types.len() {
        match &program.debug_types[ty] {
            DebugType::Typedef { name, target } => {
                known.clone_from(name);
                ty = (*target)?;
            }
            DebugType::Qualified { target, .. } => ty = (*target)?,
            DebugType::Composite { name, .. } if !name.is_empty() => {
                return Some((ty, format!("struct {name}")));
            }
            _ if known.is_empty() => return Some((ty, format!("{ty:?}"))),
            _ => return Some((ty, known)),
        }
    }
    None
}

/// Where a type holds pointers, in bytes from its start, and what they are declared to point to.
fn pointers_in(program: &Program, ty: DebugTypeId) -> Vec<(u64, Option<DebugTypeId>)> {
    let mut found = Vec::new();
    let mut work = vec![(ty, 0)];
    while let Some((ty, offset)) = work.pop() {
        let Some(ty) = program.resolve_debug_type(ty) else { continue };
        match &program.debug_types[ty] {
            DebugType::Pointer(target) => found.push((offset, *target)),
            DebugType::Composite { members, .. } => {
                let plain = members.iter().filter(|member| !member.bit_field);
                work.extend(plain.map(|member| (member.ty, offset + member.offset_bits / 8)));
            }
            DebugType::Array { element, counts } => {
                let count = counts.iter().map(|count| count.unwrap_or(1)).fold(1, u64::saturating_mul);
                let size = size_of_debug_type(program, *element).unwrap_or(0);
                let elements = (0..count.min(ELEMENTS)).map(|index| (*element, offset + index * size));
                if size != 0 {
                    work.extend(elements);
                }
            }
            _ => {}
        }
        if found.len() + work.len() > 1 << 16 {
            break;
        }
    }
    found
}
