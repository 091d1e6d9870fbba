//! What names, types and constants of a program stand for, in a form that two versions can compare.
//!
//! Functions and variables are what their name says; where several files have a `static` of the same name, those of the
//! two versions are paired by file. What the compiler made up (`.str.3`) is its content. A variable *as a place*, to be
//! written, is its name and type; *as a value*, its initial content as well, and the content of all that its
//! initialiser points to.

use crate::hash::{Fingerprint, Mixer};
use incise_ir::{
    ConstantId, ConstantKind, FileId, FunctionId, GlobalId, Id, Linkage, Operand, Program, Type, TypeId,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::hash::Hash;

/// The fingerprints of a program's types, constants, functions and variables.
#[derive(Clone, Debug)]
pub struct Symbols {
    types: Vec<Fingerprint>,
    functions: Vec<Fingerprint>,
    /// Constants, with variables as places.
    places: Vec<Fingerprint>,
    /// Constants, with variables as values.
    values: Vec<Fingerprint>,
}

impl Symbols {
    /// Those of two versions: what belongs together is equal.
    pub fn pair(old: &Program, new: &Program) -> (Self, Self) {
        let functions = pair_names(&function_names(old), &function_names(new));
        let globals = pair_names(&global_names(old), &global_names(new));
        (Self::new(old, functions.0, &globals.0), Self::new(new, functions.1, &globals.1))
    }

    fn new(program: &Program, functions: Vec<Fingerprint>, names: &[Fingerprint]) -> Self {
        let types = hash_types(program);
        let places = hash_constants(program, &types, &functions, |global| {
            let variable = &program.globals[global];
            match variable.initializer {
                Some(content) if is_compiler_made(program, global) => Reference::Content(content),
                _ => {
                    let mut mixer = Mixer::new("variable");
                    mixer.fingerprint(names[global.index()]);
                    mixer.fingerprint(types[variable.ty.index()]);
                    mixer.word(u64::from(variable.thread_local));
                    Reference::Known(mixer.done())
                }
            }
        });
        let contents = hash_contents(program, &places);
        let values = hash_constants(program, &types, &functions, |global| {
            let mut mixer = Mixer::new("value of variable");
            if !is_compiler_made(program, global) {
                mixer.fingerprint(names[global.index()]);
                mixer.fingerprint(types[program.globals[global].ty.index()]);
            }
            mixer.fingerprint(contents[global.index()]);
            Reference::Known(mixer.done())
        });
        Self { types, functions, places, values }
    }

    pub(crate) fn ty(&self, id: TypeId) -> Fingerprint {
        self.types[id.index()]
    }

    pub(crate) fn function(&self, id: FunctionId) -> Fingerprint {
        self.functions[id.index()]
    }

    /// A constant to read from, to point to, to compute with.
    pub(crate) fn value(&self, id: ConstantId) -> Fingerprint {
        self.values[id.index()]
    }

    /// A constant to write to.
    pub(crate) fn place(&self, id: ConstantId) -> Fingerprint {
        self.places[id.index()]
    }
}

/// A symbol's name and the file of its definition.
struct Name<'a> {
    name: &'a str,
    file: Option<FileId>,
}

struct Names<'a> {
    program: &'a Program,
    names: Vec<Name<'a>>,
}

fn function_names(program: &Program) -> Names<'_> {
    let names = program.functions.iter().map(|(_, each)| Name { name: &each.name, file: each.file });
    Names { program, names: names.collect() }
}

fn global_names(program: &Program) -> Names<'_> {
    let names = program.globals.iter().map(|(_, each)| Name {
        name: &each.name,
        file: each.location.map(|location| program.locations[location].file),
    });
    Names { program, names: names.collect() }
}

/// Gives equal fingerprints to the symbols that belong together: the only ones of a name, else those of the same file,
/// else in order.
fn pair_names(old: &Names<'_>, new: &Names<'_>) -> (Vec<Fingerprint>, Vec<Fingerprint>) {
    let mut groups: BTreeMap<&str, [Vec<usize>; 2]> = BTreeMap::new();
    for (side, names) in [old, new].into_iter().enumerate() {
        for (index, name) in names.names.iter().enumerate() {
            groups.entry(name.name).or_default()[side].push(index);
        }
    }
    let folders = [common_folder(old.program), common_folder(new.program)];
    let mut found =
        [vec![Fingerprint::default(); old.names.len()], vec![Fingerprint::default(); new.names.len()]];
    for (name, group) in groups {
        let pairs = if group.iter().all(|side| side.len() <= 1) {
            vec![[group[0].first().copied(), group[1].first().copied()]]
        } else {
            pair_by_file([old, new], &folders, &group)
        };
        for (number, pair) in pairs.into_iter().enumerate() {
            let mut mixer = Mixer::new("symbol");
            mixer.text(name);
            mixer.word(number as u64);
            let fingerprint = mixer.done();
            for side in 0..2 {
                if let Some(index) = pair[side] {
                    found[side][index] = fingerprint;
                }
            }
        }
    }
    let [old, new] = found;
    (old, new)
}

/// Pairs symbols of one name: by the path below the common folder, then by the file's own name, then in order.
fn pair_by_file(
    versions: [&Names<'_>; 2],
    folders: &[usize; 2],
    group: &[Vec<usize>; 2],
) -> Vec<[Option<usize>; 2]> {
    let path = |side: usize, index: usize, whole: bool| {
        let names = versions[side];
        let file = names.names[index].file.map(|file| names.program.files[file].path());
        let file = file.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
        let parts: Vec<&str> = file.split('/').collect();
        let skipped = if whole { folders[side] } else { parts.len() - 1 };
        parts[skipped.min(parts.len() - 1)..].join("/")
    };
    let mut pairs = Vec::new();
    let mut rest = group.clone();
    for round in 0..3 {
        let key = |side: usize, index: usize| match round {
            0 => path(side, index, true),
            1 => path(side, index, false),
            _ => String::new(),
        };
        let mut waiting: BTreeMap<String, std::collections::VecDeque<usize>> = BTreeMap::new();
        for &index in &rest[0] {
            waiting.entry(key(0, index)).or_default().push_back(index);
        }
        let mut left = Vec::new();
        for &index in &rest[1] {
            match waiting.get_mut(&key(1, index)).and_then(|queue| queue.pop_front()) {
                Some(partner) => pairs.push([Some(partner), Some(index)]),
                None => left.push(index),
            }
        }
        let mut open: Vec<usize> = waiting.into_values().flatten().collect();
        open.sort_unstable();
        rest = [open, left];
    }
    pairs.extend(rest[0].iter().map(|&index| [Some(index), None]));
    pairs.extend(rest[1].iter().map(|&index| [None, Some(index)]));
    pairs
}

/// How many leading parts the paths of all functions' files have in common, the file names left out.
fn common_folder(program: &Program) -> usize {
    let mut files: Vec<FileId> = program
        .functions
        .iter()
        .filter(|(_, function)| function.is_definition() && !function.model)
        .filter_map(|(_, function)| function.file)
        .collect();
    files.sort_unstable();
    files.dedup();
    let mut common: Option<Vec<String>> = None;
    for file in files {
        let path = program.files[file].path();
        let mut parts: Vec<String> = path.to_string_lossy().split('/').map(str::to_owned).collect();
        parts.pop();
        common = Some(match common {
            None => parts,
            Some(known) => {
                let same = known.iter().zip(&parts).take_while(|(left, right)| left == right).count();
                known[..same].to_vec()
            }
        });
    }
    common.map_or(0, |parts| parts.len())
}

/// Whether a variable is a literal that the compiler put somewhere: its name is a mere number.
pub(crate) fn is_compiler_made(program: &Program, global: GlobalId) -> bool {
    let variable = &program.globals[global];
    if variable.linkage != Linkage::Internal || variable.initializer.is_none() {
        return false;
    }
    let plain = variable.name.trim_end_matches(|each: char| each.is_ascii_digit() || each == '.');
    let prefixes =
        ["__const.", "switch.table.", "__func__.", "__FUNCTION__.", "__PRETTY_FUNCTION__.", "switch.table"];
    variable.name.starts_with('.')
        || variable.constant
            && (plain.is_empty()
                || plain == "str"
                || prefixes.iter().any(|prefix| variable.name.starts_with(prefix)))
}

/// Types are made after those they are made of, so that one pass will do.
fn hash_types(program: &Program) -> Vec<Fingerprint> {
    let mut found: Vec<Fingerprint> = Vec::with_capacity(program.types.len());
    for index in 0..program.types.len() {
        let id = TypeId::from_index(index);
        let ty = program.types.get(id);
        let mut mixer = Mixer::new("type");
        std::mem::discriminant(ty).hash(&mut mixer);
        let of = |id: &TypeId| found.get(id.index()).copied().unwrap_or_default();
        match ty {
            Type::Void | Type::Pointer | Type::Opaque => {}
            Type::Integer(bits) => mixer.word(u64::from(*bits)),
            Type::Float(kind) => kind.hash(&mut mixer),
            Type::Array { element, length } => {
                mixer.fingerprint(of(element));
                mixer.word(*length);
            }
            Type::Vector { element, length } => {
                mixer.fingerprint(of(element));
                mixer.word(u64::from(*length));
            }
            Type::Struct { fields, packed } => {
                mixer.word(u64::from(*packed));
                mixer.word(fields.len() as u64);
                fields.iter().for_each(|field| mixer.fingerprint(of(field)));
            }
            Type::Function { result, parameters, variadic } => {
                mixer.word(u64::from(*variadic));
                mixer.fingerprint(of(result));
                mixer.word(parameters.len() as u64);
                parameters.iter().for_each(|parameter| mixer.fingerprint(of(parameter)));
            }
        }
        found.push(mixer.done());
    }
    found
}

/// What the address of a variable counts as.
enum Reference {
    Known(Fingerprint),
    /// It is what it holds.
    Content(ConstantId),
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Progress {
    Waiting,
    Started,
    Done,
}

/// The fingerprints of all constants. A stack of its own, because a literal may point to another.
fn hash_constants(
    program: &Program,
    types: &[Fingerprint],
    functions: &[Fingerprint],
    variable: impl Fn(GlobalId) -> Reference,
) -> Vec<Fingerprint> {
    let mut found = vec![Fingerprint::default(); program.constants.len()];
    let mut progress = vec![Progress::Waiting; program.constants.len()];
    let mut parts = Vec::new();
    for start in program.constants.ids() {
        let mut stack = vec![start];
        while let Some(&id) = stack.last() {
            if progress[id.index()] == Progress::Done {
                stack.pop();
                continue;
            }
            parts.clear();
            constant_parts(&program.constants[id].kind, &mut parts);
            let mut known = None;
            if let ConstantKind::Global(global) = program.constants[id].kind {
                match variable(global) {
                    Reference::Known(fingerprint) => known = Some(fingerprint),
                    Reference::Content(content) => parts.push(content),
                }
            }
            let waiting = parts.iter().any(|part| progress[part.index()] == Progress::Waiting);
            if progress[id.index()] == Progress::Waiting && waiting {
                progress[id.index()] = Progress::Started;
                stack.extend(parts.iter().filter(|part| progress[part.index()] == Progress::Waiting));
                continue;
            }
            let mut mixer = Mixer::new("constant");
            mixer.fingerprint(types[program.constants[id].ty.index()]);
            mix_constant(&program.constants[id].kind, functions, &mut mixer);
            if let Some(fingerprint) = known {
                mixer.fingerprint(fingerprint);
            }
            // A part that is only started is a cycle of literals: its own start says enough.
            parts.iter().for_each(|part| mixer.fingerprint(found[part.index()]));
            found[id.index()] = mixer.done();
            progress[id.index()] = Progress::Done;
            stack.pop();
        }
    }
    found
}

/// What a constant says besides its parts.
fn mix_constant(kind: &ConstantKind, functions: &[Fingerprint], mixer: &mut Mixer) {
    std::mem::discriminant(kind).hash(mixer);
    match kind {
        ConstantKind::Integer(bits) | ConstantKind::Float(bits) => bits.hash(mixer),
        ConstantKind::Bytes(bytes) => bytes.hash(mixer),
        ConstantKind::Aggregate(parts) => mixer.word(parts.len() as u64),
        ConstantKind::Function(function) => mixer.fingerprint(functions[function.index()]),
        ConstantKind::Offset { offset, .. } => mixer.word(*offset as u64),
        ConstantKind::Cast { op, .. } => op.hash(mixer),
        ConstantKind::Binary { op, .. } => op.hash(mixer),
        ConstantKind::Compare { predicate, .. } => predicate.hash(mixer),
        ConstantKind::BlockAddress { function, block } => {
            mixer.fingerprint(functions[function.index()]);
            mixer.word(block.index() as u64);
        }
        ConstantKind::Unsupported(text) => mixer.text(text),
        ConstantKind::WideInteger
        | ConstantKind::Null
        | ConstantKind::Undef
        | ConstantKind::Poison
        | ConstantKind::Zero
        | ConstantKind::Global(_)
        | ConstantKind::Select { .. } => {}
    }
}

fn constant_parts(kind: &ConstantKind, parts: &mut Vec<ConstantId>) {
    match kind {
        ConstantKind::Aggregate(elements) => parts.extend(elements.iter()),
        ConstantKind::Offset { base, .. } => parts.push(*base),
        ConstantKind::Cast { value, .. } => parts.push(*value),
        ConstantKind::Binary { left, right, .. } | ConstantKind::Compare { left, right, .. } => {
            parts.extend([*left, *right]);
        }
        ConstantKind::Select { condition, then, otherwise } => parts.extend([*condition, *then, *otherwise]),
        _ => {}
    }
}

/// The variables whose addresses are in a variable's initialiser, each once, in order.
fn pointed_to(program: &Program, global: GlobalId) -> Vec<GlobalId> {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work: Vec<ConstantId> = program.globals[global].initializer.into_iter().collect();
    let mut parts = Vec::new();
    while let Some(id) = work.pop() {
        if let ConstantKind::Global(target) = program.constants[id].kind {
            if seen.insert(target) {
                found.push(target);
            }
            continue;
        }
        parts.clear();
        constant_parts(&program.constants[id].kind, &mut parts);
        work.extend(parts.iter().rev());
    }
    found
}

/// For each variable, what it holds at the start and what can be reached from there. Variables that point to each other
/// in a circle are hashed together; the rest is known before what points to it.
fn hash_contents(program: &Program, places: &[Fingerprint]) -> Vec<Fingerprint> {
    let targets: Vec<Vec<GlobalId>> = program.globals.ids().map(|id| pointed_to(program, id)).collect();
    let mut contents = vec![Fingerprint::default(); program.globals.len()];
    let mut group_of: FxHashMap<GlobalId, usize> = FxHashMap::default();
    for (number, group) in strongly_connected(&targets).into_iter().enumerate() {
        group_of.extend(group.iter().map(|&global| (global, number)));
        let own: Vec<Fingerprint> = group
            .iter()
            .map(|&global| {
                let mut mixer = Mixer::new("content");
                match program.globals[global].initializer {
                    Some(content) => mixer.fingerprint(places[content.index()]),
                    None => mixer.text("declared"),
                }
                for target in &targets[global.index()] {
                    if group_of.get(target) != Some(&number) {
                        mixer.fingerprint(contents[target.index()]);
                    }
                }
                mixer.done()
            })
            .collect();
        let together = own.iter().fold(Fingerprint::default(), |sum, &each| sum.plus(each));
        for (&global, &own) in group.iter().zip(&own) {
            let mut mixer = Mixer::new("reachable content");
            mixer.fingerprint(own);
            mixer.fingerprint(together);
            contents[global.index()] = mixer.done();
        }
    }
    contents
}

/// The groups of variables that point to each other, each after those that it points to (Tarjan, with a stack of its
/// own).
fn strongly_connected(targets: &[Vec<GlobalId>]) -> Vec<Vec<GlobalId>> {
    const UNSEEN: usize = usize::MAX;
    let count = targets.len();
    let (mut order, mut low, mut open) = (vec![UNSEEN; count], vec![0; count], vec![false; count]);
    let (mut groups, mut path, mut next) = (Vec::new(), Vec::new(), 0);
    for start in 0..count {
        if order[start] != UNSEEN {
            continue;
        }
        let mut stack = vec![(start, 0)];
        while let Some(&mut (at, ref mut edge)) = stack.last_mut() {
            if *edge == 0 {
                order[at] = next;
                low[at] = next;
                next += 1;
                open[at] = true;
                path.push(at);
            }
            if let Some(target) = targets[at].get(*edge).map(|target| target.index()) {
                *edge += 1;
                if order[target] == UNSEEN {
                    stack.push((target, 0));
                } else if open[target] {
                    low[at] = low[at].min(order[target]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(above, _)) = stack.last() {
                low[above] = low[above].min(low[at]);
            }
            if low[at] == order[at] {
                let mut group = Vec::new();
                while let Some(member) = path.pop() {
                    open[member] = false;
                    group.push(GlobalId::from_index(member));
                    if member == at {
                        break;
                    }
                }
                groups.push(group);
            }
        }
    }
    groups
}

/// Whether an operand is the address that an operation only writes to.
pub(crate) fn is_written_place(op: &incise_ir::Op, operand: Operand, position: usize) -> bool {
    matches!(op, incise_ir::Op::Store { pointer, .. } if position == 1 && *pointer == operand)
}
