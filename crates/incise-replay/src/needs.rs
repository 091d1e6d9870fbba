//! What tests need of the program that they run in.

use crate::error::ReplayError;
use incise_report::names::FAILING_MALLOC;
use incise_report::{Final, Input, Origin, TestCase, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What the tests need of the program.
#[derive(Default)]
pub(super) struct TestNeeds {
    /// Symbols of the global variables that tests set or look at.
    pub(super) globals: BTreeSet<String>,
    /// The bytes that tests set in them, at most.
    pub(super) sizes: BTreeMap<String, u64>,
    /// External functions whose results are inputs.
    pub(super) externals: BTreeSet<String>,
    /// Whether an allocation fails in one of them.
    pub(super) failing_malloc: bool,
    /// Whether one of them reads or writes devices.
    pub(super) devices: bool,
    /// Whether others change volatile variables in one of them.
    pub(super) volatile: bool,
    /// The unknown functions that inputs point to: by the pointer, with the type of the result in IR and its bytes.
    pub(super) callbacks: BTreeMap<String, (String, u64)>,
}

/// What tests need. The error says what cannot be given.
pub(super) fn of_tests(tests: &[TestCase]) -> Result<TestNeeds, ReplayError> {
    let mut needs = TestNeeds::default();
    for test in tests {
        let finals = test.expected.iter().flat_map(|expected| &expected.finals).map(|each| &each.origin);
        for origin in test.inputs.iter().map(|input| &input.origin).chain(finals) {
            needs.add_origin(origin);
        }
        test.inputs.iter().for_each(|input| needs.add_input(input));
        needs.volatile |= test.expected.iter().flat_map(|expected| &expected.finals).any(accesses_variables);
        for input in &test.inputs {
            needs.add_callback(input)?;
        }
    }
    Ok(needs)
}

/// Whether there are volatile variables among accesses that a test expects.
fn accesses_variables(written: &Final) -> bool {
    let kinds = written.observed.bytes.chunks_exact(ACCESS).map(|access| access[0]);
    written.origin == Origin::Device && kinds.into_iter().any(|kind| kind & VARIABLE != 0)
}

/// The bytes of an access, and what is set in the first one where it is one of a variable.
const ACCESS: usize = 32;
const VARIABLE: u8 = 2;

impl TestNeeds {
    fn add_origin(&mut self, origin: &Origin) {
        match origin {
            Origin::Global(symbol) => drop(self.globals.insert(symbol.clone())),
            Origin::Device => self.devices = true,
            Origin::Volatile => (self.devices, self.volatile) = (true, true),
            Origin::External(function) => drop(self.externals.insert(function.clone())),
            Origin::Nondet(function) if function == FAILING_MALLOC => self.failing_malloc = true,
            Origin::Written { function, way, .. } => {
                // A callback has no name.
                if !function.ends_with("()") {
                    self.externals.insert(function.clone());
                }
                if let Some(symbol) = way.strip_prefix('@') {
                    self.globals.insert(symbol.split([':', '-']).next().unwrap_or_default().to_owned());
                }
            }
            _ => {}
        }
    }

    fn add_input(&mut self, input: &Input) {
        if let Origin::Global(symbol) = &input.origin {
            let size = self.sizes.entry(symbol.clone()).or_insert(0);
            *size = (input.bytes.len() as u64).max(*size);
        }
        // A pointer may lead to a global variable that is otherwise left alone.
        for target in input.pointers.iter().map(|pointer| pointer.target.clone()) {
            match target.strip_prefix("unknown(").and_then(|pointer| pointer.strip_suffix(')')) {
                Some(pointer) => drop(self.callbacks.entry(pointer.to_owned()).or_default()),
                None => drop(self.globals.insert(target)),
            }
        }
    }

    fn add_callback(&mut self, input: &Input) -> Result<(), ReplayError> {
        let Origin::Callback(pointer) = &input.origin else { return Ok(()) };
        let result = result_type(input).ok_or_else(|| ReplayError::ResultCannotBeGiven(pointer.clone()))?;
        let known = self.callbacks.entry(pointer.clone()).or_default();
        if !known.0.is_empty() && *known != result {
            return Err(ReplayError::SeveralResultTypes(pointer.clone()));
        }
        *known = result;
        Ok(())
    }
}

/// The type in IR of a result, and its bytes.
fn result_type(input: &Input) -> Option<(String, u64)> {
    let size = input.bytes.len() as u64;
    let ty = match (&input.value, size) {
        (Value::Float(_, _), 4) => "float",
        (Value::Float(_, _), 8) => "double",
        (Value::Float(_, _) | Value::Struct(_) | Value::Array(_), _) => return None,
        (_, 1) => "i8",
        (_, 2) => "i16",
        (_, 4) => "i32",
        (_, 8) => "i64",
        _ => return None,
    };
    Some((ty.to_owned(), size))
}
