//! The piece of LLVM IR between the driver and the program: it calls the entry with parameters from memory, knows
//! where the global variables are, and stands in for external functions.
//!
//! IR and not C, because the IR has the exact signature: no type names are needed, static symbols and code that
//! was never C work alike, and clang keeps to the ABI.

use incise_ir::parameters::{Carried, carried_parameters};
use incise_ir::{DebugType, Encoding, FloatKind, Function, FunctionId, Program, Type, TypeId};
use std::fmt::Write;

/// Types nest no deeper than this: the reader refuses more.
const DEEPEST: u32 = 250;

/// A variable or function of the program, as it is called after its object file was prepared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LinkedGlobal {
    pub(super) link_name: String,
    /// The bytes that it needs if the program does not define it.
    pub(super) missing: Option<u64>,
}

/// An unknown function that an input points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Callback {
    pub(super) link_name: String,
    /// What its results are among the inputs.
    pub(super) kind: String,
    /// The type of its result as IR has it.
    pub(super) result: String,
    /// The bytes of its result.
    pub(super) size: u64,
}

/// What the piece is made for.
pub(super) struct GlueRequest<'a> {
    pub(super) program: &'a Program,
    pub(super) entry: FunctionId,
    pub(super) entry_link_name: &'a str,
    pub(super) entry_is_main: bool,
    /// What the entry is called here: that name, or one that the linker is told to take for it.
    pub(super) called: &'a str,
    /// The table of globals, in the order of the scripts' indices.
    pub(super) globals: &'a [LinkedGlobal],
    /// External functions whose results are inputs.
    pub(super) externals: &'a [String],
    /// The unknown functions that inputs point to.
    pub(super) callbacks: &'a [Callback],
}

/// The text of the piece; the error says what of the program it cannot call.
pub(super) fn glue(request: &GlueRequest<'_>) -> Result<String, String> {
    let mut out = String::new();
    let entry = &request.program.functions[request.entry];
    table(request, &mut out);
    call(request, entry, &mut out)?;
    for name in request.externals {
        external(request.program, name, &mut out)?;
    }
    for each in request.callbacks {
        callback(each, &mut out);
    }
    let declared =
        ["void @incise_take(ptr, ptr, i64)", "void @incise_called(ptr, i64)", "void @incise_exit(i32)"];
    for function in declared {
        let _ = writeln!(out, "declare {function}");
    }
    Ok(out)
}

fn table(request: &GlueRequest<'_>, out: &mut String) {
    let name = |each: &LinkedGlobal| match each.link_name == request.entry_link_name {
        true => quoted(request.called),
        false => quoted(&each.link_name),
    };
    let names: Vec<_> = request.globals.iter().map(name).collect();
    for (global, name) in request.globals.iter().zip(&names) {
        // The entry is declared by its signature, and stand-ins are defined here.
        let defined = request.callbacks.iter().any(|each| each.link_name == global.link_name);
        if global.link_name == request.entry_link_name || defined {
            continue;
        }
        let _ = match global.missing {
            // Weak, so that a library that has it after all is heard.
            Some(size) => writeln!(out, "@{name} = weak global [{size} x i8] zeroinitializer, align 16"),
            None => writeln!(out, "@{name} = external global i8"),
        };
    }
    // One more, so that the table is never empty.
    let addresses = names.iter().map(|name| format!("ptr @{name}")).chain(["ptr null".to_owned()]);
    let addresses: Vec<_> = addresses.collect();
    let _ =
        writeln!(out, "@incise_globals = constant [{} x ptr] [{}]", addresses.len(), addresses.join(", "));
    let _ = writeln!(out, "@incise_global_count = constant i64 {}", names.len());
    let _ = writeln!(out, "@incise_entry_is_main = constant i8 {}", u8::from(request.entry_is_main));
}

/// `incise_call(parameters, result)`.
fn call(request: &GlueRequest<'_>, entry: &Function, out: &mut String) -> Result<(), String> {
    let name = quoted(request.called);
    let program = request.program;
    let mut types = Vec::new();
    let mut arguments = Vec::new();
    let mut body = String::new();
    let carried = carried_parameters(program, entry);
    for (index, (parameter, carried)) in entry.parameters.iter().zip(carried).enumerate() {
        let ty = type_text(program, parameter.ty)?;
        let mut attributes = String::new();
        if let Some(copied) = parameter.by_value {
            let align = program.types.align_of(copied).max(8);
            attributes = format!(" byval({}) align {align}", type_text(program, copied)?);
        } else if let Carried::Bytes { number, .. } = carried {
            attributes = extension(program, entry, parameter.ty, number).to_owned();
        }
        types.push(format!("{ty}{attributes}"));
        let Carried::Bytes { number, offset } = carried else {
            arguments.push("ptr %result".to_owned());
            continue;
        };
        let _ = writeln!(body, "  %slot{index} = getelementptr ptr, ptr %parameters, i64 {number}");
        let _ = writeln!(body, "  %start{index} = load ptr, ptr %slot{index}");
        let _ = writeln!(body, "  %address{index} = getelementptr i8, ptr %start{index}, i64 {offset}");
        if parameter.by_value.is_some() {
            arguments.push(format!("{ty}{attributes} %address{index}"));
        } else {
            let _ = writeln!(body, "  %argument{index} = load {ty}, ptr %address{index}, align 1");
            arguments.push(format!("{ty}{attributes} %argument{index}"));
        }
    }
    if entry.variadic {
        types.push("...".to_owned());
    }
    let result = type_text(program, entry.result)?;
    let signature = format!("{result} ({})", types.join(", "));
    let _ = writeln!(out, "declare {result} @{name}({})", types.join(", "));
    let _ = writeln!(out, "define void @incise_call(ptr %parameters, ptr %result) {{\n{body}");
    // The full function type is only allowed to carry types, and is only needed for variable arguments.
    let callee = if entry.variadic { signature } else { result.clone() };
    let call = format!("call {callee} @{name}({})", arguments.join(", "));
    if result == "void" {
        let _ = writeln!(out, "  {call}");
    } else {
        let _ = writeln!(out, "  %returned = {call}\n  store {result} %returned, ptr %result, align 1");
    }
    let _ = writeln!(out, "  ret void\n}}");
    Ok(())
}

/// How a narrow integer is widened by its caller: optimised code relies on it.
fn extension(program: &Program, entry: &Function, ty: TypeId, number: usize) -> &'static str {
    let Type::Integer(bits @ 1..=31) = program.types.get(ty) else { return "" };
    let declared = entry.debug_signature.get(number + 1).copied().flatten();
    let resolved = declared.and_then(|id| program.resolve_debug_type(id)).map(|id| &program.debug_types[id]);
    match resolved {
        Some(DebugType::Basic { encoding: Encoding::Signed | Encoding::SignedChar, .. }) => " signext",
        Some(DebugType::Enumeration { signed: true, .. }) => " signext",
        Some(DebugType::Basic { .. } | DebugType::Enumeration { .. }) => " zeroext",
        // The part of a struct, or a program without debug information.
        _ => {
            if *bits == 1 {
                " zeroext"
            } else {
                ""
            }
        }
    }
}

/// The integer registers that arguments are passed in.
const REGISTERS: usize = 6;

/// A stand-in for an external function: it writes what the test says that this call writes, and returns the next input
/// of its name.
fn external(program: &Program, name: &str, out: &mut String) -> Result<(), String> {
    let id = program.function_named(name).ok_or_else(|| format!("no function is called {name}"))?;
    let function = &program.functions[id];
    let result = type_text(program, function.result)?;
    let mut types = Vec::new();
    for parameter in &function.parameters {
        types.push(type_text(program, parameter.ty)?);
    }
    // Variable arguments are in the registers that are left.
    if function.variadic {
        types.resize(REGISTERS.max(types.len()), "ptr".to_owned());
    }
    let size = program.types.store_size(function.result);
    let result = (result != "void").then_some((result.as_str(), size));
    let stand_in = StandIn {
        symbol: name,
        kind: name,
        types: &types,
        result,
        event: !function.is_constant(&program.types),
        no_return: function.no_return,
    };
    stand_in.write(out);
    Ok(())
}

/// A stand-in for an unknown function. Nobody knows what it is called with, but that is in registers.
fn callback(callback: &Callback, out: &mut String) {
    let types = vec!["ptr".to_owned(); REGISTERS];
    // A function that returns a large struct returns where it is, which is its first argument.
    let result = (!callback.result.is_empty()).then_some((callback.result.as_str(), callback.size));
    let (symbol, kind) = (&callback.link_name, &callback.kind);
    StandIn { symbol, kind, types: &types, result, event: true, no_return: false }.write(out);
}

/// A function that stands in for one that is not there.
struct StandIn<'a> {
    symbol: &'a str,
    /// What its results are among the inputs.
    kind: &'a str,
    types: &'a [String],
    /// The type of its result, and the bytes of that.
    result: Option<(&'a str, u64)>,
    /// Whether its calls are counted, and may write.
    event: bool,
    no_return: bool,
}

impl StandIn<'_> {
    fn write(&self, out: &mut String) {
        let symbol = quoted(self.symbol);
        let parameters = self.types.iter().enumerate().map(|(index, ty)| format!("{ty} %p{index}"));
        let parameters: Vec<String> = parameters.collect();
        let text = quoted(&format!("incise.name.{}", self.symbol));
        let kind = self.kind;
        let _ =
            writeln!(out, "@{text} = private constant [{} x i8] c\"{}\\00\"", kind.len() + 1, escaped(kind));
        let result = self.result.map_or("void", |(result, _)| result);
        let _ = writeln!(out, "define {result} @{symbol}({}) {{", parameters.join(", "));
        if self.event {
            self.called(out);
        }
        if self.no_return {
            let _ = writeln!(out, "  call void @incise_exit(i32 0)\n  unreachable\n}}");
            return;
        }
        let Some((result, size)) = self.result else {
            let _ = writeln!(out, "  ret void\n}}");
            return;
        };
        let _ = writeln!(out, "  %result = alloca {result}, align 16");
        let _ = writeln!(out, "  call void @incise_take(ptr @{text}, ptr %result, i64 {size})");
        let _ = writeln!(out, "  %value = load {result}, ptr %result, align 16\n  ret {result} %value\n}}");
    }

    /// Tells the driver of the call, with the addresses among the arguments.
    fn called(&self, out: &mut String) {
        let count = self.types.len();
        let _ = writeln!(out, "  %arguments = alloca [{} x ptr], align 16", count + 1);
        for (index, ty) in self.types.iter().enumerate() {
            let _ = writeln!(out, "  %at{index} = getelementptr ptr, ptr %arguments, i64 {index}");
            let value = match ty.as_str() {
                "ptr" => format!("%p{index}"),
                "i64" => {
                    let _ = writeln!(out, "  %a{index} = inttoptr i64 %p{index} to ptr");
                    format!("%a{index}")
                }
                _ => "null".to_owned(),
            };
            let _ = writeln!(out, "  store ptr {value}, ptr %at{index}");
        }
        let _ = writeln!(out, "  call void @incise_called(ptr %arguments, i64 {count})");
    }
}

fn type_text(program: &Program, ty: TypeId) -> Result<String, String> {
    type_text_within(program, ty, DEEPEST)
}

fn type_text_within(program: &Program, ty: TypeId, depth: u32) -> Result<String, String> {
    let Some(depth) = depth.checked_sub(1) else { return Err("a type nests too deeply".to_owned()) };
    Ok(match program.types.get(ty) {
        Type::Void => "void".to_owned(),
        Type::Integer(bits) => format!("i{bits}"),
        Type::Float(kind) => float_text(*kind).to_owned(),
        Type::Pointer => "ptr".to_owned(),
        Type::Array { element, length } => {
            format!("[{length} x {}]", type_text_within(program, *element, depth)?)
        }
        Type::Vector { element, length } => {
            format!("<{length} x {}>", type_text_within(program, *element, depth)?)
        }
        Type::Struct { fields, packed } => {
            let mut texts = Vec::with_capacity(fields.len());
            for &field in fields {
                texts.push(type_text_within(program, field, depth)?);
            }
            let body = texts.join(", ");
            if *packed { format!("<{{ {body} }}>") } else { format!("{{ {body} }}") }
        }
        Type::Function { .. } | Type::Opaque => {
            return Err("a parameter or result has a type without values".to_owned());
        }
    })
}

fn float_text(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "half",
        FloatKind::BFloat => "bfloat",
        FloatKind::Single => "float",
        FloatKind::Double => "double",
        FloatKind::X87 => "x86_fp80",
        FloatKind::Quad => "fp128",
    }
}

/// A name as IR writes it, in quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", escaped(name))
}

fn escaped(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => {
                let _ = write!(text, "\\{byte:02X}");
            }
            b' '..=b'~' => text.push(byte as char),
            _ => {
                let _ = write!(text, "\\{byte:02X}");
            }
        }
    }
    text
}
