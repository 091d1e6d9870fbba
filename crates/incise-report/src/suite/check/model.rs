//! What native runs of a suite showed, as plain data: the model of `incise suite check`.

use crate::ProgramIdentity;

/// What native runs of a suite showed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SuiteCheck {
    /// The program that was run.
    pub program: ProgramIdentity,
    /// Whether it is another version than the one that the suite was made from.
    pub changed: bool,
    /// Each test, in the order of the suite.
    pub tests: Vec<CheckedTest>,
}

/// What the native run of one test showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedTest {
    /// Its name.
    pub name: String,
    /// Its path in the version that it was made from.
    pub path: String,
    /// The verdict.
    pub status: CheckStatus,
    /// What is expected, in words.
    pub expected: String,
    /// What happened, in words.
    pub actual: String,
    /// Each difference, or why there is nothing to compare.
    pub notes: Vec<String>,
}

/// The verdict on one test.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckStatus {
    /// The run did what is expected.
    Passed,
    /// The run did something else, or the program no longer has what the test sets.
    Failed,
    /// The test's file cannot be used.
    Damaged,
    /// The run did something else, but the path reads memory that was never initialised, so that it may.
    Indeterminate,
    /// There is an expectation, but no way to check it here.
    NotChecked,
    /// There is nothing to expect: a limit or something unsupported ended the path.
    Skipped,
}

impl CheckStatus {
    /// All, from good to bad to open.
    pub const ALL: [Self; 6] =
        [Self::Passed, Self::Failed, Self::Damaged, Self::Indeterminate, Self::NotChecked, Self::Skipped];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Damaged => "damaged",
            Self::Indeterminate => "indeterminate",
            Self::NotChecked => "not-checked",
            Self::Skipped => "skipped",
        }
    }

    /// Whether the check as a whole fails.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Damaged)
    }
}

impl SuiteCheck {
    /// How many tests have the verdict.
    pub fn count(&self, status: CheckStatus) -> usize {
        self.tests.iter().filter(|test| test.status == status).count()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn example() -> SuiteCheck {
        let test = |name: &str, status: CheckStatus, note: &str| CheckedTest {
            name: name.to_owned(),
            path: "f+1T".to_owned(),
            status,
            expected: "returned 1".to_owned(),
            actual: "returned 2".to_owned(),
            notes: vec![note.to_owned()],
        };
        SuiteCheck {
            program: ProgramIdentity { entry: "f".to_owned(), ..ProgramIdentity::default() },
            changed: true,
            tests: vec![
                test("f-1", CheckStatus::Passed, ""),
                test("f-2", CheckStatus::Failed, "the result: predicted 1, actual <2> & \"\u{1}\""),
                test("f-3", CheckStatus::Damaged, "it is no JSON"),
                test("f-4", CheckStatus::Skipped, "nothing is expected"),
            ],
        }
    }
}
