//! One test in the form that the driver (`runtime/incise_driver.c`) reads.
//!
//! Numbers have 64 bits, lowest byte first; bytes are a count, then the bytes, then zeros up to a multiple of eight
//! (one at least).

use super::left_pointers::Look;
use super::process::Surroundings;
use incise_report::names::PROGRAM_NAME;
use incise_report::{Input, Origin, TestCase, Value};
use std::collections::BTreeMap;

const OBJECT: u64 = 0;
const PARAMETER: u64 = 1;
const GLOBAL: u64 = 2;
const NOWHERE: u64 = 3;
/// Among the inputs that the program asks for.
const ASKED: u64 = 4;
/// What the entry returns.
const RESULT: u64 = 5;
/// Among the objects, one that is a stream: what is written down of it is not its bytes.
const STREAM: u64 = 6;
/// What is written down of the accesses of devices.
const DEVICES: u64 = 7;
/// What is written down of an object on the heap, behind a pointer in something else that is.
const HEAP: u64 = 8;
/// The bytes from one address to the next of those that nothing can be read from.
const NOWHERE_STEP: u64 = 64;

/// What a script is made for, the same for all tests of a program.
pub(super) struct ScriptContext {
    /// The bytes that each parameter of the entry takes, with zeros for what no test sets.
    pub(super) parameter_sizes: Vec<u64>,
    /// The place of each global variable in the table of the glue.
    pub(super) globals: BTreeMap<String, u64>,
    /// Whether the entry is `main`.
    pub(super) entry_is_main: bool,
    /// The arguments of `main` that are not symbolic.
    pub(super) arguments: Vec<String>,
}

/// A test that the driver can read, and what belongs to it.
pub(super) struct Script {
    pub(super) bytes: Vec<u8>,
    pub(super) surroundings: Surroundings,
    /// What stands for the ends of input data structures, by name: the bytes from the first of these addresses.
    pub(super) nowhere: Vec<(String, u64)>,
}

/// The script of a test; the error says what of the test cannot be set natively.
pub(super) fn script(
    test: &TestCase,
    looks: &[Look],
    schedule: &[u64],
    context: &ScriptContext,
) -> Result<Script, String> {
    let mut writer = Writer {
        out: Vec::new(),
        context,
        objects: objects(test),
        asked: Vec::new(),
        nowhere: BTreeMap::new(),
    };
    let result = test.expected.as_ref().and_then(|expected| expected.result.as_ref());
    writer.number(result.map_or(0, |result| result.bytes.len() as u64));
    writer.objects(test);
    writer.parameters(test)?;
    writer.globals(test)?;
    writer.inputs(test)?;
    writer.pointers(test)?;
    writer.arguments(test);
    let dumps = writer.dumps(test)?;
    writer.looks(looks, &dumps);
    schedule.iter().for_each(|&number| writer.number(number));
    let nowhere = writer.nowhere.into_iter().map(|(name, index)| (name, index * NOWHERE_STEP)).collect();
    Ok(Script { bytes: writer.out, surroundings: surroundings(test)?, nowhere })
}

/// Standard input, files and environment variables.
fn surroundings(test: &TestCase) -> Result<Surroundings, String> {
    let mut found = Surroundings::default();
    for input in &test.inputs {
        match &input.origin {
            Origin::Stdin => found.stdin.clone_from(&input.bytes),
            // One that is not there has no value.
            Origin::File(name) if input.value != Value::Pointer(None) => {
                found.files.insert(file_name(name)?, input.bytes.clone());
            }
            Origin::Environment(name) if test.is_set(input) => {
                let end = input.bytes.iter().position(|&byte| byte == 0).unwrap_or(input.bytes.len());
                found.environment.insert(name.clone(), input.bytes[..end].to_vec());
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The bytes of a file's name; the error if it could lead out of the folder.
pub(super) fn file_name(name: &str) -> Result<Vec<u8>, String> {
    let bytes: Option<Vec<u8>> = name.chars().map(|each| u8::try_from(u32::from(each)).ok()).collect();
    let plain = |bytes: &[u8]| !bytes.is_empty() && !bytes.contains(&b'/') && !bytes.contains(&0);
    match bytes {
        Some(bytes) if plain(&bytes) && name != "." && name != ".." => Ok(bytes),
        _ => Err(format!("{name:?} is not the name of a file")),
    }
}

/// The objects that pointers of the inputs lead to, by name, in order.
fn objects(test: &TestCase) -> BTreeMap<String, u64> {
    let objects = test.inputs.iter().filter(|input| is_object(input));
    objects.enumerate().map(|(index, input)| (input.name.clone(), index as u64)).collect()
}

/// Whether pointers can lead there: to an object, or to a stream.
pub(super) fn is_object(input: &Input) -> bool {
    matches!(input.origin, Origin::Pointee(_) | Origin::Stream(_))
}

/// What the stand-in for an unknown function asks for.
pub(super) fn callback_kind(pointer: &str) -> String {
    format!("callback {pointer}")
}

struct Writer<'a> {
    out: Vec<u8>,
    context: &'a ScriptContext,
    objects: BTreeMap<String, u64>,
    /// The names of the inputs that the program asks for, in order.
    asked: Vec<String>,
    /// Targets of pointers that are no objects of the test, each with a number.
    nowhere: BTreeMap<String, u64>,
}

impl Writer<'_> {
    fn number(&mut self, number: u64) {
        self.out.extend_from_slice(&number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.out.extend_from_slice(bytes);
        let padded = bytes.len() / 8 * 8 + 8;
        self.out.resize(self.out.len() + padded - bytes.len(), 0);
    }

    fn objects(&mut self, test: &TestCase) {
        let objects: Vec<_> = test.inputs.iter().filter(|input| is_object(input)).collect();
        self.number(objects.len() as u64);
        for input in objects {
            self.number(if matches!(input.origin, Origin::Stream(_)) { STREAM } else { OBJECT });
            self.bytes(&input.bytes);
        }
    }

    fn parameters(&mut self, test: &TestCase) -> Result<(), String> {
        let sizes = &self.context.parameter_sizes;
        let mut buffers: Vec<Vec<u8>> = sizes.iter().map(|&size| vec![0; size as usize]).collect();
        for input in &test.inputs {
            let Origin::Parameter(index) = input.origin else { continue };
            let buffer = buffers
                .get_mut(index as usize)
                .ok_or_else(|| format!("the entry has no parameter {}", input.name))?;
            if input.bytes.len() > buffer.len() {
                return Err(format!("the parameter {} is smaller than the test's", input.name));
            }
            buffer[..input.bytes.len()].copy_from_slice(&input.bytes);
        }
        self.number(buffers.len() as u64);
        for buffer in &buffers {
            self.bytes(buffer);
        }
        Ok(())
    }

    fn globals(&mut self, test: &TestCase) -> Result<(), String> {
        let mut set = Vec::new();
        for input in &test.inputs {
            if let Origin::Global(symbol) = &input.origin {
                set.push((self.global(symbol)?, &input.bytes));
            }
        }
        self.number(set.len() as u64);
        for (index, bytes) in set {
            self.number(index);
            self.bytes(bytes);
        }
        Ok(())
    }

    fn global(&self, symbol: &str) -> Result<u64, String> {
        let found = self.context.globals.get(symbol).copied();
        found.ok_or_else(|| format!("the global variable {symbol} cannot be reached from outside"))
    }

    fn pointers(&mut self, test: &TestCase) -> Result<(), String> {
        let mut records = Vec::new();
        for input in &test.inputs {
            for pointer in &input.pointers {
                let (kind, index) = self.holder(input)?;
                let (target_kind, target) = self.target(&pointer.target);
                if target_kind == NOWHERE && matches!(input.origin, Origin::Written { .. }) {
                    return Err(format!("a pointer that is written to {} cannot be set", input.name));
                }
                records.push([kind, index, pointer.offset, target_kind, target, pointer.addend]);
            }
        }
        self.number(records.len() as u64);
        for number in records.into_iter().flatten() {
            self.number(number);
        }
        Ok(())
    }

    fn holder(&self, input: &Input) -> Result<(u64, u64), String> {
        match &input.origin {
            Origin::Parameter(index) => Ok((PARAMETER, u64::from(*index))),
            Origin::Global(symbol) => Ok((GLOBAL, self.global(symbol)?)),
            Origin::Pointee(_) => self.object(&input.name),
            Origin::External(_) | Origin::Callback(_) | Origin::Written { .. } => {
                let index = self.asked.iter().position(|name| *name == input.name);
                index
                    .map(|index| (ASKED, index as u64))
                    .ok_or_else(|| format!("the test has no input {}", input.name))
            }
            _ => Err(format!("a pointer inside of {} cannot be set", input.name)),
        }
    }

    fn object(&self, name: &str) -> Result<(u64, u64), String> {
        let found = self.objects.get(name).map(|&index| (OBJECT, index));
        found.ok_or_else(|| format!("the test has no object {name}"))
    }

    /// What a pointer leads to. Where the input data structure ends, it is an address that nothing may be read from.
    fn target(&mut self, name: &str) -> (u64, u64) {
        if let Ok(object) = self.object(name) {
            return object;
        }
        match self.context.globals.get(name) {
            Some(&index) => (GLOBAL, index),
            None => {
                let count = self.nowhere.len() as u64;
                (NOWHERE, *self.nowhere.entry(name.to_owned()).or_insert(count))
            }
        }
    }

    fn inputs(&mut self, test: &TestCase) -> Result<(), String> {
        let mut asked = Vec::new();
        for input in &test.inputs {
            let kind = match &input.origin {
                Origin::Klee => "klee".to_owned(),
                Origin::Time => "time".to_owned(),
                Origin::Device | Origin::Volatile => "device".to_owned(),
                Origin::Nondet(function) | Origin::External(function) => function.clone(),
                Origin::Callback(pointer) => callback_kind(pointer),
                Origin::Written { call, way, .. } => self.written_kind(input, *call, way)?,
                _ => continue,
            };
            asked.push((kind, input));
        }
        self.number(asked.len() as u64);
        for (kind, input) in asked {
            self.bytes(kind.as_bytes());
            self.bytes(input.name.as_bytes());
            self.bytes(&input.bytes);
            self.asked.push(input.name.clone());
        }
        Ok(())
    }

    /// What the stand-in for a function looks for when it writes what the test says: `!`, the number of the call, and
    /// the way.
    fn written_kind(&self, input: &Input, call: u32, way: &str) -> Result<String, String> {
        let plain = |rest: &str| rest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b':' | b'-'));
        let way = match (way.strip_prefix("arg"), way.strip_prefix('@')) {
            (Some(rest), _) if plain(rest) => way.to_owned(),
            (_, Some(global)) => {
                let end = global.find([':', '-']).unwrap_or(global.len());
                let (symbol, rest) = global.split_at(end);
                if !plain(rest) {
                    return Err(format!("what is written to {} cannot be set", input.name));
                }
                format!("@{}{rest}", self.global(symbol)?)
            }
            _ => return Err(format!("what is written to {} cannot be set", input.name)),
        };
        Ok(format!("!{call}:{way}"))
    }

    fn arguments(&mut self, test: &TestCase) {
        if !self.context.entry_is_main {
            return self.number(0);
        }
        let mut words: Vec<Vec<u8>> = vec![PROGRAM_NAME.as_bytes().to_vec()];
        words.extend(self.context.arguments.iter().map(|word| word.as_bytes().to_vec()));
        for input in &test.inputs {
            if matches!(input.origin, Origin::Argument(_)) && test.is_set(input) {
                let end = input.bytes.iter().position(|&byte| byte == 0).unwrap_or(input.bytes.len());
                words.push(input.bytes[..end].to_vec());
            }
        }
        self.number(words.len() as u64);
        for word in &words {
            self.bytes(word);
        }
    }

    /// Says which objects and variables are written down at the end.
    fn dumps(&mut self, test: &TestCase) -> Result<Vec<(u64, u64)>, String> {
        let finals = test.expected.as_ref().map_or(&[][..], |expected| &expected.finals);
        // Files are looked at from outside.
        let finals: Vec<_> = finals.iter().filter(|each| !matches!(each.origin, Origin::File(_))).collect();
        self.number(finals.len() as u64);
        let mut dumps = Vec::new();
        for (number, each) in finals.iter().enumerate() {
            let ((kind, index), (within, offset, addend)) = match &each.origin {
                Origin::Global(symbol) => ((GLOBAL, self.global(symbol)?), (0, 0, 0)),
                Origin::Stream(_) => ((STREAM, self.object(&each.name)?.1), (0, 0, 0)),
                Origin::Device => ((DEVICES, 0), (0, 0, 0)),
                Origin::Heap { within, offset, addend } => {
                    let holder = finals[..number].iter().position(|other| other.name == *within);
                    let holder = match (within.is_empty(), holder) {
                        (true, _) => 0,
                        (false, Some(holder)) => holder as u64 + 1,
                        (false, None) => return Err(format!("the test has no {within}")),
                    };
                    ((HEAP, number as u64), (holder, *offset, *addend))
                }
                _ => (self.object(&each.name)?, (0, 0, 0)),
            };
            for number in [kind, index, each.observed.bytes.len() as u64, within, offset, addend] {
                self.number(number);
            }
            dumps.push((kind, index));
        }
        Ok(dumps)
    }

    fn looks(&mut self, looks: &[Look], dumps: &[(u64, u64)]) {
        self.number(looks.len() as u64);
        for look in looks {
            let (kind, index) = look.within.map_or((RESULT, 0), |number| dumps[number]);
            for number in [kind, index, look.offset] {
                self.number(number);
            }
        }
    }
}
