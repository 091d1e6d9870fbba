//! The names of a program that nodes can stand for, and how each of them is observed.

use incise_frontend::{Inside, Watch};
use incise_ir::c_types::size_of_debug_type;
use incise_ir::{DebugType, DebugTypeId, Encoding, FunctionId, Program, Type};
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

/// Where something lies in what it is a part of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Lies {
    /// Its bytes in the global variable, from the first to one past the last, if they are known.
    pub(super) bytes: Option<(u64, u64)>,
    /// The path to the outermost union that it lies in: what is written to other members is written to it.
    pub(super) union: Option<String>,
    /// The type that it has in the IR, if it is a part that is a number, and whether that is a signed one.
    pub(super) number: Option<(String, bool)>,
}

/// The names of a program with how each is observed.
pub(super) struct Names {
    pub(super) named: Vec<Named>,
    pub(super) observables: Vec<Observable>,
    /// For each, where it lies.
    pub(super) lies: Vec<Lies>,
}

impl Names {
    /// Of a program that is looked at when a function returns.
    pub(super) fn of(program: &Program, entry: FunctionId) -> Self {
        let mut names = Self { named: Vec::new(), observables: Vec::new(), lies: Vec::new() };
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

    fn add(&mut self, named: Named, observable: Observable, lies: Lies) {
        if self.named.len() < MOST_NAMES {
            self.named.push(named);
            self.observables.push(observable);
            self.lies.push(lies);
        }
    }

    fn globals(&mut self, program: &Program) {
        for (_, global) in program.globals.iter().filter(|(_, each)| !each.model && !each.constant) {
            let path = global.source_name.clone().unwrap_or_else(|| global.name.clone());
            let file = global.location.map(|at| program.files[program.locations[at].file].name.to_string());
            let mut add = |kind: NamedKind, path: String, lies: Lies| {
                let symbol = global.name.clone();
                let named =
                    Named { kind, path: path.clone(), function: None, file: file.clone(), of_entry: false };
                self.add(named, Observable::Global { symbol, path }, lies);
            };
            add(NamedKind::Global, path.clone(), Lies::default());
            if let Some(ty) = global.debug_type {
                for field in fields(program, ty, &path) {
                    add(NamedKind::Field, field.path, field.lies);
                }
            }
        }
    }

    fn function(&mut self, program: &Program, id: FunctionId, of_entry: bool) {
        let function = &program.functions[id];
        let file = function.file.map(|file| program.files[file].name.to_string());
        let name = function.name.clone();
        let mut add = |kind: NamedKind, path: String, observable: Observable, lies: Lies| {
            let function = Some(name.clone());
            self.add(Named { kind, path, function, file: file.clone(), of_entry }, observable, lies);
        };
        let watch = |inside: Inside| Observable::Inside(Watch { function: function.name.clone(), inside });
        if is_plain(program, function.result) {
            add(NamedKind::Result, function.name.clone(), watch(Inside::Result), Lies::default());
        }
        let mut known = std::collections::BTreeSet::new();
        for variable in &function.variables {
            let kind = if variable.parameter.is_some() { NamedKind::Parameter } else { NamedKind::Local };
            let pointee = variable.ty.and_then(|ty| pointee(program, ty));
            // Two variables of one name are one here, and cannot be watched.
            if known.insert(&variable.name) {
                let inside = watch(Inside::Variable(variable.name.clone()));
                add(kind, variable.name.clone(), inside, Lies::default());
            }
            if let (true, NamedKind::Parameter, Some(pointee)) = (of_entry, kind, pointee) {
                for Field { path, lies } in fields_behind(program, pointee, &variable.name) {
                    add(NamedKind::Field, path.clone(), Observable::Memory { path }, lies);
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

fn fields_behind(program: &Program, ty: DebugTypeId, pointer: &str) -> Vec<Field> {
    let Some(resolved) = program.resolve_debug_type(ty) else { return Vec::new() };
    match &program.debug_types[resolved] {
        DebugType::Composite { .. } => {
            // `p->x` and not `*p.x`.
            let behind = |path: &str| match path.trim_start_matches('.') {
                "" => pointer.to_owned(),
                path => format!("{pointer}->{path}"),
            };
            let field = |field: Field| {
                let union = field.lies.union.as_deref().map(behind);
                Field { path: behind(&field.path), lies: Lies { union, ..Lies::default() } }
            };
            fields(program, resolved, "").into_iter().map(field).collect()
        }
        _ => vec![Field { path: format!("*{pointer}"), lies: Lies::default() }],
    }
}

/// A part of a variable.
struct Field {
    path: String,
    lies: Lies,
}

/// A part whose own parts are to be looked at.
struct Part {
    ty: DebugTypeId,
    path: String,
    offset: u64,
    union: Option<String>,
    depth: usize,
}

/// The parts of a variable. Members without a name are members of what they are in.
fn fields(program: &Program, ty: DebugTypeId, path: &str) -> Vec<Field> {
    let mut found = Vec::new();
    let mut work = vec![Part { ty, path: path.to_owned(), offset: 0, union: None, depth: 0 }];
    while let Some(part) = work.pop() {
        let Some(resolved) = program.resolve_debug_type(part.ty).filter(|_| part.depth < DEEPEST) else {
            continue;
        };
        let mut inner = |ty: DebugTypeId,
                         path: String,
                         (start, end): (u64, u64),
                         union: Option<String>,
                         whole: bool| {
            if path != part.path {
                let bytes = (end > start).then_some((start, end));
                let number = number_type(program, ty).filter(|_| whole);
                found.push(Field { path: path.clone(), lies: Lies { bytes, union: union.clone(), number } });
            }
            work.push(Part { ty, path, offset: start, union, depth: part.depth + 1 });
        };
        match &program.debug_types[resolved] {
            DebugType::Composite { members, union, .. } => {
                for member in members {
                    let path = match member.name.as_str() {
                        "" => part.path.clone(),
                        name => format!("{}.{name}", part.path),
                    };
                    let shared = union.then(|| part.path.clone());
                    let first = part.offset + member.offset_bits / 8;
                    let end = part.offset + (member.offset_bits + member.bits).div_ceil(8);
                    inner(member.ty, path, (first, end), part.union.clone().or(shared), !member.bit_field);
                }
            }
            DebugType::Array { element, counts } if counts.len() == 1 => {
                let size = size_of_debug_type(program, *element).unwrap_or(0);
                for index in 0..counts[0].unwrap_or(0).min(MOST_ELEMENTS) {
                    let first = part.offset + index * size;
                    let path = format!("{}[{index}]", part.path);
                    inner(*element, path, (first, first + size), part.union.clone(), true);
                }
            }
            _ => {}
        }
    }
    found
}

/// The type of a number in the IR, and whether it is a signed one.
fn number_type(program: &Program, ty: DebugTypeId) -> Option<(String, bool)> {
    let signed = |encoding: &Encoding| {
        !matches!(encoding, Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Boolean)
    };
    match &program.debug_types[program.resolve_debug_type(ty)?] {
        DebugType::Basic { bits, encoding: Encoding::Float, .. } => match bits {
            32 => Some(("float".to_owned(), true)),
            64 => Some(("double".to_owned(), true)),
            _ => None,
        },
        DebugType::Basic { bits: bits @ (8 | 16 | 32 | 64), encoding, .. }
            if *encoding != Encoding::Other =>
        {
            Some((format!("i{bits}"), signed(encoding)))
        }
        DebugType::Enumeration { bits, signed, .. } => Some((format!("i{bits}"), *signed)),
        _ => None,
    }
}
