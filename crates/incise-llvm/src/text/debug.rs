//! Debug information: the locations of instructions, the functions and variables of the source.

use super::cursor::unescape_text;
use super::metadata::{FieldValue, NodeReference};
use super::reader::Reader;
use incise_ir::{
    DebugTypeId, FileId, Function, Global, Id, LocalVariable, Location, LocationId, Operand, SourceFile,
};
use rustc_hash::FxHashMap;

/// How many scopes or inlined calls may follow each other; broken metadata may hold a cycle.
const MAXIMUM_CHAIN: usize = 512;

const UNKNOWN: u32 = u32::MAX;
const ABSENT: u32 = u32::MAX - 1;

/// What has been decoded of a module's debug information.
pub(crate) struct DebugState {
    /// For each metadata node, the location it was decoded to.
    locations: Vec<u32>,
    /// The file of each scope that was met.
    scope_files: FxHashMap<u32, Option<FileId>>,
    /// The type of each node that was met.
    pub(super) types: FxHashMap<NodeKey, DebugTypeId>,
    /// For each unit that was met, the structs that its functions cast pointers to, by their names.
    pub(super) casts: FxHashMap<NodeKey, FxHashMap<Vec<u8>, NodeReference>>,
}

/// A node as a key; inline nodes are told apart by their offset.
pub(super) type NodeKey = (bool, usize);

pub(super) fn node_key(reference: NodeReference) -> NodeKey {
    match reference {
        NodeReference::Number(number) => (false, number as usize),
        NodeReference::Inline(at) => (true, at),
    }
}

impl DebugState {
    pub(crate) fn new(nodes: usize) -> Self {
        Self {
            locations: vec![UNKNOWN; nodes],
            scope_files: FxHashMap::default(),
            types: FxHashMap::default(),
            casts: FxHashMap::default(),
        }
    }
}

/// A `DILocation` as it is written.
#[derive(Default)]
struct RawLocation {
    line: u32,
    column: u32,
    scope: Option<NodeReference>,
    inlined_at: Option<NodeReference>,
}

/// How debug information ties a variable to a value.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum VariableTie {
    /// The value is the address of the variable.
    Declare,
    /// The value is that of the variable.
    Value,
}

impl<'a> Reader<'a, '_> {
    /// The location of a `!dbg` attachment.
    pub(crate) fn location(&mut self, reference: NodeReference) -> Option<LocationId> {
        match self.cached_location(reference) {
            UNKNOWN => {}
            ABSENT => return None,
            known => return Some(LocationId::from_index(known as usize)),
        }
        // The chain of calls that the code was inlined through, from the inside out.
        let mut chain = Vec::new();
        let mut outer = None;
        let mut next = Some(reference);
        while let Some(reference) = next {
            match self.cached_location(reference) {
                UNKNOWN => {}
                ABSENT => break,
                known => {
                    outer = Some(LocationId::from_index(known as usize));
                    break;
                }
            }
            let Some(raw) = self.raw_location(reference) else { break };
            next = raw.inlined_at;
            chain.push((reference, raw));
            if chain.len() > MAXIMUM_CHAIN {
                chain.clear();
                break;
            }
        }
        if chain.is_empty() {
            self.cache_location(reference, None);
            return outer;
        }
        for (reference, raw) in chain.into_iter().rev() {
            let file = raw.scope.and_then(|scope| self.scope_file(scope));
            let location = file.map(|file| {
                let location = Location { file, line: raw.line, column: raw.column, inlined_at: outer };
                self.builder.program.locations.push(location)
            });
            self.cache_location(reference, location);
            outer = location;
        }
        outer
    }

    fn cached_location(&self, reference: NodeReference) -> u32 {
        match reference {
            NodeReference::Number(number) => {
                self.state.debug.locations.get(number as usize).copied().unwrap_or(ABSENT)
            }
            NodeReference::Inline(_) => UNKNOWN,
        }
    }

    fn cache_location(&mut self, reference: NodeReference, location: Option<LocationId>) {
        if let NodeReference::Number(number) = reference
            && let Some(slot) = self.state.debug.locations.get_mut(number as usize)
        {
            *slot = location.map_or(ABSENT, |location| location.index() as u32);
        }
    }

    fn raw_location(&self, reference: NodeReference) -> Option<RawLocation> {
        let node = self.module.node(reference)?;
        if node.kind != b"DILocation" {
            return None;
        }
        let mut raw = RawLocation::default();
        node.fields(|name, value| match name {
            b"line" => raw.line = value.small_number(),
            b"column" => raw.column = value.small_number(),
            b"scope" => raw.scope = value.node(),
            b"inlinedAt" => raw.inlined_at = value.node(),
            _ => {}
        });
        Some(raw)
    }

    /// Whether a `!dbg` attachment says that the code was inlined.
    pub(crate) fn is_inlined(&self, reference: NodeReference) -> bool {
        self.raw_location(reference).is_some_and(|raw| raw.inlined_at.is_some())
    }

    /// The file of a scope: its own, or that of the nearest scope around it which has one.
    fn scope_file(&mut self, scope: NodeReference) -> Option<FileId> {
        if let NodeReference::Number(number) = scope
            && let Some(&file) = self.state.debug.scope_files.get(&number)
        {
            return file;
        }
        let mut found = None;
        let mut next = Some(scope);
        for _ in 0..MAXIMUM_CHAIN {
            let Some(node) = next.and_then(|scope| self.module.node(scope)) else { break };
            let (mut file, mut parent) = (None, None);
            if node.kind == b"DIFile" {
                file = next;
            } else {
                node.fields(|name, value| match name {
                    b"file" => file = value.node(),
                    b"scope" => parent = value.node(),
                    _ => {}
                });
            }
            if let Some(file) = file {
                found = self.file(file);
                break;
            }
            next = parent;
        }
        if let NodeReference::Number(number) = scope {
            self.state.debug.scope_files.insert(number, found);
        }
        found
    }

    /// A `DIFile`.
    fn file(&mut self, reference: NodeReference) -> Option<FileId> {
        let node = self.module.node(reference)?;
        if node.kind != b"DIFile" {
            return None;
        }
        let (mut name, mut directory) = (String::new(), String::new());
        node.fields(|field, value| match field {
            b"filename" => name = unescape_text(value.string()),
            b"directory" => directory = unescape_text(value.string()),
            _ => {}
        });
        Some(self.builder.file(SourceFile { name: name.into(), directory }))
    }

    /// Fills in what a function's `DISubprogram` says.
    pub(crate) fn describe_function(&mut self, reference: NodeReference, function: &mut Function) {
        let Some(node) = self.module.node(reference).filter(|node| node.kind == b"DISubprogram") else {
            return;
        };
        let (mut file, mut ty, mut unit) = (None, None, None);
        node.fields(|name, value| match name {
            b"file" => file = value.node(),
            b"line" => function.line = value.small_number(),
            b"type" => ty = value.node(),
            b"unit" => unit = value.node(),
            _ => {}
        });
        if let Some(unit) = unit.filter(|_| !self.state.model) {
            function.cast_members = self.cast_members(unit);
        }
        function.file = file.and_then(|file| self.file(file));
        let types = ty.map(|ty| self.subroutine_types(ty)).unwrap_or_default();
        function.debug_signature = types.into_iter().map(|ty| ty.map(|ty| self.debug_type(ty))).collect();
    }

    /// The result and parameters of a `DISubroutineType`; `None` is `void` (or `...` at the end).
    pub(super) fn subroutine_types(&self, reference: NodeReference) -> Vec<Option<NodeReference>> {
        let Some(node) = self.module.node(reference).filter(|node| node.kind == b"DISubroutineType") else {
            return Vec::new();
        };
        let mut types = None;
        node.fields(|name, value| {
            if name == b"types" {
                types = value.node();
            }
        });
        self.tuple(types).iter().map(FieldValue::node).collect()
    }

    /// The elements of a tuple, none if it is something else.
    pub(super) fn tuple(&self, reference: Option<NodeReference>) -> Vec<FieldValue<'a>> {
        match reference.and_then(|reference| self.module.node(reference)) {
            Some(node) if node.kind.is_empty() => node.elements(),
            _ => Vec::new(),
        }
    }

    /// Fills in what a global's `DIGlobalVariableExpression` says.
    pub(crate) fn describe_global(&mut self, reference: NodeReference, global: &mut Global) {
        let Some(mut node) = self.module.node(reference) else { return };
        if node.kind == b"DIGlobalVariableExpression" {
            let mut variable = None;
            node.fields(|name, value| {
                if name == b"var" {
                    variable = value.node();
                }
            });
            let Some(found) = variable.and_then(|variable| self.module.node(variable)) else { return };
            node = found;
        }
        if node.kind != b"DIGlobalVariable" {
            return;
        }
        let (mut file, mut line, mut ty) = (None, 0, None);
        node.fields(|name, value| match name {
            b"name" => global.source_name = Some(unescape_text(value.string())),
            b"file" => file = value.node(),
            b"line" => line = value.small_number(),
            b"type" => ty = value.node(),
            _ => {}
        });
        global.debug_type = ty.map(|ty| self.debug_type(ty));
        global.location = self.declaration_location(file, line);
    }

    fn declaration_location(&mut self, file: Option<NodeReference>, line: u32) -> Option<LocationId> {
        let file = file.and_then(|file| self.file(file))?;
        Some(self.builder.program.locations.push(Location { file, line, column: 0, inlined_at: None }))
    }

    /// Notes a variable that the source declares in the function that is being read. `storage` is given only where the
    /// variable is exactly that (its expression is empty).
    pub(crate) fn declare_variable(
        &mut self,
        variable: NodeReference,
        tie: VariableTie,
        storage: Option<Operand>,
    ) {
        let key = node_key(variable);
        if let Some(&known) = self.body.variables.get(&key) {
            // Of several values of a variable the first is kept; an address tells more than any value.
            let known = &mut self.body.function.variables[known];
            let better = tie == VariableTie::Declare && !known.by_address;
            if storage.is_some() && (known.storage.is_none() || better) {
                known.storage = storage;
                known.by_address = tie == VariableTie::Declare;
            }
            return;
        }
        let Some(node) = self.module.node(variable).filter(|node| node.kind == b"DILocalVariable") else {
            return;
        };
        let (mut name, mut parameter, mut file, mut line, mut ty) = (String::new(), None, None, 0, None);
        node.fields(|field, value| match field {
            b"name" => name = unescape_text(value.string()),
            b"arg" => parameter = Some(value.small_number()).filter(|&number| number > 0),
            b"file" => file = value.node(),
            b"line" => line = value.small_number(),
            b"type" => ty = value.node(),
            _ => {}
        });
        let ty = ty.map(|ty| self.debug_type(ty));
        let location = self.declaration_location(file, line);
        self.body.variables.insert(key, self.body.function.variables.len());
        let by_address = tie == VariableTie::Declare && storage.is_some();
        self.body.function.variables.push(LocalVariable {
            name,
            ty,
            storage,
            by_address,
            parameter,
            location,
        });
    }
}
