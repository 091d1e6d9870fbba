//! The tests of a suite as an exploration takes them along: the bytes of their inputs, and what is expected of them.

use super::check::{fits, globals_of};
use super::expectation::is_as_expected;
use super::stored_suite::StoredSuite;
use incise_ir::Program;
use incise_report::suite::SuiteEntry;
use incise_report::suite::path::{Side, written};
use incise_report::test::bytes::TestBytes;
use incise_report::{Input, OutcomeKind, TestCase};
use incise_seeds::{Finding, LeftBehind, Seed, SeedEnd};

/// A test that can be taken along.
pub(crate) enum SeedTest {
    Bytes(TestBytes),
    /// One in another form than we write today.
    Case(Box<TestCase>),
}

impl SeedTest {
    /// All tests of a suite, or what is wrong with them.
    pub(crate) fn all(suite: &StoredSuite) -> Vec<Result<Self, String>> {
        let mut files = suite.files();
        let options = &suite.manifest.options;
        let related = |contract: &str| {
            let kind = contract.split(' ').next().unwrap_or_default();
            ["same", "overlap", "end", "calls", "member"].contains(&kind)
        };
        // Where pointers may lead to several objects, it counts which.
        let whole = options.taken.iter().any(|fact| related(&fact.contract))
            || !options.sizes.same.is_empty()
            || !options.sizes.ends.is_empty();
        let ready = |index: usize| {
            Ok(match files.bytes(index)? {
                Some(test) if !whole => Self::Bytes(test),
                _ => Self::Case(Box::new(suite.case(index)?)),
            })
        };
        (0..suite.len()).map(ready).collect()
    }

    /// Whether what it sets and looks at is in a program and as large as before; if not, why.
    pub(crate) fn fits(&self, program: &Program) -> Result<(), String> {
        match self {
            Self::Case(test) => fits(globals_of(test), program),
            Self::Bytes(test) => fits(test.globals(), program),
        }
    }

    /// The inputs. `moved` says that alternatives may have other numbers now.
    pub(crate) fn seed(&self, entry: &SuiteEntry, moved: bool) -> Seed<'_> {
        let end = match entry.ending().is_some_and(OutcomeKind::is_conclusive) {
            true => SeedEnd::Ended,
            false => SeedEnd::Cut,
        };
        let has_case = || written(&entry.path).flatten().any(|step| matches!(step.side, Side::Case(_)));
        let renumbered = moved && has_case();
        let inputs = match self {
            Self::Case(test) => {
                test.inputs.iter().map(|input| (input.name.as_str(), input.bytes.as_slice())).collect()
            }
            Self::Bytes(test) => test.inputs().collect(),
        };
        let pointers = match self {
            Self::Case(test) => test.inputs.iter().flat_map(pointers).collect(),
            Self::Bytes(_) => Vec::new(),
        };
        Seed { inputs, pointers, end, renumbered }
    }

    /// Whether a path leaves behind what is expected.
    pub(crate) fn is_as_expected(&self, left: &mut dyn LeftBehind) -> Finding {
        match self {
            Self::Bytes(test) => is_as_expected(test, left),
            Self::Case(_) => Finding::Unclear,
        }
    }
}

/// The pointers in an input, and where they lead.
fn pointers(input: &Input) -> impl Iterator<Item = (&str, u64, &str, u64)> {
    input.pointers.iter().map(|to| (input.name.as_str(), to.offset, to.target.as_str(), to.addend))
}
