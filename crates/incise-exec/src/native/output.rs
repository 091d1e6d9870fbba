//! Output: captured as pieces that the path's model makes bytes of; and `snprintf` and its like.

use super::format::{FormatPart, Length, parse, render};
use super::{Native, NativeCall};
use crate::engine::code::ArgumentKind;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{Output, OutputPiece, ReturnTo, State};
use crate::engine::value::Value;
use crate::memory::access::{Access, ObjectPlace, Offset};
use crate::memory::{Memory, ObjectInfo, ObjectKind};
use crate::outcome::Outcome;
use incise_ir::{FloatKind, Id};
use incise_solver::CompareOp;
use std::rc::Rc;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "printf" => |m, s, c| print(m, s, c, OutputTarget::Stdout, 0, Rest::Call),
        "vprintf" => |m, s, c| print(m, s, c, OutputTarget::Stdout, 0, Rest::List),
        "__printf_chk" => |m, s, c| print(m, s, c, OutputTarget::Stdout, 1, Rest::Call),
        "fprintf" => |m, s, c| print(m, s, c, OutputTarget::Stream(0), 1, Rest::Call),
        "vfprintf" => |m, s, c| print(m, s, c, OutputTarget::Stream(0), 1, Rest::List),
        "__fprintf_chk" => |m, s, c| print(m, s, c, OutputTarget::Stream(0), 2, Rest::Call),
        "dprintf" => |m, s, c| print(m, s, c, OutputTarget::Descriptor(0), 1, Rest::Call),
        "sprintf" => |m, s, c| format_to_memory(m, s, c, None, 1, Rest::Call),
        "snprintf" => |m, s, c| format_to_memory(m, s, c, Some(1), 2, Rest::Call),
        "vsprintf" => |m, s, c| format_to_memory(m, s, c, None, 1, Rest::List),
        "vsnprintf" => |m, s, c| format_to_memory(m, s, c, Some(1), 2, Rest::List),
        "__sprintf_chk" => |m, s, c| format_to_memory(m, s, c, None, 3, Rest::Call),
        "__snprintf_chk" => |m, s, c| format_to_memory(m, s, c, Some(1), 4, Rest::Call),
        "__incise_format_double" => format_double,
        "puts" => puts,
        "fputs" | "fputs_unlocked" => fputs,
        "putchar" | "putchar_unlocked" => |m, s, c| put_character(m, s, c, OutputTarget::Stdout),
        "fputc" | "putc" | "_IO_putc" | "putc_unlocked" => {
            |m, s, c| put_character(m, s, c, OutputTarget::Stream(1))
        }
        "fwrite" | "fwrite_unlocked" => fwrite,
        "__incise_output" => raw_output,
        _ => return None,
    })
}

/// The largest width or precision that is looked for where it is symbolic.
const WIDEST: u32 = 64;

/// The models' stream of standard output; the two lowest bits of its first word tell what is behind it.
const STDOUT: &str = "__incise_stdout_stream";
const STREAM_OF_A_FILE: u64 = 3;

/// Where output goes.
#[derive(Copy, Clone)]
enum OutputTarget {
    Stdout,
    /// The stream that is this argument.
    Stream(usize),
    /// The descriptor that is this argument.
    Descriptor(usize),
}

/// Where the values of a format are.
#[derive(Copy, Clone)]
enum Rest {
    /// The arguments after the format.
    Call,
    /// A `va_list` after the format.
    List,
}

fn unsupported(what: impl Into<String>) -> Exit {
    Exit::End(Outcome::Unsupported(what.into()))
}

impl Machine<'_> {
    /// The descriptor that output goes to, 1 or 2; nothing if it is a file, which models write to.
    fn stream(
        &mut self,
        state: &mut State,
        call: &NativeCall<'_>,
        target: OutputTarget,
    ) -> Result<Option<u8>, Exit> {
        let descriptor = match target {
            OutputTarget::Stdout if self.reopened_stdout(state).is_some() => return Ok(None),
            OutputTarget::Stdout => return Ok(Some(1)),
            // The two lowest bits; the others are flags.
            OutputTarget::Stream(index) => {
                self.memory().load_at(state, &call.argument(index), 32)?.as_concrete().map(|bits| bits & 3)
            }
            OutputTarget::Descriptor(index) => call.argument(index).as_concrete(),
        };
        match descriptor {
            Some(1) => Ok(Some(1)),
            Some(2) => Ok(Some(2)),
            Some(_) => Ok(None),
            None => Err(unsupported("output to a symbolic stream or descriptor")),
        }
    }

    /// Where the stream of standard output is, if the program has opened it again for a file (`freopen`).
    fn reopened_stdout(&self, state: &State) -> Option<Value> {
        let global = self.program.global_named(STDOUT).filter(|&id| self.program.globals[id].model)?;
        let slot = self.decider.constants.globals[global.index()];
        let bits = state.memory.object(slot)?.read_word(0, 4)?;
        (bits & 3 == STREAM_OF_A_FILE).then(|| Value::Word(Memory::address(slot)))
    }

    /// The stream that output goes to, as an argument for a model.
    fn stream_argument(&self, state: &State, call: &NativeCall<'_>, target: OutputTarget) -> Value {
        match target {
            OutputTarget::Stdout => self.reopened_stdout(state).unwrap_or(Value::Undefined),
            OutputTarget::Stream(index) | OutputTarget::Descriptor(index) => call.argument(index),
        }
    }

    /// Lets a model of `files.c` write what a native function cannot. It is there if the program opens files.
    fn written_by_model(
        &mut self,
        state: &mut State,
        call: &NativeCall<'_>,
        model: &str,
        arguments: Vec<Value>,
        kinds: &[ArgumentKind],
    ) -> Result<Option<Value>, Exit> {
        let model = self.program.function_named(model);
        let Some(model) = model.filter(|model| self.program.functions[*model].is_definition()) else {
            return Err(unsupported("output to anything but standard output and standard error"));
        };
        let return_to = ReturnTo::Caller { to: call.call.to, edge: call.call.normal };
        self.push_frame(state, model, arguments, kinds, return_to)?;
        Err(Exit::Switch)
    }

    fn emit(&mut self, state: &mut State, stream: u8, pieces: Vec<OutputPiece>) {
        state.outputs.push(Output { stream, pieces: pieces.into() });
    }
}

/// Hands out the values of a format one after the other.
struct Values<'c> {
    call: &'c NativeCall<'c>,
    next: usize,
    /// Where the next value of a `va_list` is.
    list: Option<ObjectPlace>,
    offset: u64,
}

impl<'c> Values<'c> {
    fn new(
        machine: &mut Machine<'_>,
        state: &mut State,
        call: &'c NativeCall<'c>,
        first: usize,
        rest: Rest,
    ) -> Result<Self, Exit> {
        let list = match rest {
            Rest::Call => None,
            Rest::List => {
                // Our va_start counts all registers as used, so that every value is in the overflow area.
                let list = machine.memory().resolve(state, &call.argument(first), 24, Access::READ)?;
                let area = machine.memory().advance(list, 8);
                let area = machine.memory().read_scalar(state, area, 64);
                Some(machine.memory().resolve(state, &area, 0, Access::READ)?)
            }
        };
        Ok(Self { call, next: first, list, offset: 0 })
    }

    fn integer(&mut self, machine: &mut Machine<'_>, state: &mut State, width: u32) -> Result<Value, Exit> {
        if let Some(list) = self.list {
            let place = machine.memory().advance(list, self.offset);
            self.offset += 8;
            machine.check_room(state, place, 8)?;
            return Ok(machine.memory().read_scalar(state, place, width));
        }
        let index = self.next;
        self.next += 1;
        match self.call.call.arguments.get(index).map(|argument| argument.kind) {
            Some(ArgumentKind::Integer(given)) => {
                let value = self.call.argument(index);
                if given == width {
                    return Ok(value);
                }
                // A mismatch of the format and the argument, which the hardware lets pass.
                let expr = machine.decider.expr(state, &value, given);
                let expr = if given > width {
                    machine.decider.exprs.trunc(expr, width)
                } else {
                    machine.decider.exprs.zext(expr, width)
                };
                Ok(Value::from_expr(&machine.decider.exprs, expr))
            }
            Some(_) => Err(unsupported("a format that wants an integer where there is none")),
            None => Err(unsupported("a format that wants more arguments than there are")),
        }
    }

    fn float(&mut self, machine: &mut Machine<'_>, state: &mut State, length: Length) -> Result<Value, Exit> {
        let kind = if length == Length::LongDouble { FloatKind::X87 } else { FloatKind::Double };
        let value = if let Some(list) = self.list {
            if kind == FloatKind::X87 {
                self.offset = self.offset.next_multiple_of(16);
            }
            let place = machine.memory().advance(list, self.offset);
            self.offset += if kind == FloatKind::X87 { 16 } else { 8 };
            machine.check_room(state, place, u64::from(kind.bits() / 8))?;
            machine.memory().read_scalar(state, place, kind.bits())
        } else {
            let index = self.next;
            self.next += 1;
            match self.call.call.arguments.get(index).map(|argument| argument.kind) {
                Some(ArgumentKind::Float(given)) if given == kind => self.call.argument(index),
                _ => {
                    return Err(unsupported(
                        "a format that wants a floating-point number where there is none",
                    ));
                }
            }
        };
        Ok(value)
    }
}

impl Machine<'_> {
    fn check_room(&mut self, state: &State, place: ObjectPlace, bytes: u64) -> Result<(), Exit> {
        let size = state.memory.object(place.slot).map_or(0, |object| object.size);
        match place.offset {
            Offset::Concrete(offset) if offset + bytes <= size => Ok(()),
            _ => Err(unsupported("a format that wants more arguments than there are")),
        }
    }

    /// Whether a pointer is null; forks where it can be both.
    fn is_null(&mut self, state: &mut State, pointer: &Value) -> Result<bool, Exit> {
        let pointer = self.decider.expr(state, pointer, 64);
        let zero = self.decider.exprs.constant(0, 64);
        let null = self.decider.exprs.compare(CompareOp::Eq, pointer, zero);
        let valid = self.decider.exprs.not(null);
        // Constant conditions need no decision.
        Ok(self.decider.choose(state, &[valid, null])? == 1)
    }

    /// A width or a precision that is an argument; forks where it can be several numbers.
    fn star(&mut self, state: &mut State, value: &Value) -> Result<i64, Exit> {
        if let Some(bits) = value.as_concrete() {
            return Ok(crate::engine::value::sign_extend(bits, 32) as i64);
        }
        let value = self.decider.expr(state, value, 32);
        if let Some(only) = self.decider.unique_value(state, value)? {
            return Ok(crate::engine::value::sign_extend(only, 32) as i64);
        }
        let mut choices = Vec::with_capacity(WIDEST as usize + 2);
        for number in 0..=WIDEST {
            let number = self.decider.exprs.constant(number.into(), 32);
            choices.push(self.decider.exprs.eq(value, number));
        }
        let widest = self.decider.exprs.constant(WIDEST.into(), 32);
        choices.push(self.decider.exprs.compare(CompareOp::Ugt, value, widest));
        match self.decider.choose(state, &choices)? {
            other if other > WIDEST as usize => Err(unsupported(format!(
                "a format with a symbolic width or precision below 0 or above {WIDEST}"
            ))),
            number => Ok(number as i64),
        }
    }

    /// The pieces that a format and its values make.
    fn format_pieces(
        &mut self,
        state: &mut State,
        format: &[u8],
        mut values: Values<'_>,
    ) -> Result<Vec<OutputPiece>, Exit> {
        let parts = parse(format).map_err(|what| unsupported(format!("the format conversion {what}")))?;
        let mut pieces = Vec::new();
        // Where `%n` writes how much: done last, because resolving later pointers can fork.
        let mut counts = Vec::new();
        for part in parts {
            let (mut conversion, star_width, star_precision) = match part {
                FormatPart::Literal(bytes) => {
                    pieces.push(OutputPiece::Bytes(bytes.into()));
                    continue;
                }
                FormatPart::Conversion { conversion, star_width, star_precision } => {
                    (conversion, star_width, star_precision)
                }
            };
            if star_width {
                let width = values.integer(self, state, 32)?;
                conversion.set_width(self.star(state, &width)?);
            }
            if star_precision {
                let precision = values.integer(self, state, 32)?;
                conversion.set_precision(self.star(state, &precision)?);
            }
            pieces.push(match conversion.letter {
                b'n' => {
                    let Some(bytes) = concrete_bytes(&pieces) else {
                        return Err(unsupported("the format conversion %n after symbolic values"));
                    };
                    let width = match conversion.length {
                        Length::Char => 8,
                        Length::Short => 16,
                        Length::Int | Length::LongDouble => 32,
                        Length::Long => 64,
                    };
                    let pointer = values.integer(self, state, 64)?;
                    let place =
                        self.memory().resolve(state, &pointer, u64::from(width / 8), Access::WRITE)?;
                    counts.push((place, width, bytes.len() as u64));
                    continue;
                }
                b's' if conversion.length == Length::Long => {
                    return Err(unsupported("the format conversion %ls"));
                }
                b's' => {
                    let pointer = values.integer(self, state, 64)?;
                    let bytes: Rc<[Value]> = if self.is_null(state, &pointer)? {
                        // As glibc prints it: not at all if there is no room for the whole word.
                        let room = conversion.precision.is_none_or(|precision| precision >= 6);
                        let word: &[u8] = if room { b"(null)" } else { b"" };
                        word.iter().map(|&byte| Value::Word(u64::from(byte))).collect()
                    } else {
                        let limit = conversion.precision.map(|limit| limit as u64);
                        self.memory().read_string(state, &pointer, limit)?.into()
                    };
                    OutputPiece::Text { bytes, conversion: Rc::new(conversion) }
                }
                b'p' => {
                    let value = values.integer(self, state, 64)?;
                    if value.as_concrete() != Some(0) {
                        // An address: another one natively.
                        state.indeterminate = true;
                    }
                    let mut conversion = conversion;
                    conversion.length = Length::Long;
                    OutputPiece::Number { value, conversion: Rc::new(conversion) }
                }
                b'a' | b'A' if conversion.length == Length::LongDouble => {
                    return Err(unsupported("the format conversion %La"));
                }
                _ if conversion.is_float() => {
                    let value = values.float(self, state, conversion.length)?;
                    OutputPiece::Number { value, conversion: Rc::new(conversion) }
                }
                _ => {
                    let value = values.integer(self, state, conversion.integer_width())?;
                    OutputPiece::Number { value, conversion: Rc::new(conversion) }
                }
            });
        }
        for (place, width, count) in counts {
            self.memory().write_scalar(state, place, width, &Value::Word(count));
        }
        Ok(pieces)
    }
}

/// The bytes of pieces that are concrete throughout.
fn concrete_bytes(pieces: &[OutputPiece]) -> Option<Vec<u8>> {
    let concrete = pieces.iter().all(|piece| match piece {
        OutputPiece::Bytes(_) => true,
        OutputPiece::Byte(value) | OutputPiece::Number { value, .. } => value.as_concrete().is_some(),
        OutputPiece::Text { bytes, .. } => bytes.iter().all(|byte| byte.as_concrete().is_some()),
    });
    let mut out = Vec::new();
    if concrete {
        for piece in pieces {
            render(piece, &mut out, &mut |value| value.as_concrete().unwrap_or(0));
        }
    }
    concrete.then_some(out)
}

fn print(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    target: OutputTarget,
    format: usize,
    rest: Rest,
) -> Result<Option<Value>, Exit> {
    let Some(stream) = machine.stream(state, call, target)? else {
        let model = match target {
            OutputTarget::Descriptor(_) => "__incise_file_print_to",
            OutputTarget::Stream(_) | OutputTarget::Stdout => "__incise_file_print",
        };
        let list = machine.value_list(state, call, format, rest)?;
        let to = machine.stream_argument(state, call, target);
        let arguments = vec![to, call.argument(format), list];
        let descriptor = if matches!(target, OutputTarget::Descriptor(_)) { 32 } else { 64 };
        let kinds = [ArgumentKind::Integer(descriptor), ArgumentKind::Integer(64), ArgumentKind::Integer(64)];
        return machine.written_by_model(state, call, model, arguments, &kinds);
    };
    let text = machine.memory().concrete_string(state, &call.argument(format), "a format")?;
    let values = Values::new(machine, state, call, format + 1, rest)?;
    let mut pieces = machine.format_pieces(state, &text, values)?;
    // The length of what depends on inputs is not known here: an arbitrary value, should anybody ask.
    let mut length = Value::Undefined;
    if let Some(bytes) = concrete_bytes(&pieces) {
        length = Value::Word(bytes.len() as u64);
        pieces = vec![OutputPiece::Bytes(bytes.into())];
    }
    machine.emit(state, stream, pieces);
    Ok(Some(length))
}

fn format_to_memory(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    size: Option<usize>,
    format: usize,
    rest: Rest,
) -> Result<Option<Value>, Exit> {
    let size = size.map_or(Value::Word(u64::MAX), |index| call.argument(index));
    let text = machine.memory().concrete_string(state, &call.argument(format), "a format")?;
    let values = Values::new(machine, state, call, format + 1, rest)?;
    let pieces = machine.format_pieces(state, &text, values)?;
    match (concrete_bytes(&pieces), size.as_concrete()) {
        (Some(bytes), Some(size)) if !machine.formats_own_text(call, format, rest) => {
            machine.write_text(state, &call.argument(0), &bytes, size as u64)?;
            Ok(Some(Value::Word(bytes.len() as u64)))
        }
        _ => machine.format_by_model(state, call, &size, format, rest),
    }
}

impl Machine<'_> {
    /// Whether what is formatted into memory may itself be there: the model looks at it closely.
    fn formats_own_text(&self, call: &NativeCall<'_>, format: usize, rest: Rest) -> bool {
        let Rest::Call = rest else { return false };
        let object = |value: &Value| value.as_concrete().map(|address| address as u64);
        let Some(target) = object(&call.argument(0)).filter(|&target| target != 0) else { return false };
        let mut values = call.arguments[format + 1..].iter().filter_map(object);
        values.any(|value| value != 0 && Memory::are_together(target, value))
    }

    /// Writes as much of a text as fits into `size` bytes with its terminator.
    fn write_text(&mut self, state: &mut State, target: &Value, text: &[u8], size: u64) -> Result<(), Exit> {
        if size == 0 {
            return Ok(());
        }
        let kept = &text[..text.len().min((size - 1) as usize)];
        let place = self.memory().resolve(state, target, kept.len() as u64 + 1, Access::WRITE)?;
        for (index, &byte) in kept.iter().chain(std::iter::once(&0)).enumerate() {
            let place = self.memory().advance(place, index as u64);
            self.memory().write_scalar(state, place, 8, &Value::Word(u64::from(byte)));
        }
        Ok(())
    }

    /// The values of a format as a `va_list`.
    fn value_list(
        &mut self,
        state: &mut State,
        call: &NativeCall<'_>,
        format: usize,
        rest: Rest,
    ) -> Result<Value, Exit> {
        Ok(match rest {
            Rest::List => call.argument(format + 1),
            Rest::Call => {
                let kinds: Vec<ArgumentKind> =
                    call.call.arguments[format + 1..].iter().map(|argument| argument.kind).collect();
                let laid_out = crate::engine::call::lay_out(call.arguments[format + 1..].to_vec(), &kinds);
                let total = laid_out.size;
                let arguments = self.make_variable_arguments(state, Some(&laid_out), total)?;
                let info = ObjectInfo {
                    kind: ObjectKind::Stack,
                    name: "va_list".into(),
                    ty: None,
                    debug_type: None,
                    read_only: false,
                    private: false,
                };
                let object = self.decider.zeroed_object(Rc::new(info), 24);
                let slot = state.memory.add(object);
                self.fill_va_list(state, ObjectPlace { slot, offset: Offset::Concrete(0) }, arguments);
                Value::Word(Memory::address(slot))
            }
        })
    }

    /// Formats symbolic values by running the model, which forks on their digits.
    fn format_by_model(
        &mut self,
        state: &mut State,
        call: &NativeCall<'_>,
        size: &Value,
        format: usize,
        rest: Rest,
    ) -> Result<Option<Value>, Exit> {
        let model = self.program.function_named(FORMAT_MODEL);
        let Some(model) = model.filter(|model| self.program.functions[*model].is_definition()) else {
            return Err(unsupported("formatting symbolic values into memory without its model"));
        };
        let list = self.value_list(state, call, format, rest)?;
        let arguments = vec![call.argument(0), size.clone(), call.argument(format), list];
        let kinds = [ArgumentKind::Integer(64); 4];
        let return_to = ReturnTo::Caller { to: call.call.to, edge: call.call.normal };
        self.push_frame(state, model, arguments, &kinds, return_to)?;
        Err(Exit::Switch)
    }
}

/// The model that formats symbolic values, see [`required_model`].
const FORMAT_MODEL: &str = "__incise_format";

/// The model that a native function runs for symbolic arguments: whoever links models must take it along.
pub fn required_model(name: &str) -> Option<&'static str> {
    let formats = ["sprintf", "snprintf", "vsprintf", "vsnprintf", "__sprintf_chk", "__snprintf_chk"];
    formats.contains(&name).then_some(FORMAT_MODEL)
}

/// One conversion of a concrete floating-point value, for the model.
fn format_double(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let format = machine.memory().concrete_string(state, &call.argument(2), "a format")?;
    let parts = parse(&format).map_err(|what| unsupported(format!("the format conversion {what}")))?;
    let (Some(FormatPart::Conversion { conversion, .. }), Some(bits), Some(size)) =
        (parts.first(), call.argument(3).as_concrete(), call.argument(1).as_concrete())
    else {
        return Err(unsupported("formatting a symbolic floating-point number into memory"));
    };
    let mut text = Vec::new();
    conversion.float(f64::from_bits(bits as u64), &mut text);
    machine.write_text(state, &call.argument(0), &text, size as u64)?;
    Ok(Some(Value::Word(text.len() as u64)))
}

fn whole_text(bytes: Vec<Value>) -> OutputPiece {
    let conversion = super::Conversion {
        left: false,
        plus: false,
        space: false,
        alternate: false,
        zero: false,
        width: 0,
        precision: None,
        length: Length::Int,
        letter: b's',
    };
    OutputPiece::Text { bytes: bytes.into(), conversion: Rc::new(conversion) }
}

fn puts(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    if let Some(stream) = machine.reopened_stdout(state) {
        let arguments = vec![call.argument(0), stream];
        let kinds = [ArgumentKind::Integer(64); 2];
        return machine.written_by_model(state, call, "__incise_file_puts_line", arguments, &kinds);
    }
    let text = machine.memory().read_string(state, &call.argument(0), None)?;
    let pieces = vec![whole_text(text), OutputPiece::Bytes(b"\n"[..].into())];
    // Any number that is not negative, says the standard; glibc gives the length.
    let length = concrete_bytes(&pieces).map_or(Value::Undefined, |bytes| Value::Word(bytes.len() as u64));
    machine.emit(state, 1, pieces);
    Ok(Some(length))
}

fn fputs(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let Some(stream) = machine.stream(state, call, OutputTarget::Stream(1))? else {
        let arguments = vec![call.argument(0), call.argument(1)];
        let kinds = [ArgumentKind::Integer(64); 2];
        return machine.written_by_model(state, call, "__incise_file_puts", arguments, &kinds);
    };
    let text = machine.memory().read_string(state, &call.argument(0), None)?;
    machine.emit(state, stream, vec![whole_text(text)]);
    Ok(Some(Value::Word(1)))
}

fn put_character(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    target: OutputTarget,
) -> Result<Option<Value>, Exit> {
    let Some(stream) = machine.stream(state, call, target)? else {
        let to = machine.stream_argument(state, call, target);
        let arguments = vec![call.argument(0), to];
        let kinds = [ArgumentKind::Integer(32), ArgumentKind::Integer(64)];
        return machine.written_by_model(state, call, "__incise_file_put", arguments, &kinds);
    };
    let expr = machine.decider.expr(state, &call.argument(0), 32);
    let byte = machine.decider.exprs.trunc(expr, 8);
    let result = machine.decider.exprs.zext(byte, 32);
    let byte = Value::from_expr(&machine.decider.exprs, byte);
    machine.emit(state, stream, vec![OutputPiece::Byte(byte)]);
    Ok(Some(Value::from_expr(&machine.decider.exprs, result)))
}

/// As many bytes are written at once at most where their number is symbolic.
const MOST_BYTES: u64 = 64;

/// How many bytes are written: where that is symbolic, a path for each number.
fn number_of_bytes(machine: &mut Machine<'_>, state: &mut State, count: &Value) -> Result<u64, Exit> {
    if let Some(count) = count.as_concrete() {
        return Ok(count as u64);
    }
    let count = machine.decider.expr(state, count, 64);
    let exprs = &mut machine.decider.exprs;
    let mut ways = Vec::new();
    for number in 0..=MOST_BYTES {
        let number = exprs.constant(u128::from(number), 64);
        ways.push(exprs.compare(CompareOp::Eq, count, number));
    }
    let most = exprs.constant(u128::from(MOST_BYTES), 64);
    ways.push(exprs.compare(CompareOp::Ult, most, count));
    match machine.decider.choose(state, &ways)? as u64 {
        number @ 0..=MOST_BYTES => Ok(number),
        _ => Err(unsupported("output of a large symbolic number of bytes")),
    }
}

fn raw_bytes(
    machine: &mut Machine<'_>,
    state: &mut State,
    stream: u8,
    pointer: &Value,
    length: &Value,
) -> Result<(), Exit> {
    let length = number_of_bytes(machine, state, length)?;
    if length == 0 {
        return Ok(());
    }
    let place = machine.memory().resolve(state, pointer, length, Access::READ)?;
    let mut pieces = Vec::new();
    let mut run = Vec::new();
    for index in 0..length {
        let at = machine.memory().advance(place, index);
        let byte = machine.memory().read_scalar(state, at, 8);
        match byte.as_concrete() {
            Some(byte) => run.push(byte as u8),
            None => {
                pieces.push(OutputPiece::Bytes(std::mem::take(&mut run).into()));
                pieces.push(OutputPiece::Byte(byte));
            }
        }
    }
    pieces.push(OutputPiece::Bytes(run.into()));
    machine.emit(state, stream, pieces);
    Ok(())
}

fn fwrite(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let Some(stream) = machine.stream(state, call, OutputTarget::Stream(3))? else {
        let arguments = (0..4).map(|index| call.argument(index)).collect();
        let kinds = [ArgumentKind::Integer(64); 4];
        return machine.written_by_model(state, call, "__incise_file_put_block", arguments, &kinds);
    };
    let size = number_of_bytes(machine, state, &call.argument(1))?;
    let count = number_of_bytes(machine, state, &call.argument(2))?;
    let total = Value::Word(size.saturating_mul(count));
    raw_bytes(machine, state, stream, &call.argument(0), &total)?;
    Ok(Some(Value::Word(if size == 0 { 0 } else { count })))
}

fn raw_output(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let stream = machine.stream(state, call, OutputTarget::Descriptor(0))?;
    // The model of write() asks for nothing else.
    raw_bytes(machine, state, stream.unwrap_or(1), &call.argument(1), &call.argument(2))?;
    Ok(None)
}
