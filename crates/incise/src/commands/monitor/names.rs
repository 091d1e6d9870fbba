//! The names of a program that nodes can stand for, and how each of them is observed.

use incise_frontend::{Inside, Watch};
use incise_ir::{DebugType, DebugTypeId, FunctionId, Program, Type};
use incise_monitor::{Named, NamedKind};

/// Members of members are looked at up to here.
const DEEPEST: usize = 4;
/// Elements of arrays have names up to here.
const MOST_ELEMENTS: u64 = 64;
/// So many names are looked at.
const MOST_NAMES: usize = 200_000;

/// How something is observed when the entry returns.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Observable {
    /// A global variable, or a part of it.
    Global {
        /// Its symbol.
        symbol: String,
        /// Its name, or the path to the part.
        path: String,
    },
    /// What is behind a pointer.
    Memory {
        /// The path to it.
        path: String,
    },
    /// What a function keeps to itself.
    Inside(Watch),
}

impl Observable {
    /// What differences call it.
    pub(super) fn part(&self) -> String {
        match self {
            Self::Global { path, .. } | Self::Memory { path } => path.clone(),
            Self::Inside(watch) => watch.name(),
        }
    }

    /// The symbol of the global variable that it is, is part of, or is copied to.
    pub(super) fn symbol(&self) -> Option<String> {
        match self {
            Self::Global { symbol, .. } => Some(symbol.clone()),
            Self::Memory { .. } => None,
            Self::Inside(watch) => Some(watch.symbol()),
        }
    }
}

/// The names of a program with how each is observed.
pub(super) struct Names {
    pub(super) named: Vec<Named>,
    pub(super) observables: Vec<Observable>,
}

impl Names {
    /// Of a program that is looked at when a function returns.
    pub(super) fn of(program: &Program, entry: FunctionId) -> Self {
        let mut names = Self { named: Vec::new(), observables: Vec::new() };
        names.globals(program);
        let functions = program.functions.iter();
        for (id, function) in functions.filter(|(_, each)| each.is_definition() && !each.model) {
            // Of two functions of one name nobody can say which is meant.
            if program.function_named(&function.name) == Some(id) {
                names.function(program, id, id == entry);
            }
        }
        names
    }

    fn add(&mut self, named: Named, observable: Observable) {
        if self.named.len() < MOST_NAMES {
            self.named.push(named);
            self.observables.push(observable);
        }
    }

    fn globals(&mut self, program: &Program) {
        for (_, global) in program.globals.iter().filter(|(_, each)| !each.model && !each.constant) {
            let path = global.source_name.clone().unwrap_or_else(|| global.name.clone());
            let file = global.location.map(|at| program.files[program.locations[at].file].name.to_string());
            let mut add = |kind: NamedKind, path: String| {
                let symbol = global.name.clone();
                let named =
                    Named { kind, path: path.clone(), function: None, file: file.clone(), of_entry: false };
                self.add(named, Observable::Global { symbol, path });
            };
            add(NamedKind::Global, path.clone());
            if let Some(ty) = global.debug_type {
                for field in fields(program, ty, &path) {
                    add(NamedKind::Field, field);
                }
            }
        }
    }

    fn function(&mut self, program: &Program, id: FunctionId, of_entry: bool) {
        let function = &program.functions[id];
        let file = function.file.map(|file| program.files[file].name.to_string());
        let name = function.name.clone();
        let mut add = |kind: NamedKind, path: String, observable: Observable| {
            let function = Some(name.clone());
            self.add(Named { kind, path, function, file: file.clone(), of_entry }, observable);
        };
        let watch = |inside: Inside| Observable::Inside(Watch { function: function.name.clone(), inside });
        if is_plain(program, function.result) {
            add(NamedKind::Result, function.name.clone(), watch(Inside::Result));
        }
        let mut known = std::collections::BTreeSet::new();
        for variable in &function.variables {
            let kind = if variable.parameter.is_some() { NamedKind::Parameter } else { NamedKind::Local };
            let pointee = variable.ty.and_then(|ty| pointee(program, ty));
            // Two variables of one name are one here, and cannot be watched.
            if known.insert(&variable.name) {
                add(kind, variable.name.clone(), watch(Inside::Variable(variable.name.clone())));
            }
            if let (true, NamedKind::Parameter, Some(pointee)) = (of_entry, kind, pointee) {
                for path in fields_behind(program, pointee, &variable.name) {
                    add(NamedKind::Field, path.clone(), Observable::Memory { path });
                }
            }
        }
    }
}

/// Whether a value is one number or pointer.
fn is_plain(program: &Program, ty: incise_ir::TypeId) -> bool {
    !matches!(program.types.get(ty), Type::Void) && program.types.scalar_bits(ty).is_some()
}

fn pointee(program: &Program, ty: DebugTypeId) -> Option<DebugTypeId> {
    match program.debug_types[program.resolve_debug_type(ty)?] {
        DebugType::Pointer(target) => target,
        _ => None,
    }
}

fn fields_behind(program: &Program, ty: DebugTypeId, pointer: &str) -> Vec<String> {
    let Some(resolved) = program.resolve_debug_type(ty) else { return Vec::new() };
    match &program.debug_types[resolved] {
        DebugType::Composite { .. } => {
            // `p->x` and not `*p.x`.
            let inner = fields(program, resolved, "");
            inner.into_iter().map(|path| format!("{pointer}->{}", path.trim_start_matches('.'))).collect()
        }
        _ => vec![format!("*{pointer}")],
    }
}

/// The paths to the parts of a variable.
fn fields(program: &Program, ty: DebugTypeId, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut work = vec![(ty, path.to_owned(), 0)];
    while let Some((ty, path, depth)) = work.pop() {
        let Some(resolved) = program.resolve_debug_type(ty).filter(|_| depth < DEEPEST) else { continue };
        let mut part = |ty: DebugTypeId, path: String| {
            found.push(path.clone());
            work.push((ty, path, depth + 1));
        };
        match &program.debug_types[resolved] {
            DebugType::Composite { members, .. } => {
                members.iter().filter(|member| !member.name.is_empty()).for_each(|member| {
                    part(member.ty, format!("{path}.{}", member.name));
                });
            }
            DebugType::Array { element, counts } if counts.len() == 1 => {
                for index in 0..counts[0].unwrap_or(0).min(MOST_ELEMENTS) {
                    part(*element, format!("{path}[{index}]"));
                }
            }
            _ => {}
        }
    }
    found
}
