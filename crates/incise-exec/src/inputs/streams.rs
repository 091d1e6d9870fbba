//! Streams behind inputs of type `FILE *`: each is open for reading and writing on a file of its own that nobody else
//! has a name for, and stands at its start.
//!
//! The models of the C library do what is done with them (`files.c` in `incise-libc`); here their tables are filled in
//! at the start and read at the end. The content of the file is the input, and its length is any: it has as many bytes
//! as `Sizes` says that are made, and whoever comes to more of them is cut there, as with arrays (`extent.rs`).
//!
//! Whoever gave a stream goes on with it: where it stands, whether its end was met and whether it was closed is left
//! behind like what is in memory.

use crate::engine::state::State;
use crate::engine::value::Value;
use crate::exploration::finish::evaluate;
use crate::inputs::input::{Counted, NewInput};
use crate::inputs::maker::InputMaker;
use crate::inputs::shape::{ScalarKind, Shape};
use crate::inputs::taken::SHOWN_BYTES;
use crate::memory::extent::Assumed;
use crate::memory::load;
use crate::memory::{Byte, Memory, ObjectInfo, ObjectKind, Slot};
use crate::result::{FinalValue, InputOrigin, InputValue};
use incise_ir::{DebugType, DebugTypeId, Id};
use incise_reading::What;
use incise_solver::{ExprId, Model};
use std::rc::Rc;

/// The tag of the struct behind `FILE` in the headers of glibc and musl.
const FILE_TAG: &str = "_IO_FILE";
/// The bytes of a stream, and where its flags and the number of its descriptor are: `struct __incise_file` in
/// `incise.h`.
const STREAM_SIZE: u64 = 216;
const DESCRIPTOR: u64 = 112;
/// In the flags: that it is a stream of a file, that its end was met, that an error was.
const STREAM_FILE: u64 = 3;
const STREAM_END: u128 = 0x10;
const STREAM_ERROR: u128 = 0x20;

/// The models' table of open descriptors, an entry as `struct __incise_descriptor` in `files.c` has it: how it is open,
/// the number of its file, where it stands, and what was pushed back.
const DESCRIPTORS: &str = "__incise_descriptors";
const ENTRY: u64 = 40;
const FILE: u64 = 4;
const POSITION: u64 = 8;
const PUSHED: u64 = 16;
const PUSHED_BYTES: u64 = 20;
/// The number of the first descriptor, and how it is open for reading and writing.
const FIRST: u64 = 3;
const READ_AND_WRITE: u64 = 3;

/// No more inputs are streams than this: the program needs descriptors of its own.
const MOST: usize = 16;

/// The bytes before the content in what a stream leaves behind: where it stands, and what of [`END`], [`ERROR`] and
/// [`CLOSED`] holds.
const HEADER: usize = 12;
const END: u32 = 1;
const ERROR: u32 = 2;
const CLOSED: u32 = 4;

/// A stream among the inputs. Its number among them is that of its file and of its descriptor.
pub struct Stream {
    /// The pointer to it, as a C expression.
    pub(crate) path: String,
    /// The object that the pointer leads to.
    pub(crate) slot: Slot,
}

/// What a path left of a stream.
pub struct LeftStream {
    /// The pointer to it, as a C expression.
    pub path: String,
    /// Nothing if it was closed.
    pub open: Option<OpenStream>,
    /// How many bytes its file has, and what they are, if it was written.
    pub written: Option<(Value, Vec<Byte>)>,
}

/// What a path left of a stream that is still open.
pub struct OpenStream {
    /// Where it stands.
    pub position: ExprId,
    /// Whether its end was met, and whether an error was.
    pub flags: [ExprId; 2],
    /// What was pushed back, the last one first to be read.
    pub pushed: Vec<Byte>,
}

impl InputMaker<'_> {
    /// Whether a pointer to that type is one to a stream.
    pub(crate) fn is_stream(&self, target: Option<DebugTypeId>) -> bool {
        let resolved = target.and_then(|target| self.program.resolve_debug_type(target));
        resolved.is_some_and(|id| {
            matches!(&self.program.debug_types[id], DebugType::Composite { name, .. } if name == FILE_TAG)
        })
    }

    /// Whether a pointer leads to a stream that cannot be made: what calls return is made on the way, when tables may
    /// say anything, and tables have an end. Nobody may look there.
    pub(crate) fn is_unmade_stream(&self, target: Option<DebugTypeId>) -> bool {
        (!self.made.starting || self.made.streams.len() == MOST)
            && self.is_stream(target)
            && self.model_variable(DESCRIPTORS).is_some()
    }

    /// The address of the stream that a pointer input of that type leads to; nothing if it is another type, or the
    /// models of files are not there.
    pub(crate) fn stream_input(
        &mut self,
        state: &mut State,
        path: &str,
        target: Option<DebugTypeId>,
        depth: u32,
    ) -> Option<ExprId> {
        if !self.is_stream(target) {
            return None;
        }
        let descriptors = self.model_variable(DESCRIPTORS)?;
        self.model_variable(crate::inputs::world::FILES)?;
        let number = self.made.streams.len() as u64;
        let (content, size, made) = self.stream_content(state, path, depth);
        self.fill_in_stream(state, number, path, content, size, made);
        let object = state.memory.object_mut(descriptors)?;
        let at = number * ENTRY;
        object.write_word(at, 4, READ_AND_WRITE);
        object.write_word(at + FILE, 4, number);
        object.written = false;
        let info = ObjectInfo {
            kind: ObjectKind::Input,
            name: format!("*{path}"),
            ty: None,
            debug_type: target,
            read_only: false,
            private: false,
        };
        let mut object = self.zeroed_object(Rc::new(info), STREAM_SIZE);
        object.write_word(0, 4, STREAM_FILE);
        object.write_word(DESCRIPTOR, 4, FIRST + number);
        object.written = false;
        let slot = state.memory.add(object);
        self.made.pointees.insert(path.to_owned(), slot);
        self.made.streams.push(Stream { path: path.to_owned(), slot });
        let address = self.exprs.base(Memory::address(slot));
        self.made.addresses.insert(path.to_owned(), address);
        Some(address)
    }

    /// What is in the file of a stream: the object, how many bytes there are, and how many were made.
    fn stream_content(&mut self, state: &mut State, path: &str, depth: u32) -> (Slot, ExprId, u64) {
        let (count, made) = match self.exact_length(path) {
            Some(length) => (self.exprs.constant(u128::from(length), 64), length),
            None => {
                let made = self.config.inputs.sizes.elements(path, true);
                let count = self.element_count(path, made);
                // What is given may be more than what an exploration takes.
                let concrete = self.tracing.as_ref().is_some_and(|tracing| tracing.concrete);
                let given = self.exprs.as_constant(count).filter(|_| concrete);
                let given = given.filter(|&count| count <= u128::from(SHOWN_BYTES));
                (count, given.map_or(made, |count| made.max(count as u64)))
            }
        };
        let info = ObjectInfo {
            kind: ObjectKind::Input,
            name: format!("the file of {path}"),
            ty: None,
            debug_type: None,
            read_only: false,
            private: false,
        };
        let mut object = self.zeroed_object(Rc::new(info), made);
        let assumed = Assumed {
            input: path.to_owned(),
            header: 0,
            element: 1,
            before: Default::default(),
            made,
            endless: false,
        };
        object.assumed = Some(Rc::new(assumed));
        let slot = state.memory.add(object);
        let character = Shape::Scalar { bits: 8, kind: ScalarKind::Character };
        let shape = Shape::Array { element: Box::new(character), count: made };
        let origin = InputOrigin::Stream { pointer: path.to_owned() };
        let counted = Counted { count, header: 0, element: 1, told: true };
        let (name, place) = (format!("*{path}"), (slot, 0, made));
        let new = NewInput { name, path, origin, shape, place, depth: depth + 1 };
        self.make_counted(state, new, Some((counted, path.to_owned())));
        (slot, count, made)
    }

    /// How many bytes there are, if that is said. A stream that is only written to is taken to have none: what was
    /// there before it stands does not matter, and what is behind is hardly meant.
    fn exact_length(&self, path: &str) -> Option<u64> {
        let reading = &self.config.inputs.reading;
        let lengths = reading.of(path).filter_map(|what| match what {
            What::Elements { least, most } => Some((*least, *most)),
            _ => None,
        });
        let lengths: Vec<_> = lengths.collect();
        let said = lengths.iter().find_map(|&(least, most)| (most == Some(least)).then_some(least));
        let given = || self.tracing.as_ref()?.stream_length(path);
        let empty = || {
            let is_empty = reading.of(path).any(|what| *what == What::Stream { empty: true });
            (is_empty && lengths.is_empty()).then_some(0)
        };
        self.array_length(path).or_else(given).or(said).or_else(empty)
    }

    /// Whether an object is a stream of the inputs: it may be closed, as one that `fopen` gave.
    pub(crate) fn is_stream_object(&self, slot: Slot) -> bool {
        self.made.streams.iter().any(|stream| stream.slot == slot)
    }

    /// Whether one of two objects is a stream of the inputs, and the other one of `stdin`, `stdout` and `stderr`: the
    /// former is open on a file of its own.
    pub(crate) fn is_standard_stream(&self, one: Slot, other: Slot) -> bool {
        let standard = |slot: Slot| {
            let mut globals = self.program.globals.iter().filter(|(_, global)| global.model);
            globals.any(|(id, _)| self.constants.globals[id.index()] == slot)
        };
        self.is_stream_object(one) && standard(other) || self.is_stream_object(other) && standard(one)
    }

    /// What a path left of the streams among its inputs; nothing if the tables do not tell, which is so only where
    /// memory was made arbitrary.
    pub fn left_streams(&mut self, state: &mut State) -> Option<Vec<LeftStream>> {
        let streams: Vec<(String, Slot)> =
            self.made.streams.iter().map(|stream| (stream.path.clone(), stream.slot)).collect();
        let mut left = Vec::new();
        for (number, (path, slot)) in streams.into_iter().enumerate() {
            let open = self.open_stream(state, number as u64, slot)?;
            let written = self.written_stream(state, number as u64)?;
            left.push(LeftStream { path, open, written });
        }
        Some(left)
    }

    /// Where a stream stands; nothing within if it is closed.
    fn open_stream(&mut self, state: &mut State, number: u64, slot: Slot) -> Option<Option<OpenStream>> {
        let table = self.model_variable(DESCRIPTORS)?;
        let descriptors = state.memory.object(table).cloned()?;
        let at = number * ENTRY;
        let open = descriptors.read_word(at, 4)? != 0 && descriptors.read_word(at + FILE, 4)? == number;
        if state.memory.object(slot).is_none() || !open {
            return Some(None);
        }
        let count = descriptors.read_word(at + PUSHED, 4)?;
        let pushed = (0..count).rev();
        let pushed = pushed.map(|index| descriptors.read_byte(self.exprs, at + PUSHED_BYTES + index));
        let pushed = pushed.collect();
        let position = load::scalar(self.exprs, state, table, at + POSITION, 64);
        let position = self.expr(state, &position, 64);
        let count = self.exprs.constant(u128::from(count), 64);
        let position = self.exprs.binary(incise_solver::BinaryOp::Sub, position, count);
        let flags = load::scalar(self.exprs, state, slot, 0, 32);
        let flags = self.expr(state, &flags, 32);
        let flags = [STREAM_END, STREAM_ERROR].map(|flag| {
            let at = flag.trailing_zeros();
            self.exprs.extract(flags, at, 1)
        });
        Some(Some(OpenStream { position, flags, pushed }))
    }

    /// How many bytes the file of a stream has, and those of them that were made.
    pub fn stream_bytes(&mut self, state: &State, stream: &LeftStream) -> (Value, Vec<Byte>) {
        if let Some(written) = &stream.written {
            return written.clone();
        }
        let name = format!("*{}", stream.path);
        let inputs = state.inputs.to_vec();
        let Some(input) = inputs.into_iter().find(|input| input.name == name) else {
            return (Value::Word(0), Vec::new());
        };
        let size = input
            .count
            .map_or(Value::Word(input.size), |counted| Value::from_expr(self.exprs, counted.count));
        let content = input.leaves.iter().map(|leaf| Byte::Part { expr: leaf.expr, byte: 0 }).collect();
        (size, content)
    }

    /// What a path left of the streams among its inputs, for these values of the inputs.
    pub(crate) fn final_streams(&mut self, state: &mut State, model: &Model) -> Vec<FinalValue> {
        let mut finals = Vec::new();
        for stream in self.left_streams(state).unwrap_or_default() {
            let name = format!("*{}", stream.path);
            let (content, known) = self.final_content(state, &stream, model);
            let mut position = -1;
            let mut flags = CLOSED;
            if let Some(open) = &stream.open {
                position = (self.solver.evaluate(self.exprs, open.position, model) as i64).max(-1);
                let mut is_set = |flag: ExprId| self.solver.evaluate(self.exprs, flag, model) != 0;
                flags = if is_set(open.flags[0]) { END } else { 0 };
                flags |= if is_set(open.flags[1]) { ERROR } else { 0 };
            }
            let mut bytes = position.to_le_bytes().to_vec();
            bytes.extend(flags.to_le_bytes());
            bytes.extend(&content);
            let mut comparable = vec![true; HEADER];
            comparable.extend(known);
            let value = InputValue::Struct(vec![
                ("position".to_owned(), InputValue::Signed(position.into())),
                ("end".to_owned(), InputValue::Boolean(flags & END != 0)),
                ("error".to_owned(), InputValue::Boolean(flags & ERROR != 0)),
                ("closed".to_owned(), InputValue::Boolean(flags & CLOSED != 0)),
                ("content".to_owned(), InputValue::Text(content)),
            ]);
            let origin = InputOrigin::Stream { pointer: stream.path };
            finals.push(FinalValue { name, origin, bytes, comparable, pointers: Vec::new(), value });
        }
        finals
    }

    /// What is in the file of a stream at the end, and what of it can be compared.
    fn final_content(&mut self, state: &State, stream: &LeftStream, model: &Model) -> (Vec<u8>, Vec<bool>) {
        let Some((size, content)) = &stream.written else {
            let name = format!("*{}", stream.path);
            let inputs = state.inputs.to_vec();
            let input = inputs.into_iter().find(|input| input.name == name).cloned();
            let bytes = input.map(|input| self.bytes_of_input(&input, model)).unwrap_or_default();
            let known = vec![true; bytes.len()];
            return (bytes, known);
        };
        let size = evaluate(self.exprs, self.solver, size, model) as usize;
        let mut bytes = Vec::new();
        let mut known = Vec::new();
        for byte in content.iter().take(size) {
            known.push(!matches!(byte, Byte::Uninitialised));
            bytes.push(match *byte {
                Byte::Concrete(byte) => byte,
                Byte::Part { expr, byte } => {
                    (self.solver.evaluate(self.exprs, expr, model) >> (8 * u32::from(byte))) as u8
                }
                Byte::Uninitialised => 0,
            });
        }
        (bytes, known)
    }

    fn model_variable(&self, name: &str) -> Option<Slot> {
        let global = self.program.global_named(name).filter(|&id| self.program.globals[id].model)?;
        Some(self.constants.globals[global.index()])
    }
}
