//! One test as C code: functions that set up its inputs, call the entry and check what it did, and a
//! `struct incise_test` that names them.

use crate::json::value::from_latin1;
use crate::names::FAILING_MALLOC;
use crate::test::Expected;
use crate::{ErrorKind, Input, Observed, Origin, Outcome, ProgramError, TestCase, Value, c_string};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What C tests must know of the program beside the tests themselves.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The file to include: the one that defines the entry, as a path from the folder of the tests.
    pub source: String,
    /// The other files of the program, likewise.
    pub other_sources: Vec<String>,
    /// What to pass to the compiler.
    pub flags: Vec<String>,
    /// The C types of the entry's parameters.
    pub parameters: Vec<String>,
    /// Whether the entry returns something that can be compared.
    pub returns_value: bool,
    /// How the program's global variables are reached, by symbol; one that is not here cannot be.
    pub globals: BTreeMap<String, GlobalAccess>,
    /// The arguments of `main` that are not symbolic.
    pub arguments: Vec<String>,
    /// What inputs were taken to be when the tests were made, and why.
    pub taken: Vec<String>,
    /// Whether the program calls functions of KLEE or SV-COMP, which must be linked with it.
    pub input_functions: bool,
}

/// Why a test with registers at fixed addresses cannot be C code.
const DEVICES: &str = "it reads or writes devices at fixed addresses";

/// How a test reaches a global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GlobalAccess {
    /// By its name, since the test includes its file.
    Name(String),
    /// By its symbol, since it is in another file.
    Symbol,
}

/// One test on its way to C.
pub(crate) struct Body<'a> {
    test: &'a TestCase,
    context: &'a Context,
    expected: &'a Expected,
    /// The C variables of the objects that inputs point to, by name of the input.
    objects: BTreeMap<&'a str, String>,
    /// What sets its names apart from those of other tests in the file.
    suffix: String,
}

impl<'a> Body<'a> {
    /// The test, whose names in C all end with `suffix`. The error says why it cannot be C code.
    pub(crate) fn new(test: &'a TestCase, context: &'a Context, suffix: String) -> Result<Self, String> {
        let Some(expected) = &test.expected else {
            return Err("there is no prediction to check".to_owned());
        };
        let is_object = |input: &&Input| matches!(input.origin, Origin::Pointee(_) | Origin::Stream(_));
        let objects = test.inputs.iter().filter(is_object);
        let objects = objects
            .enumerate()
            .map(|(number, input)| (input.name.as_str(), format!("incise_object_{number}{suffix}")))
            .collect();
        let body = Self { test, context, expected, objects, suffix };
        body.check_reachable()?;
        Ok(body)
    }

    fn check_reachable(&self) -> Result<(), String> {
        for input in &self.test.inputs {
            match &input.origin {
                Origin::Global(symbol) if !self.context.globals.contains_key(symbol) => {
                    return Err(format!("the variable {symbol} cannot be set from outside of its file"));
                }
                Origin::Nondet(function)
                    if function == FAILING_MALLOC && input.bytes.iter().any(|&byte| byte != 0) =>
                {
                    return Err("an allocation fails in it".to_owned());
                }
                Origin::External(function) => {
                    return Err(format!("the result of the external function {function} cannot be set"));
                }
                Origin::Callback(pointer) => {
                    return Err(format!("the result of the unknown function {pointer} cannot be set"));
                }
                Origin::Written { function, .. } => {
                    return Err(format!("what the external function {function} writes cannot be set"));
                }
                Origin::Time => return Err("what the clock says cannot be set".to_owned()),
                Origin::Device | Origin::Volatile => return Err(DEVICES.to_owned()),
                Origin::Parameter(index) if *index as usize >= self.context.parameters.len() => {
                    return Err("the C type of a parameter is not known".to_owned());
                }
                _ => {}
            }
        }
        match self.expected.finals.iter().any(|each| each.origin == Origin::Device) {
            true => Err(DEVICES.to_owned()),
            false => Ok(()),
        }
    }

    /// The name of the test's `struct incise_test`.
    pub(crate) fn variable(&self) -> String {
        format!("incise_test{}", self.suffix)
    }

    /// Whether the program asks for inputs by calling functions.
    pub(crate) fn has_calls(&self) -> bool {
        self.test.inputs.iter().any(|input| matches!(input.origin, Origin::Klee | Origin::Nondet(_)))
    }

    /// What the test expects, in words.
    pub(crate) fn expectation(&self) -> String {
        match &self.expected.outcome {
            Outcome::Exited { status } => format!("exit with status {status}"),
            Outcome::Error(ProgramError { message, .. }) => format!("end in an error: {message}"),
            _ => match &self.expected.result {
                Some(result) => format!("return {}", result.value),
                None => "return".to_owned(),
            },
        }
    }

    /// The symbols of other files that the test uses.
    pub(crate) fn symbols(&self) -> BTreeSet<&str> {
        let inputs = self.test.inputs.iter().map(|input| &input.origin);
        let finals = self.expected.finals.iter().map(|each| &each.origin);
        let globals = inputs.chain(finals).filter_map(|origin| match origin {
            Origin::Global(symbol) => Some(symbol.as_str()),
            _ => None,
        });
        let pointers = self.test.inputs.iter().flat_map(|input| &input.pointers);
        let globals = globals.chain(pointers.map(|pointer| pointer.target.as_str()));
        globals.filter(|symbol| self.context.globals.get(*symbol) == Some(&GlobalAccess::Symbol)).collect()
    }

    /// Writes the test's code.
    pub(crate) fn write(&self, out: &mut String) -> std::fmt::Result {
        self.tables(out)?;
        self.finals(out)?;
        self.run(out)?;
        self.structure(out)
    }

    /// The inputs that the program asks for, in order.
    fn tables(&self, out: &mut String) -> std::fmt::Result {
        if !self.has_calls() {
            return Ok(());
        }
        writeln!(out, "static const struct incise_input incise_inputs{}[] = {{", self.suffix_or("_here"))?;
        for input in &self.test.inputs {
            let kind = match &input.origin {
                Origin::Klee => "klee",
                Origin::Nondet(function) => function,
                _ => continue,
            };
            writeln!(
                out,
                "    {{{}, {}, (const unsigned char *){}, {}}}, /* {} */",
                c_string(kind.as_bytes()),
                c_string(input.name.as_bytes()),
                c_string(&input.bytes),
                input.bytes.len(),
                commented(&input.value)
            )?;
        }
        writeln!(out, "}};\n")
    }

    /// The suffix, or another where a bare name is taken.
    fn suffix_or<'b>(&'b self, other: &'b str) -> &'b str {
        if self.suffix.is_empty() { other } else { &self.suffix }
    }

    /// The check of globals and input objects at the end.
    fn finals(&self, out: &mut String) -> std::fmt::Result {
        for variable in self.objects.values() {
            writeln!(out, "static unsigned char *{variable};")?;
        }
        if self.has_heap_result() {
            writeln!(out, "static void *incise_left{};", self.suffix)?;
        }
        writeln!(out, "static void incise_check_finals{}(void) {{", self.suffix)?;
        for (number, each) in self.expected.finals.iter().enumerate() {
            if let Origin::File(name) = &each.origin {
                self.check_file(out, name, &each.observed)?;
            }
            if let (Origin::Stream(_), Some(stream)) = (&each.origin, self.objects.get(each.name.as_str())) {
                let (name, observed) = (c_string(each.name.as_bytes()), &each.observed);
                let mask: Vec<u8> = observed.comparable.iter().map(|&yes| u8::from(yes)).collect();
                let (bytes, mask, size) = (c_string(&observed.bytes), c_string(&mask), observed.bytes.len());
                writeln!(
                    out,
                    "    incise_check_stream({name}, {stream}, {bytes},\n                        {mask}, {size}); /* {} */",
                    commented(&observed.value)
                )?;
            }
            if let Some(address) = self.final_address(number) {
                self.check(out, &each.name, &address, &each.observed)?;
            }
        }
        writeln!(out, "}}\n")
    }

    /// The check of a file; one that is gone has no value.
    fn check_file(&self, out: &mut String, name: &str, observed: &Observed) -> std::fmt::Result {
        let name = c_string(&from_latin1(name).unwrap_or_default());
        match observed.value {
            Value::Pointer(None) => writeln!(out, "    incise_check_gone({name});"),
            _ => {
                let (bytes, size) = (c_string(&observed.bytes), observed.bytes.len());
                writeln!(out, "    incise_check_file({name}, {bytes}, {size});")
            }
        }
    }

    /// Whether it needs a folder with files of its own.
    fn has_files(&self) -> bool {
        let inputs = self.test.inputs.iter().map(|input| &input.origin);
        let finals = self.expected.finals.iter().map(|each| &each.origin);
        inputs.chain(finals).any(|origin| matches!(origin, Origin::File(_)))
    }

    /// Whether the environment is part of the test.
    fn has_environment(&self) -> bool {
        self.test.inputs.iter().any(|input| matches!(input.origin, Origin::Environment(_)))
    }

    /// Whether an object on the heap is looked at that the result leads to.
    fn has_heap_result(&self) -> bool {
        let is_returned =
            |origin: &Origin| matches!(origin, Origin::Heap { within, .. } if within.is_empty());
        self.expected.finals.iter().any(|each| is_returned(&each.origin))
    }

    /// The address of something that is left; of an object on the heap by the way to it.
    fn final_address(&self, mut number: usize) -> Option<String> {
        let finals = &self.expected.finals;
        let (mut way, mut ends) = (String::new(), String::new());
        while let Origin::Heap { within, offset, addend } = &finals[number].origin {
            way += "incise_behind(";
            ends = format!(", {offset}, {addend}){ends}");
            if within.is_empty() {
                return Some(format!("{way}&incise_left{}{ends}", self.suffix));
            }
            number = finals[..number].iter().position(|each| each.name == *within)?;
        }
        Some(format!("{way}{}{ends}", self.address(&finals[number].origin, &finals[number].name)?))
    }

    fn address(&self, origin: &Origin, name: &str) -> Option<String> {
        match origin {
            Origin::Global(symbol) => match self.context.globals.get(symbol)? {
                GlobalAccess::Name(name) => Some(format!("&{name}")),
                GlobalAccess::Symbol => Some(symbol_variable(symbol)),
            },
            Origin::Pointee(_) => self.objects.get(name).cloned(),
            _ => None,
        }
    }

    /// The address of what a pointer in an input leads to. Where the data structure of the test ends, it is one that
    /// the program does not look behind.
    fn target(&self, target: &str) -> String {
        let known = self.objects.get(target).cloned();
        let known = known.or_else(|| self.address(&Origin::Global(target.to_owned()), target));
        known.unwrap_or_else(|| "incise_elsewhere()".to_owned())
    }

    fn check(&self, out: &mut String, what: &str, address: &str, observed: &Observed) -> std::fmt::Result {
        let mask: Vec<u8> = observed.comparable.iter().map(|&yes| u8::from(yes)).collect();
        writeln!(
            out,
            "    incise_check({}, {address},\n                 {},\n                 {}, {}); /* {} */",
            c_string(what.as_bytes()),
            c_string(&observed.bytes),
            c_string(&mask),
            observed.bytes.len(),
            commented(&observed.value)
        )
    }

    fn run(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "static void incise_run{}(void) {{", self.suffix)?;
        if self.has_environment() {
            writeln!(out, "    clearenv();")?;
        }
        for input in &self.test.inputs {
            self.set_up(out, input)?;
        }
        for input in &self.test.inputs {
            for pointer in &input.pointers {
                let Some(holder) = self.holder(input) else { continue };
                let target = self.target(&pointer.target);
                let (offset, addend) = (pointer.offset, pointer.addend);
                writeln!(out, "    incise_point({holder}, {offset}, (unsigned char *){target} + {addend});")?;
            }
        }
        if self.has_calls() {
            let table = format!("incise_inputs{}", self.suffix_or("_here"));
            writeln!(out, "    incise_inputs = {table};")?;
            writeln!(out, "    incise_input_count = sizeof {table} / sizeof *{table};")?;
        }
        self.call(out)?;
        writeln!(out, "}}\n")
    }

    fn holder(&self, input: &Input) -> Option<String> {
        match &input.origin {
            Origin::Parameter(index) => Some(format!("&argument_{index}")),
            origin => self.address(origin, &input.name),
        }
    }

    fn set_up(&self, out: &mut String, input: &Input) -> std::fmt::Result {
        let (bytes, size) = (c_string(&input.bytes), input.bytes.len());
        let comment = format!("/* {} = {} */", comment_text(&input.name), commented(&input.value));
        match &input.origin {
            Origin::Parameter(index) => {
                let ty = &self.context.parameters[*index as usize];
                writeln!(out, "    {};", declared(ty, &format!("argument_{index}")))?;
                writeln!(out, "    memcpy(&argument_{index}, {bytes}, sizeof argument_{index}); {comment}")
            }
            Origin::Pointee(_) => {
                let variable = &self.objects[input.name.as_str()];
                writeln!(out, "    {variable} = incise_object({bytes}, {size}); {comment}")
            }
            Origin::Stream(_) => {
                let variable = &self.objects[input.name.as_str()];
                writeln!(out, "    {variable} = incise_stream({bytes}, {size}); {comment}")
            }
            origin @ Origin::Global(_) => match self.address(origin, &input.name) {
                Some(address) => writeln!(out, "    memcpy({address}, {bytes}, {size}); {comment}"),
                None => Ok(()),
            },
            // A file that is not there has no value either.
            Origin::File(name) if input.value != Value::Pointer(None) => {
                let name = c_string(&from_latin1(name).unwrap_or_default());
                writeln!(out, "    incise_file({name}, {bytes}, {size});")
            }
            // A variable that is not set has no value.
            Origin::Environment(name) if input.value != Value::Pointer(None) => {
                let end = input.bytes.iter().position(|&byte| byte == 0).unwrap_or(size);
                let (name, value) = (c_string(name.as_bytes()), c_string(&input.bytes[..end]));
                writeln!(out, "    setenv({name}, {value}, 1);")
            }
            _ => Ok(()),
        }
    }

    fn call(&self, out: &mut String) -> std::fmt::Result {
        let entry = &self.test.program.entry;
        if entry == "main" {
            return self.call_main(out);
        }
        let arguments: Vec<_> =
            (0..self.context.parameters.len()).map(|index| format!("argument_{index}")).collect();
        let call = format!("{entry}({})", arguments.join(", "));
        match &self.expected.result {
            Some(result) if self.context.returns_value => {
                writeln!(out, "    __typeof__({call}) result = {call};")?;
                self.check(out, "the result", "&result", result)?;
                if self.has_heap_result() {
                    writeln!(out, "    memcpy(&incise_left{}, &result, sizeof(void *));", self.suffix)?;
                }
            }
            _ => writeln!(out, "    {call};")?,
        }
        writeln!(out, "    incise_check_finals{}();\n    incise_returned();", self.suffix)
    }

    fn call_main(&self, out: &mut String) -> std::fmt::Result {
        let mut words: Vec<Vec<u8>> = vec![b"program".to_vec()];
        words.extend(self.context.arguments.iter().map(|each| each.clone().into_bytes()));
        for input in &self.test.inputs {
            if matches!(input.origin, Origin::Argument(_)) && self.test.is_set(input) {
                let end = input.bytes.iter().position(|&byte| byte == 0).unwrap_or(input.bytes.len());
                words.push(input.bytes[..end].to_vec());
            }
        }
        writeln!(out, "    static char *arguments[{}];", words.len() + 1)?;
        for (index, word) in words.iter().enumerate() {
            writeln!(out, "    static char word_{index}[] = {};", c_string(word))?;
            writeln!(out, "    arguments[{index}] = word_{index};")?;
        }
        match self.context.parameters.len() {
            0 => writeln!(out, "    (void)arguments;\n    exit(incise_program_main());"),
            1 => writeln!(out, "    exit(incise_program_main({}));", words.len()),
            2 => writeln!(out, "    exit(incise_program_main({}, arguments));", words.len()),
            _ => {
                let environment = if self.has_environment() { "environ" } else { "environment" };
                writeln!(out, "    static char *environment[1];\n    (void)environment;")?;
                writeln!(out, "    exit(incise_program_main({}, arguments, {environment}));", words.len())
            }
        }
    }

    fn structure(&self, out: &mut String) -> std::fmt::Result {
        let (expectation, number) = match &self.expected.outcome {
            Outcome::Exited { status } => ("INCISE_EXITS", status & 0xff),
            Outcome::Error(ProgramError { kind, .. }) => error_expectation(*kind),
            _ => ("INCISE_RETURNS", 0),
        };
        let stdin = self.test.inputs.iter().find(|input| input.origin == Origin::Stdin);
        let stdin = stdin.map_or(&[][..], |input| &input.bytes);
        let stdout = &self.expected.stdout;
        let suffix = &self.suffix;
        writeln!(out, "static const struct incise_test {} = {{", self.variable())?;
        writeln!(out, "    .name = {},", c_string(self.test.name.as_bytes()))?;
        writeln!(out, "    .run = incise_run{suffix},\n    .check_finals = incise_check_finals{suffix},")?;
        writeln!(out, "    .expectation = {expectation},\n    .number = {number},")?;
        if self.has_files() {
            writeln!(out, "    .has_files = 1,")?;
        }
        writeln!(out, "    .input = {},\n    .input_size = {},", c_string(stdin), stdin.len())?;
        writeln!(out, "    .output = {},\n    .output_size = {},\n}};\n", c_string(stdout), stdout.len())
    }
}

/// The variable by which a test reaches a symbol of another file.
pub(crate) fn symbol_variable(symbol: &str) -> String {
    format!("incise_global_{}", identifier(symbol))
}

/// A name with nothing in it that C does not take.
pub(crate) fn identifier(name: &str) -> String {
    name.chars().map(|each| if each.is_ascii_alphanumeric() { each } else { '_' }).collect()
}

/// Text inside of a comment.
pub(crate) fn comment_text(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace('\n', " ")
}

/// How the parent process recognises an error: by a signal, or only by a sanitizer.
fn error_expectation(kind: ErrorKind) -> (&'static str, i32) {
    const SIGABRT: i32 = 6;
    const SIGFPE: i32 = 8;
    const SIGSEGV: i32 = 11;
    match kind {
        ErrorKind::Assertion | ErrorKind::Reported => ("INCISE_DIES", SIGABRT),
        ErrorKind::Abort => ("INCISE_ABORTS", SIGABRT),
        ErrorKind::DivisionByZero => ("INCISE_DIES", SIGFPE),
        ErrorKind::NullPointer | ErrorKind::ReadOnly => ("INCISE_DIES", SIGSEGV),
        _ => ("INCISE_NEEDS_SANITIZER", 0),
    }
}

/// A declaration of `name`, whatever the form of the type: a `%` in it stands for the name.
fn declared(ty: &str, name: &str) -> String {
    if ty.contains('%') { ty.replace('%', name) } else { format!("{ty} {name}") }
}

/// A value inside of a comment.
fn commented(value: &Value) -> String {
    comment_text(&value.to_string())
}
