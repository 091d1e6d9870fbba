//! The tests of a suite as an exploration takes them along: the bytes of their inputs, and what is expected of them.

use super::judge::is_as_expected;
use super::stored::StoredTest;
use crate::suite_check::{fits, globals_of};
use anyhow::Result;
use incise_exec::{Finding, LeftBehind, Seed, SeedEnd};
use incise_ir::Program;
use incise_report::TestCase;
use incise_report::suite::SuiteEntry;
use incise_report::suite_path::{DecisionPath, Side};
use incise_report::test_text::{OriginText, TestText};

/// A test that can be taken along.
pub(crate) enum Ready<'a> {
    /// As it is written in its file, and the bytes of all inputs in a row.
    Text(TestText<'a>, Vec<u8>),
    /// In another form than we write today.
    Case(Box<TestCase>),
}

impl<'a> Ready<'a> {
    /// A test, or what is wrong with it. If it is much like the one before, that is faster.
    pub(crate) fn of(test: &'a StoredTest, before: Option<&Self>) -> Result<Self, String> {
        let like = match before {
            Some(Self::Text(text, _)) => Some(text),
            _ => None,
        };
        let Some(text) = TestText::read(&test.text, like) else {
            return Ok(Self::Case(Box::new(test.case("")?)));
        };
        test.check_name(text.name)?;
        let mut bytes = Vec::with_capacity(text.inputs.iter().map(|input| input.bytes.len()).sum());
        text.inputs.iter().for_each(|input| bytes.extend(input.bytes.bytes()));
        Ok(Self::Text(text, bytes))
    }

    /// Whether what it sets and looks at is in a program and as large as before; if not, why.
    pub(crate) fn fits(&self, program: &Program) -> Result<(), String> {
        match self {
            Self::Case(test) => fits(globals_of(test), program),
            Self::Text(text, _) => {
                let inputs = text.inputs.iter().map(|input| (input.origin, input.bytes));
                let finals = text.expected.iter().flat_map(|expected| &expected.finals);
                let all = inputs.chain(finals.map(|each| (each.origin, each.observed.bytes)));
                let globals = all.filter_map(|(origin, bytes)| match origin {
                    OriginText::Global(symbol) => Some((symbol, bytes.len())),
                    _ => None,
                });
                fits(globals, program)
            }
        }
    }

    /// The inputs. `moved` says that alternatives may have other numbers now.
    pub(crate) fn seed(&self, entry: &SuiteEntry, moved: bool) -> Result<Seed<'_>> {
        let end = match entry.outcome.as_str() {
            "returned" | "exited" | "error" => SeedEnd::Ended,
            _ => SeedEnd::Cut,
        };
        let has_case = |path: DecisionPath| path.steps.iter().any(|step| matches!(step.side, Side::Case(_)));
        let renumbered = moved && has_case(entry.path.parse()?);
        let inputs = match self {
            Self::Case(test) => {
                test.inputs.iter().map(|input| (input.name.as_str(), input.bytes.as_slice())).collect()
            }
            Self::Text(text, bytes) => {
                let mut rest = bytes.as_slice();
                let mut next = |size: usize| {
                    let (bytes, after) = rest.split_at(size);
                    rest = after;
                    bytes
                };
                text.inputs.iter().map(|input| (input.name, next(input.bytes.len()))).collect()
            }
        };
        Ok(Seed { inputs, end, renumbered })
    }

    /// Whether a path leaves behind what is expected.
    pub(crate) fn is_as_expected(&self, left: &mut dyn LeftBehind) -> Finding {
        match self {
            Self::Text(text, _) => is_as_expected(text, left),
            Self::Case(_) => Finding::Unclear,
        }
    }
}
