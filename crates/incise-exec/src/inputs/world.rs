//! What a program finds around it: standard input, files and the environment, with what of them is symbolic; and the
//! files that it leaves behind.
//!
//! The models of the C library keep files in a table of their own (`files.c` in `incise-libc`). That table is the only
//! thing the engine and the models share: the engine fills it in at the start and reads it at the end. A length is an
//! input beside the bytes, of origin [`InputOrigin::Extent`].

use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::input::{InputObject, NewInput, unique_name};
use crate::inputs::maker::InputMaker;
use crate::inputs::shape::{ScalarKind, Shape};
use crate::inputs::sizes::{NAMED_FILE, STANDARD_INPUT, VARIABLE};
use crate::memory::extent::Assumed;
use crate::memory::load;
use crate::memory::{AddressTarget, Byte, Memory, ObjectKind, Slot};
use crate::result::{FinalValue, Input, InputOrigin, InputValue};
use incise_ir::{FunctionId, Id};
use incise_solver::{CompareOp, ExprId, Model};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The models' table of files. An entry is as `struct __incise_node` in `files.c` has it: the name, the content, how
/// long it is, how much room there is; then three numbers of 32 bits: whether it exists, was changed, and was there at
/// the start: by its name, or behind a stream that is an input.
pub(crate) const FILES: &str = "__incise_files";
const ENTRY: u64 = 48;
const CONTENT: u64 = 8;
const SIZE: u64 = 16;
const ROOM: u64 = 24;
const EXISTS: u64 = 32;
const CHANGED: u64 = 36;
const GIVEN: u64 = 40;
const BY_NAME: u64 = 1;
const BEHIND_STREAM: u64 = 2;

/// The models' variable with the addresses of the environment's strings.
const ENVIRONMENT: &str = "environ";

/// The most files that may be given: the table has room for as many that the program creates.
pub const MOST_FILES: usize = 8;

/// A file of the table.
pub struct File {
    /// The bytes of its name; those behind the first zero mean nothing.
    pub name: Vec<Value>,
    /// How long it is; nothing if it does not exist.
    pub size: Option<Value>,
    /// As many bytes as it can have.
    pub content: Vec<Byte>,
    /// Whether the program wrote, made, renamed or removed it.
    pub changed: bool,
}

/// An entry of the models' table of files.
struct FileEntry<'a> {
    name: &'a str,
    /// The object with what is in it.
    content: Slot,
    /// How many bytes of it there are.
    size: ExprId,
    /// How many there can be.
    length: u64,
    /// How the program comes to it.
    given: u64,
    /// Whether it is there, where that is not certain.
    exists: Option<ExprId>,
}

impl InputMaker<'_> {
    /// Makes standard input symbolic, and the files that are given.
    pub(crate) fn symbolic_streams(&mut self, state: &mut State) {
        let length = self.stdin_made();
        if length > 0 {
            self.symbolic_bytes(state, STANDARD_INPUT, InputOrigin::Stdin, length);
        }
        let files = self.config.inputs.files.clone();
        for (index, (name, length)) in files.iter().enumerate().take(MOST_FILES) {
            let origin = InputOrigin::File { name: name.clone() };
            let (content, size) = self.symbolic_bytes(state, name, origin, *length);
            let number = (self.made.streams.len() + index) as u64;
            let length = u64::from(*length);
            let file = FileEntry { name, content, size, length, given: BY_NAME, exists: None };
            self.fill_in(state, number, &file);
        }
        if self.config.inputs.are_files_open() {
            self.open_files(state);
        }
    }

    /// Makes the files that paths looked for and that nobody said anything about: each is there or not, with any number
    /// of bytes up to those that are made.
    fn open_files(&mut self, state: &mut State) {
        let titles: Vec<String> = self.config.inputs.sizes.present_files().map(str::to_owned).collect();
        for (index, title) in titles.iter().enumerate() {
            let name = title.trim_start_matches(NAMED_FILE);
            let length = self.config.inputs.sizes.elements(title, true);
            let origin = InputOrigin::File { name: name.to_owned() };
            let (content, size) = self.symbolic_bytes(state, name, origin, length as u32);
            let exists = self.extent(state, name, "set", 1, ScalarKind::Boolean);
            let number = (self.made.streams.len() + index) as u64;
            let file = FileEntry { name, content, size, length, given: BY_NAME, exists: Some(exists) };
            self.fill_in(state, number, &file);
        }
    }

    /// The name of a file that grows in what is told of sizes, and how many bytes of it were made.
    pub(crate) fn open_file_made(&self, name: &str) -> Option<(String, u64)> {
        let inputs = &self.config.inputs;
        let title = format!("{NAMED_FILE}{name}");
        let is_open = inputs.are_files_open() && inputs.sizes.present.contains(&title);
        is_open.then(|| {
            let made = inputs.sizes.elements(&title, true);
            (title, made)
        })
    }

    /// The bytes of standard input that are made.
    pub(crate) fn stdin_made(&self) -> u32 {
        let inputs = &self.config.inputs;
        match inputs.is_stdin_open() {
            true => inputs.sizes.elements.get(STANDARD_INPUT).map_or(0, |&made| made as u32),
            false => inputs.stdin,
        }
    }

    /// An object of symbolic bytes, of which there are any number up to `length`: the object, and how many there are.
    fn symbolic_bytes(
        &mut self,
        state: &mut State,
        name: &str,
        origin: InputOrigin,
        length: u32,
    ) -> (Slot, ExprId) {
        let room = u64::from(length);
        let slot = self.plain_object(state, ObjectKind::Input, name, room);
        let character = Shape::Scalar { bits: 8, kind: ScalarKind::Character };
        let shape = Shape::Array { element: Box::new(character), count: room };
        let name = unique_name(state, name);
        let path = crate::inputs::input::path_root(&name);
        let place = (slot, 0, room);
        let new = NewInput { name: name.clone(), path: &path, origin, shape, place, depth: 0 };
        self.make_symbolic(state, new);
        let size = self.extent(state, &name, "size", 64, ScalarKind::Unsigned);
        let most = self.exprs.constant(u128::from(room), 64);
        let fits = self.exprs.compare(CompareOp::Ule, size, most);
        if self.exprs.as_constant(fits).is_none() {
            state.constraints.push(self.exprs, fits);
        }
        (slot, size)
    }

    /// The input that says how much of another there is.
    pub(crate) fn extent(
        &mut self,
        state: &mut State,
        of: &str,
        word: &str,
        width: u32,
        kind: ScalarKind,
    ) -> ExprId {
        let name = unique_name(state, &format!("{of}_{word}"));
        let origin = InputOrigin::Extent { of: of.to_owned() };
        let shape = Shape::Scalar { bits: width.max(8), kind };
        let (object, value) = InputObject::scalar_of_shape(self, name, origin, width, shape);
        self.give(state, &object, None);
        state.inputs.push(Rc::new(object));
        self.expr(state, &value, width)
    }

    /// How many bytes of standard input there are.
    pub(crate) fn stdin_size(&self, state: &State) -> Option<ExprId> {
        let mut inputs = state.inputs.iter_newest_first();
        let stdin = inputs.find(|input| input.origin == InputOrigin::Stdin)?.name.clone();
        let mut inputs = state.inputs.iter_newest_first();
        let size =
            inputs.find(|input| matches!(&input.origin, InputOrigin::Extent { of } if *of == stdin))?;
        size.leaves.first().map(|leaf| leaf.expr)
    }

    fn files_slot(&self) -> Option<Slot> {
        let global = self.program.global_named(FILES).filter(|&id| self.program.globals[id].model)?;
        Some(self.constants.globals[global.index()])
    }

    /// Fills in the entry of the file behind a stream that is an input.
    pub(crate) fn fill_in_stream(
        &mut self,
        state: &mut State,
        index: u64,
        path: &str,
        content: Slot,
        size: ExprId,
        length: u64,
    ) {
        let given = BEHIND_STREAM;
        self.fill_in(state, index, &FileEntry { name: path, content, size, length, given, exists: None });
    }

    /// Fills in an entry of the models' table, if the program uses files at all.
    fn fill_in(&mut self, state: &mut State, index: u64, file: &FileEntry<'_>) {
        let FileEntry { name, content, size, length, given, exists } = *file;
        let Some(table) = self.files_slot() else { return };
        let text = self.plain_object(state, ObjectKind::Stack, "the name of a file", name.len() as u64 + 1);
        if let Some(object) = state.memory.object_mut(text) {
            for (at, byte) in name.bytes().enumerate() {
                object.write_word(at as u64, 1, u64::from(byte));
            }
        }
        let Some(object) = state.memory.object_mut(table) else { return };
        let at = index * ENTRY;
        object.write_word(at, 8, Memory::address(text));
        object.write_word(at + CONTENT, 8, Memory::address(content));
        let size = Value::from_expr(self.exprs, size);
        object.write_scalar(self.exprs, at + SIZE, 64, &size);
        object.write_word(at + ROOM, 8, length);
        match exists {
            None => {
                object.write_word(at + EXISTS, 4, 1);
            }
            Some(exists) => {
                let exists = self.exprs.zext(exists, 32);
                let exists = Value::from_expr(self.exprs, exists);
                object.write_scalar(self.exprs, at + EXISTS, 32, &exists);
            }
        }
        object.write_word(at + GIVEN, 4, given);
        object.written = false;
    }

    /// The environment as a table of strings that ends with null: its address.
    pub(crate) fn environment(&mut self, state: &mut State, entry: FunctionId) -> u64 {
        let global = self.program.global_named(ENVIRONMENT).filter(|&id| self.program.globals[id].model);
        if global.is_none() && !self.natives.is_main(entry) {
            return 0;
        }
        let mut entries = Vec::new();
        for (name, length) in self.config.inputs.environment.clone() {
            entries.push(self.environment_variable(state, &name, length, false));
        }
        if self.config.inputs.is_environment_open() {
            let present = self.config.inputs.sizes.present.clone();
            for title in present.into_iter().filter(|title| title.starts_with(VARIABLE)) {
                let length = self.config.inputs.sizes.elements(&title, true);
                let name = title.trim_start_matches(VARIABLE);
                entries.push(self.environment_variable(state, name, length as u32, true));
            }
        }
        let table = self.plain_object(state, ObjectKind::Stack, ENVIRONMENT, (entries.len() as u64 + 1) * 8);
        self.fill_in_table(state, table, &entries);
        let address = Memory::address(table);
        if let Some(global) = global
            && let Some(object) = state.memory.object_mut(self.constants.globals[global.index()])
        {
            object.write_word(0, 8, address);
            object.written = false;
        }
        address
    }

    /// The string `NAME=...` of a variable, and whether it is set. What is `open` may be longer: whoever comes to more
    /// of it is cut there.
    fn environment_variable(
        &mut self,
        state: &mut State,
        name: &str,
        length: u32,
        open: bool,
    ) -> (ExprId, Slot) {
        let title = unique_name(state, &format!("{VARIABLE}{name}"));
        let start = name.len() as u64 + 1;
        let slot = self.text_object(state, &title, start, u64::from(length), open.then_some(&title));
        if let Some(object) = state.memory.object_mut(slot) {
            for (at, byte) in name.bytes().chain([b'=']).enumerate() {
                object.write_word(at as u64, 1, u64::from(byte));
            }
        }
        let character = Shape::Scalar { bits: 8, kind: ScalarKind::Character };
        let shape = Shape::Array { element: Box::new(character), count: u64::from(length) };
        let origin = InputOrigin::Environment { name: name.to_owned() };
        let path = crate::inputs::input::path_root(&title);
        let place = (slot, start, u64::from(length));
        let new = NewInput { name: title.clone(), path: &path, origin, shape, place, depth: 0 };
        self.make_symbolic(state, new);
        (self.extent(state, &title, "set", 1, ScalarKind::Boolean), slot)
    }

    /// The object of a string of that many bytes behind a beginning. It ends with them; if it is one of which nobody
    /// knows the end, it goes on where nothing was made.
    pub(crate) fn text_object(
        &mut self,
        state: &mut State,
        name: &str,
        start: u64,
        length: u64,
        open: Option<&String>,
    ) -> Slot {
        let terminator = u64::from(open.is_none());
        let slot = self.plain_object(state, ObjectKind::Input, name, start + length + terminator);
        if let (Some(input), Some(object)) = (open, state.memory.object_mut(slot)) {
            let assumed = Assumed {
                input: input.clone(),
                header: start,
                element: 1,
                before: Default::default(),
                made: length,
                endless: false,
            };
            object.assumed = Some(Rc::new(assumed));
        }
        slot
    }

    /// The files that there are, and those that were there at the start and are gone; nothing if the table does not
    /// tell, which is so only where memory was made arbitrary.
    pub fn files(&mut self, state: &mut State) -> Option<Vec<File>> {
        let Some(table) = self.files_slot() else { return Some(Vec::new()) };
        let object = state.memory.object(table).cloned()?;
        let mut files: Vec<File> = Vec::new();
        let mut gone = Vec::new();
        for at in (0..object.size / ENTRY).map(|index| index * ENTRY) {
            let name = object.read_word(at, 8)?;
            if name == 0 {
                break;
            }
            let given = object.read_word(at + GIVEN, 4)?;
            if given == BEHIND_STREAM {
                continue;
            }
            let name = self.string_at(state, name);
            match object.read_word(at + EXISTS, 4) {
                // Nobody looked for it.
                None if given == BY_NAME => continue,
                None => return None,
                Some(0) if given == BY_NAME => {
                    gone.push(name);
                    continue;
                }
                Some(0) => continue,
                Some(_) => {}
            }
            let (size, content) = self.size_and_content(state, table, at)?;
            let changed = object.read_word(at + CHANGED, 4)? != 0;
            files.push(File { name, size: Some(size), content, changed });
        }
        for name in gone {
            // Another file may have its name by now.
            if !files.iter().any(|file| same_words(&file.name, &name)) {
                files.push(File { name, size: None, content: Vec::new(), changed: true });
            }
        }
        Some(files)
    }

    /// How many bytes the file of an entry has, and as many as it can have.
    fn size_and_content(&mut self, state: &mut State, table: Slot, at: u64) -> Option<(Value, Vec<Byte>)> {
        let object = state.memory.object(table).cloned()?;
        let size = load::scalar(self.exprs, state, table, at + SIZE, 64);
        let room = match size.as_concrete() {
            Some(size) => size as u64,
            None => object.read_word(at + ROOM, 8)?,
        };
        let content = self.bytes_at(state, object.read_word(at + CONTENT, 8)?, room);
        (content.len() as u64 == room).then_some((size, content))
    }

    /// The file behind a stream of the inputs, if it was written; nothing at all if the table does not tell.
    pub(crate) fn written_stream(
        &mut self,
        state: &mut State,
        number: u64,
    ) -> Option<Option<(Value, Vec<Byte>)>> {
        let table = self.files_slot()?;
        let at = number * ENTRY;
        match state.memory.object(table)?.read_word(at + CHANGED, 4)? {
            0 => Some(None),
            _ => self.size_and_content(state, table, at).map(Some),
        }
    }

    /// Whether a file was changed, or the table does not tell.
    pub fn has_changed_files(&self, state: &State) -> bool {
        let Some(object) = self.files_slot().and_then(|table| state.memory.object(table)) else {
            return false;
        };
        let entries = (0..object.size / ENTRY).map(|index| index * ENTRY);
        entries.into_iter().any(|at| object.read_word(at + CHANGED, 4) != Some(0))
    }

    fn string_at(&mut self, state: &State, address: u64) -> Vec<Value> {
        let mut bytes = Vec::new();
        let AddressTarget::Live(_, object, offset) = state.memory.target(address) else { return bytes };
        for at in u64::try_from(offset).unwrap_or(object.size)..object.size {
            match object.read_byte(self.exprs, at) {
                Byte::Concrete(0) => break,
                Byte::Concrete(byte) => bytes.push(Value::Word(u64::from(byte))),
                Byte::Part { expr, byte } => {
                    let part = self.exprs.extract(expr, u32::from(byte) * 8, 8);
                    bytes.push(Value::from_expr(self.exprs, part));
                }
                Byte::Uninitialised => bytes.push(Value::Undefined),
            }
        }
        bytes
    }

    fn bytes_at(&mut self, state: &State, address: u64, count: u64) -> Vec<Byte> {
        let AddressTarget::Live(_, object, offset) = state.memory.target(address) else { return Vec::new() };
        let start = u64::try_from(offset).unwrap_or(object.size);
        let end = object.size.min(start.saturating_add(count));
        (start..end).map(|at| object.read_byte(self.exprs, at)).collect()
    }

    /// The name of a file for these values of the inputs.
    pub fn file_name(&mut self, name: &[Value], model: &Model) -> Vec<u8> {
        let mut text = Vec::new();
        for byte in name {
            match crate::exploration::finish::evaluate(self.exprs, self.solver, byte, model) as u8 {
                0 => break,
                byte => text.push(byte),
            }
        }
        text
    }

    /// The files that a path changed, for these values of the inputs. One that is gone has no value.
    pub(crate) fn final_files(&mut self, state: &mut State, model: &Model) -> Vec<FinalValue> {
        let mut finals = Vec::new();
        let files = self.files(state).unwrap_or_default();
        for file in files.into_iter().filter(|file| file.changed) {
            let name = latin1(&self.file_name(&file.name, model));
            let origin = InputOrigin::File { name: name.clone() };
            let Some(size) = file.size else {
                let (bytes, comparable) = (Vec::new(), Vec::new());
                let (pointers, value) = (Vec::new(), InputValue::Pointer(None));
                finals.push(FinalValue { name, origin, bytes, comparable, pointers, value });
                continue;
            };
            let size = crate::exploration::finish::evaluate(self.exprs, self.solver, &size, model) as usize;
            let mut bytes = Vec::new();
            let mut comparable = Vec::new();
            for byte in file.content.iter().take(size) {
                comparable.push(!matches!(byte, Byte::Uninitialised));
                bytes.push(match *byte {
                    Byte::Concrete(byte) => byte,
                    Byte::Part { expr, byte } => {
                        (self.solver.evaluate(self.exprs, expr, model) >> (8 * u32::from(byte))) as u8
                    }
                    Byte::Uninitialised => 0,
                });
            }
            let value = InputValue::Text(bytes.clone());
            finals.push(FinalValue { name, origin, bytes, comparable, pointers: Vec::new(), value });
        }
        // A name that depends on inputs may be that of a file that is gone.
        let there: BTreeSet<String> =
            finals.iter().filter(|each| has_content(each)).map(|each| each.name.clone()).collect();
        finals.retain(|each| has_content(each) || !there.contains(&each.name));
        finals.sort_by(|one, other| one.name.cmp(&other.name));
        finals
    }
}

fn has_content(file: &FinalValue) -> bool {
    file.value != InputValue::Pointer(None)
}

/// Bytes as text in which each character is the byte of its code point, as everywhere in reports.
pub fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| byte as char).collect()
}

/// Whether two names are the same without a question.
pub(crate) fn same_words(one: &[Value], other: &[Value]) -> bool {
    let same = |(one, other): (&Value, &Value)| match (one, other) {
        (Value::Symbolic(one), Value::Symbolic(other)) => one == other,
        _ => one.as_concrete().is_some() && one.as_concrete() == other.as_concrete(),
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// Leaves of each input as much as there is: a file of two bytes shows two bytes, and a variable
/// that is not set or an argument that is not there none.
pub(crate) fn trim(inputs: &mut [Input]) {
    let extents: Vec<(String, u64, usize)> = inputs
        .iter()
        .filter_map(|input| match &input.origin {
            InputOrigin::Extent { of } => {
                let number = input.bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
                Some((of.clone(), number, input.bytes.len()))
            }
            _ => None,
        })
        .collect();
    for (of, extent, width) in extents {
        let Some(input) = inputs.iter_mut().find(|input| input.name == of) else { continue };
        let is_file = matches!(input.origin, InputOrigin::File { .. });
        if is_file && width == 1 {
            // Whether there is one.
            if extent == 0 {
                input.bytes.clear();
                input.value = InputValue::Pointer(None);
            }
            continue;
        }
        let string = matches!(input.origin, InputOrigin::Environment { .. } | InputOrigin::Argument { .. });
        if string && extent == 0 {
            input.bytes.clear();
            input.value = InputValue::Pointer(None);
        } else if !string {
            input.bytes.truncate(extent as usize);
            input.value = InputValue::Text(input.bytes.clone());
        }
    }
}
