//! A test as plain data.

use crate::{Final, Input, Observed, Origin, Outcome, Place, ProgramIdentity, Schedule};

/// The inputs of a path and what is expected to happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestCase {
    /// The test's name, which is also that of its files: `test000001`.
    pub name: String,
    /// What the test runs.
    pub program: ProgramIdentity,
    /// The path condition, as one C expression.
    pub condition: String,
    /// What inputs were taken to be when the path was found, and why. In a suite the manifest says it.
    pub taken: Vec<String>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// What its threads do, if there are several.
    pub schedule: Option<Schedule>,
    /// What is expected; `None` where the engine makes no prediction.
    pub expected: Option<Expected>,
}

impl TestCase {
    /// Whether a string among the inputs is there: an environment variable may not be set, and an argument of `main`
    /// may be missing.
    pub fn is_set(&self, input: &Input) -> bool {
        let extent = self.inputs.iter().find(|each| each.origin == Origin::Extent(input.name.clone()));
        extent.is_none_or(|extent| extent.bytes.iter().any(|&byte| byte != 0))
    }
}

/// What a test is expected to do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// How it ends: returned, exited or an error.
    pub outcome: Outcome,
    /// Where it ends.
    pub place: Option<Place>,
    /// What the entry returns.
    pub result: Option<Observed>,
    /// What globals and input objects hold at the end.
    pub finals: Vec<Final>,
    /// What is written to standard output.
    pub stdout: Vec<u8>,
    /// What is written to standard error.
    pub stderr: Vec<u8>,
    /// Whether this depends on memory that the program never initialised, so that a real run may differ.
    pub indeterminate: bool,
}
