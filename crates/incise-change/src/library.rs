//! What functions without a body do that are known by name: those that the engine executes itself, and the C library's
//! mathematics.
//!
//! A library function with a model has a body and is analysed like any other. A name that is not here is code that
//! nobody can see. Values that a program asks for as inputs are arbitrary whatever was asked for before, so asking
//! reads and writes nothing.

use crate::facts::{Facts, Surroundings};
use crate::places::{Base, MemoryPlace};
use crate::pointers::Pointers;
use crate::synchronisation::{self, Touched};
use incise_ir::{Call, ConstantKind, InstructionId, Op, Operand, Type};

/// What a library function does.
enum LibraryEffect {
    /// It computes its result from its arguments.
    Pure,
    /// It computes its result from its arguments, but the engine cannot.
    PureUnsupported,
    /// It ends the program, or the path.
    Stops,
    /// It goes on only if a condition holds.
    Requires,
    /// It makes or finds an object and returns its address, and may fail.
    Allocates,
    /// It reads and writes what some arguments point to.
    Touches { reads: Option<Argument>, writes: Option<Argument> },
    /// It prints text.
    Prints { text: Text, stream: Option<usize> },
    /// It formats into what its first argument points to.
    Formats { format: usize },
    /// It reads memory, anywhere.
    ReadsMemory,
    /// It reads and writes memory, anywhere.
    TouchesMemory,
    /// It reads `errno`.
    ReadsErrno,
    /// It is one of the functions for threads.
    Synchronises(Touched),
}

/// A pointer among the arguments, and the bytes that it is read or written for.
struct Argument {
    number: usize,
    size: Size,
}

enum Size {
    /// The value of another argument.
    Argument(usize),
    Constant(u64),
    /// As far as it goes.
    Unknown,
}

/// What is printed.
#[derive(Copy, Clone)]
enum Text {
    /// The character, which is no pointer.
    Character,
    /// The string that is this argument.
    String(usize),
    /// What the format that is this argument makes of the arguments after it.
    Format(usize),
    /// The bytes that this argument points to.
    Bytes(usize),
}

fn sized(number: usize, size: usize) -> Argument {
    Argument { number, size: Size::Argument(size) }
}

fn bytes(number: usize, size: u64) -> Argument {
    Argument { number, size: Size::Constant(size) }
}

fn whole(number: usize) -> Argument {
    Argument { number, size: Size::Unknown }
}

fn lookup(name: &str) -> Option<LibraryEffect> {
    use LibraryEffect::*;
    Some(match name {
        "malloc" | "valloc" | "calloc" | "aligned_alloc" | "memalign" => Allocates,
        // What is freed is gone: whoever reads it later depends on that.
        "free" | "cfree" | "realloc" | "reallocarray" => {
            Touches { reads: Some(whole(0)), writes: Some(whole(0)) }
        }
        "posix_memalign" => Touches { reads: None, writes: Some(bytes(0, 8)) },
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
            Touches { reads: Some(sized(1, 2)), writes: Some(sized(0, 2)) }
        }
        "memset" | "__memset_chk" => Touches { reads: None, writes: Some(sized(0, 2)) },
        "exit"
        | "_exit"
        | "_Exit"
        | "quick_exit"
        | "abort"
        | "klee_abort"
        | "__assert_fail"
        | "__assert"
        | "reach_error"
        | "__VERIFIER_error"
        | "__incise_unsupported"
        | "klee_silent_exit"
        | "klee_report_error" => Stops,
        // What is registered is hidden state that `exit` reads.
        "atexit" => TouchesMemory,
        "klee_make_symbolic" => Touches { reads: None, writes: Some(sized(0, 1)) },
        "klee_assume" | "__VERIFIER_assume" | "klee_range" | "klee_get_valuef" | "klee_get_valued"
        | "klee_get_valuel" | "klee_get_valuell" | "klee_get_value_i32" | "klee_get_value_i64" => Requires,
        "klee_check_memory_access" => Touches { reads: Some(sized(0, 1)), writes: None },
        "klee_get_errno" => ReadsErrno,
        "klee_int"
        | "klee_is_symbolic"
        | "klee_is_replay"
        | "klee_prefer_cex"
        | "klee_warning"
        | "klee_warning_once"
        | "klee_print_expr"
        | "klee_stack_trace"
        | "klee_open_merge"
        | "klee_close_merge"
        | "__incise_stdin_size"
        | "__incise_stdin_ended"
        | "__incise_settled" => Pure,
        "__incise_stdin_byte" | "__incise_now" | "__incise_apart" => Requires,
        "__incise_same_name"
        | "__incise_plain_name"
        | "__incise_keep_name"
        | "__incise_no_variable"
        | "__incise_no_file"
        | "__incise_ended_file" => ReadsMemory,
        // What is in a file is output, whoever changes it, and so is where a stream stands that somebody else goes on
        // with.
        "__incise_changed" | "__incise_moved" => ReadsMemory,
        // Without a body it is that of a program that cannot open files, and is never called.
        name if name.starts_with("__incise_file_") || name.starts_with("__incise_class_") => Stops,
        name if name.starts_with("__VERIFIER_nondet_") => Pure,
        "printf" => Prints { text: Text::Format(0), stream: None },
        "__printf_chk" => Prints { text: Text::Format(1), stream: None },
        "fprintf" => Prints { text: Text::Format(1), stream: Some(0) },
        "__fprintf_chk" => Prints { text: Text::Format(2), stream: Some(0) },
        "puts" => Prints { text: Text::String(0), stream: None },
        "fputs" | "fputs_unlocked" => Prints { text: Text::String(0), stream: Some(1) },
        "putchar" | "putchar_unlocked" => Prints { text: Text::Character, stream: None },
        "fputc" | "putc" | "_IO_putc" | "putc_unlocked" => Prints { text: Text::Character, stream: Some(1) },
        "fwrite" | "fwrite_unlocked" => Prints { text: Text::Bytes(0), stream: Some(3) },
        "sprintf" => Formats { format: 1 },
        "snprintf" => Formats { format: 2 },
        "__sprintf_chk" => Formats { format: 3 },
        "__snprintf_chk" => Formats { format: 4 },
        "vprintf" | "__incise_output" => ReadsMemory,
        // To a file, which is memory.
        "vfprintf" | "dprintf" => TouchesMemory,
        "vsprintf" | "vsnprintf" | "__incise_format_double" => TouchesMemory,
        name if is_executed_mathematics(name) => Pure,
        name if is_other_mathematics(name) => PureUnsupported,
        name => return synchronisation::touched(name).map(Synchronises),
    })
}

/// The name without the letter for `float` or `long double`.
fn for_double(name: &str) -> &str {
    name.strip_suffix(['f', 'l']).unwrap_or(name)
}

fn is_executed_mathematics(name: &str) -> bool {
    is_exact_mathematics(name)
        || is_exact_mathematics(for_double(name))
        || is_computed_by_the_library(name)
        || name.strip_suffix('f').is_some_and(is_computed_by_the_library)
}

fn is_exact_mathematics(name: &str) -> bool {
    matches!(
        name,
        "sqrt"
            | "floor"
            | "ceil"
            | "trunc"
            | "rint"
            | "nearbyint"
            | "roundeven"
            | "round"
            | "lround"
            | "llround"
            | "lrint"
            | "llrint"
            | "fabs"
            | "copysign"
            | "fmod"
            | "fmin"
            | "fmax"
            | "fma"
            | "fdim"
    )
}

/// Functions of `double`, and with an `f` of `float`, that the engine asks the C library of this machine for.
fn is_computed_by_the_library(name: &str) -> bool {
    matches!(
        name,
        "sin"
            | "cos"
            | "tan"
            | "asin"
            | "acos"
            | "atan"
            | "atan2"
            | "sinh"
            | "cosh"
            | "tanh"
            | "asinh"
            | "acosh"
            | "atanh"
            | "exp"
            | "exp2"
            | "exp10"
            | "expm1"
            | "log"
            | "log2"
            | "log10"
            | "log1p"
            | "logb"
            | "pow"
            | "cbrt"
            | "hypot"
            | "erf"
            | "erfc"
            | "tgamma"
            | "remainder"
            | "nextafter"
    )
}

/// What is left of it: functions of `long double`, and those that no model was needed for.
fn is_other_mathematics(name: &str) -> bool {
    let known = |name: &str| {
        is_computed_by_the_library(name) || matches!(name, "abs" | "labs" | "llabs" | "ldexp" | "scalbn")
    };
    known(name) || known(for_double(name))
}

/// Whether a function of that name makes memory, by itself or by its model, and may fail to.
pub fn allocates(name: &str) -> bool {
    matches!(
        name,
        "malloc"
            | "calloc"
            | "realloc"
            | "reallocarray"
            | "strdup"
            | "__strdup"
            | "strndup"
            | "valloc"
            | "aligned_alloc"
            | "posix_memalign"
    )
}

/// Whether it is known what a function of that name does.
pub(crate) fn is_known(name: &str) -> bool {
    lookup(name).is_some()
}

/// Whether a function of that name neither reads nor writes anything.
pub(crate) fn is_pure(name: &str) -> bool {
    matches!(
        lookup(name),
        Some(
            LibraryEffect::Pure
                | LibraryEffect::PureUnsupported
                | LibraryEffect::Requires
                | LibraryEffect::Allocates
        )
    )
}

/// Whether a function neither keeps an address that it is given nor follows a pointer further than the argument itself.
pub(crate) fn touches_only_its_arguments(name: &str) -> bool {
    let keeps = synchronisation::calls_argument(name).is_some() || ends_thread(name);
    !keeps && !matches!(lookup(name), None | Some(LibraryEffect::ReadsMemory | LibraryEffect::TouchesMemory))
}

/// Whether a function of that name ends the thread that calls it, with a result.
pub(crate) fn ends_thread(name: &str) -> bool {
    matches!(name, "pthread_exit" | "thrd_exit")
}

/// What a library function does with addresses.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pointing {
    /// It keeps and returns none.
    Nothing,
    /// Its result may be any number.
    Invents,
    /// It returns a new object, whose size is the product of these arguments.
    Allocates { size: &'static [usize] },
    /// It returns a new object with what the first argument points to.
    Reallocates { size: &'static [usize] },
    /// It writes the address of a new object to where the first argument points.
    StoresAllocation { size: &'static [usize] },
    /// It copies to where the first argument points what the second points to, and returns the first.
    Copies,
    /// It returns its first argument.
    ReturnsFirst,
    /// What the first argument points to holds anything afterwards, addresses too.
    MakesUnknown,
    /// It calls a function that it is given, at once or in a new thread.
    CallsArgument,
    /// It writes what a thread returned to where the second argument points.
    StoresThreadResult,
    /// It ends the thread, which returns the first argument.
    EndsThread,
}

/// What a function without a body does with addresses; `None` if nobody knows.
pub(crate) fn pointing(name: &str) -> Option<Pointing> {
    lookup(name)?;
    Some(match name {
        "malloc" | "valloc" => Pointing::Allocates { size: &[0] },
        "calloc" => Pointing::Allocates { size: &[0, 1] },
        "aligned_alloc" | "memalign" => Pointing::Allocates { size: &[1] },
        "realloc" => Pointing::Reallocates { size: &[1] },
        "reallocarray" => Pointing::Reallocates { size: &[1, 2] },
        "posix_memalign" => Pointing::StoresAllocation { size: &[2] },
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => Pointing::Copies,
        "memset" | "__memset_chk" => Pointing::ReturnsFirst,
        "klee_make_symbolic" => Pointing::MakesUnknown,
        "__incise_keep_name" => Pointing::Allocates { size: &[] },
        "pthread_join" | "thrd_join" => Pointing::StoresThreadResult,
        name if ends_thread(name) => Pointing::EndsThread,
        name if synchronisation::calls_argument(name).is_some() => Pointing::CallsArgument,
        name if name.starts_with("__VERIFIER_nondet_") => Pointing::Invents,
        _ => Pointing::Nothing,
    })
}

/// Whether the result is the first argument.
pub(crate) fn returns_first_argument(name: &str) -> bool {
    matches!(name, "memcpy" | "memmove" | "memset" | "__memcpy_chk" | "__memmove_chk" | "__memset_chk")
}

/// Whether what was registered with `atexit` is executed.
pub(crate) fn runs_exit_handlers(name: &str) -> bool {
    name == "exit"
}

/// Adds what a call of a function without a body does; false if nobody knows.
pub(crate) fn add_call(
    pointers: &Pointers<'_>,
    surroundings: &Surroundings,
    name: &str,
    at: InstructionId,
    call: &Call,
    facts: &mut Facts,
) -> bool {
    let Some(known) = lookup(name) else { return false };
    if matches!(name, "calloc" | "realloc" | "reallocarray") {
        // The new object holds zeros, or what the old one held.
        facts.writes.extend(pointers.heap_object(at));
    }
    match known {
        LibraryEffect::Pure => {}
        LibraryEffect::PureUnsupported => facts.may_stop = true,
        LibraryEffect::Stops => {
            facts.may_stop = true;
            if runs_exit_handlers(name) {
                facts.reads.push(MemoryPlace::memory());
            }
        }
        LibraryEffect::Requires | LibraryEffect::Allocates => facts.may_fail(),
        LibraryEffect::Touches { reads, writes } => {
            let resolved = |argument: Option<Argument>| resolve(pointers, &argument?, call);
            if let Some((pointer, size)) = resolved(reads) {
                facts.read(pointers, pointer, size);
            }
            if let Some((pointer, size)) = resolved(writes) {
                facts.write(pointers, pointer, size);
            }
        }
        LibraryEffect::Prints { text, stream } => add_output(pointers, text, stream, call, facts),
        LibraryEffect::Formats { format } => {
            facts.may_fail();
            add_format(pointers, format, call, facts);
            call.arguments.first().into_iter().for_each(|&to| facts.write(pointers, to, None));
        }
        LibraryEffect::ReadsMemory => {
            facts.reads.push(MemoryPlace::memory());
            facts.may_fail();
        }
        LibraryEffect::TouchesMemory => {
            facts.reads.push(MemoryPlace::memory());
            facts.writes.push(MemoryPlace::memory());
            facts.may_fail();
        }
        LibraryEffect::ReadsErrno => {
            let errno =
                surroundings.errno.map(|global| MemoryPlace { base: Base::Global(global), range: None });
            facts.reads.extend(errno);
        }
        LibraryEffect::Synchronises(touched) => add_synchronisation(pointers, &touched, call, facts),
    }
    true
}

/// Adds what a function for threads reads and writes. A null pointer among the arguments is not followed.
fn add_synchronisation(pointers: &Pointers<'_>, touched: &Touched, call: &Call, facts: &mut Facts) {
    let argument = |index: usize| {
        let argument = call.arguments.get(index).copied()?;
        (is_pointer(pointers, argument) && pointers.constant_integer(argument) != Some(0)).then_some(argument)
    };
    for &(index, size) in touched.both.iter().chain(touched.read) {
        argument(index).into_iter().for_each(|from| facts.read(pointers, from, Some(size)));
    }
    for &(index, size) in touched.both.iter().chain(touched.written) {
        argument(index).into_iter().for_each(|to| facts.write(pointers, to, Some(size)));
    }
    if touched.may_stop {
        facts.may_fail();
    }
}

fn resolve(pointers: &Pointers<'_>, argument: &Argument, call: &Call) -> Option<(Operand, Option<u64>)> {
    let pointer = *call.arguments.get(argument.number)?;
    let size = match argument.size {
        Size::Argument(number) => (call.arguments.get(number))
            .and_then(|&size| pointers.constant_integer(size))
            .and_then(|size| u64::try_from(size).ok()),
        Size::Constant(size) => Some(size),
        Size::Unknown => None,
    };
    Some((pointer, size))
}

fn add_output(pointers: &Pointers<'_>, text: Text, stream: Option<usize>, call: &Call, facts: &mut Facts) {
    match text {
        Text::Character => {}
        Text::String(number) => {
            call.arguments.get(number).into_iter().for_each(|&text| add_string(pointers, text, facts));
        }
        Text::Bytes(number) => {
            call.arguments.get(number).into_iter().for_each(|&bytes| facts.read(pointers, bytes, None));
        }
        Text::Format(number) => add_format(pointers, number, call, facts),
    }
    if let Some(&stream) = stream.and_then(|number| call.arguments.get(number))
        && !is_standard_stream(pointers, stream)
    {
        facts.read(pointers, stream, None);
        // A model writes to files, and what they hold is memory.
        if pointers.program.global_named("__incise_files").is_some() {
            facts.reads.push(MemoryPlace::memory());
            facts.writes.push(MemoryPlace::memory());
            facts.may_fail();
        }
    }
}

/// Whether a stream is `stdout` or `stderr`, whose descriptors never change.
fn is_standard_stream(pointers: &Pointers<'_>, stream: Operand) -> bool {
    let Operand::Value(value) = stream else { return false };
    let Some((_, instruction)) = pointers.definition(value) else { return false };
    let Op::Load { pointer: Operand::Constant(from), .. } = instruction.op else { return false };
    match pointers.program.constants[from].kind {
        ConstantKind::Global(global) => {
            matches!(pointers.program.globals[global].name.as_str(), "stdout" | "stderr")
        }
        _ => false,
    }
}

/// Adds the reading of a string.
fn add_string(pointers: &Pointers<'_>, text: Operand, facts: &mut Facts) {
    match literal(pointers, text) {
        Some(_) => {}
        None => facts.read(pointers, text, None),
    }
}

/// The bytes of a string literal up to its end.
fn literal<'p>(pointers: &Pointers<'p>, text: Operand) -> Option<&'p [u8]> {
    let [MemoryPlace { base: Base::Global(global), range: Some((start, _)) }] =
        pointers.access(text, Some(1), false).places[..]
    else {
        return None;
    };
    let global = &pointers.program.globals[global];
    let ConstantKind::Bytes(bytes) =
        &pointers.program.constants[global.initializer.filter(|_| global.constant)?].kind
    else {
        return None;
    };
    let bytes = bytes.get(usize::try_from(start).ok()?..)?;
    let end = bytes.iter().position(|&byte| byte == 0)?;
    Some(&bytes[..end])
}

/// Adds what a format does with the arguments after it.
fn add_format(pointers: &Pointers<'_>, format: usize, call: &Call, facts: &mut Facts) {
    let Some(&text) = call.arguments.get(format) else { return facts.may_fail() };
    let values = call.arguments.get(format + 1..).unwrap_or(&[]);
    let Some(conversions) = literal(pointers, text).and_then(conversions) else {
        // A format that is not a literal, or that we do not know: any pointer may be read and, for `%n`, written.
        facts.may_fail();
        facts.read(pointers, text, None);
        for &value in values.iter().filter(|&&value| is_pointer(pointers, value)) {
            facts.read(pointers, value, None);
            facts.write(pointers, value, None);
        }
        return;
    };
    if conversions.len() > values.len() {
        facts.may_fail();
    }
    for (letter, &value) in conversions.iter().zip(values) {
        match letter {
            b's' => add_string(pointers, value, facts),
            b'n' => facts.write(pointers, value, None),
            _ => {}
        }
    }
}

fn is_pointer(pointers: &Pointers<'_>, value: Operand) -> bool {
    let ty = pointers.program.operand_type(pointers.function, value);
    matches!(pointers.program.types.get(ty), Type::Pointer)
}

/// The letters of a format's conversions, one for each value; `None` if one of them may be more than it seems (`%*d`,
/// `%ls`, `%Lf`, `%2$d`).
fn conversions(format: &[u8]) -> Option<Vec<u8>> {
    let mut letters = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        rest = &rest[at + 1..];
        let is_plain = |byte: &u8| b"-+ #0123456789.hlqjzt".contains(byte);
        let end = rest.iter().position(|byte| !is_plain(byte))?;
        let long = rest[..end].contains(&b'l');
        match rest[end] {
            b'%' => {}
            b's' | b'c' if long => return None,
            letter if b"diuoxXcaAeEfFgGpsn".contains(&letter) => letters.push(letter),
            _ => return None,
        }
        rest = &rest[end + 1..];
    }
    Some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_tells_its_conversions() {
        assert_eq!(conversions(b"plain"), Some(vec![]));
        assert_eq!(conversions(b"%d of %-5.2lf%%, %s\n"), Some(b"dfs".to_vec()));
        for unknown in ["%*d", "%ls", "%Lf", "%2$d", "%", "%y"] {
            assert_eq!(conversions(unknown.as_bytes()), None, "{unknown}");
        }
    }

    #[test]
    fn names_for_float_and_long_double_are_known() {
        assert!(is_executed_mathematics("sqrtf") && is_executed_mathematics("ceil"));
        assert!(is_executed_mathematics("fabsl") && is_other_mathematics("powf"));
        assert!(lookup("sqrtx").is_none() && lookup("read").is_none());
    }
}
