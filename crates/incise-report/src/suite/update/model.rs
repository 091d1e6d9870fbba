//! What became of the tests of a suite when the program changed, as plain data: the model of `incise suite update` and
//! `incise suite select`.

use crate::suite::UnsolvedPath;
use crate::verdict::TakenInput;
use crate::{LimitKind, ProgramIdentity, SharedText};

/// What became of the tests of a suite.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SuiteUpdate {
    /// The version that the suite was made for.
    pub old: ProgramIdentity,
    /// The version that it was brought over to.
    pub new: ProgramIdentity,
    /// Where the suite was written, as the user calls it.
    pub place: String,
    /// Whether new outcomes of changed tests were written.
    pub accepted: bool,
    /// The tests: those of the new suite in its order, then those that are not in it, in the order of the old one.
    pub tests: Vec<UpdatedTest>,
    /// The paths between tests that are still valid, in order.
    pub ranges: Vec<Range>,
    /// The paths of the new version, those included that were not executed.
    pub paths: usize,
    /// What the inputs were taken to be.
    pub taken: Vec<TakenInput>,
    /// Whether there is a test for every path: nothing was cut, unsupported, undecided or made concrete. On inputs as
    /// they were taken to be, if that leaves some out.
    pub complete: bool,
    /// The limits that cut something, in order.
    pub limits: Vec<LimitKind>,
    /// What was made concrete.
    pub concretised: Vec<String>,
    /// Paths without a test.
    pub unsolved: Vec<UnsolvedPath>,
    /// Why everything was asked for again, if the old suite did not show what is impossible.
    pub asked_again: Option<String>,
    /// Questions put to the solver.
    pub queries: u64,
    /// Those of them that neither a model at hand nor an earlier answer decided.
    pub solved: u64,
    /// States made.
    pub states: u64,
    /// The time that the analysis and the exploration took.
    pub time_ms: f64,
}

/// One test and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdatedTest {
    /// Its name.
    pub name: SharedText,
    /// Its path in the new version; `None` if it is not in the new suite.
    pub path: Option<SharedText>,
    /// What became of it.
    pub class: TestClass,
    /// Whether its path meets the change, as far as it was executed.
    pub met: bool,
    /// What it expects, or expected, in words.
    pub before: SharedText,
    /// What happens now, if that is something else.
    pub after: Option<SharedText>,
    /// Why: the test that stands for its path, or why it no longer runs.
    pub reason: Option<SharedText>,
}

/// What became of a test.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TestClass {
    /// Same inputs, same outcome: its file stays as it is.
    Kept,
    /// It still stands for a path, but the outcome is another one.
    Changed,
    /// Another test stands for its path.
    Redundant,
    /// It no longer runs.
    Obsolete,
    /// It is new.
    Added,
}

impl TestClass {
    /// All.
    pub const ALL: [Self; 5] = [Self::Kept, Self::Changed, Self::Redundant, Self::Obsolete, Self::Added];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Changed => "changed",
            Self::Redundant => "redundant",
            Self::Obsolete => "obsolete",
            Self::Added => "added",
        }
    }
}

/// Paths in a row without a test that is still valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The last valid test before them; `None` if they are the first.
    pub after: Option<SharedText>,
    /// The first valid test behind them; `None` if they are the last.
    pub before: Option<SharedText>,
    /// How many paths.
    pub paths: usize,
}

impl SuiteUpdate {
    /// Whether inputs are left out because of what they are taken to be.
    pub fn is_as_taken(&self) -> bool {
        self.taken.iter().any(|taken| taken.restricts)
    }

    /// How many tests are of a class.
    pub fn count(&self, class: TestClass) -> usize {
        self.tests.iter().filter(|test| test.class == class).count()
    }

    /// The tests that a change makes worth running again: those whose path meets it, or that no longer run.
    pub fn selected(&self) -> impl Iterator<Item = &UpdatedTest> {
        self.tests.iter().filter(|test| test.class != TestClass::Added && test.is_selected())
    }

    /// The other tests.
    pub fn unselected(&self) -> impl Iterator<Item = &UpdatedTest> {
        self.tests.iter().filter(|test| test.class != TestClass::Added && !test.is_selected())
    }

    /// The ranges of paths without a valid test, from the tests of the new suite.
    pub fn find_ranges(&mut self) {
        let mut ranges: Vec<Range> = Vec::new();
        let mut last: Option<&SharedText> = None;
        let mut open = false;
        for test in self.tests.iter().filter(|test| test.path.is_some()) {
            if test.class == TestClass::Kept {
                if open && let Some(range) = ranges.last_mut() {
                    range.before = Some(test.name.clone());
                }
                (open, last) = (false, Some(&test.name));
                continue;
            }
            if !open {
                ranges.push(Range { after: last.cloned(), before: None, paths: 0 });
                open = true;
            }
            if let Some(range) = ranges.last_mut() {
                range.paths += 1;
            }
        }
        self.ranges = ranges;
    }
}

impl UpdatedTest {
    fn is_selected(&self) -> bool {
        self.met || self.class != TestClass::Kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::update::json::document;

    #[test]
    fn ranges_lie_between_valid_tests() {
        let test = |name: &str, class| UpdatedTest {
            name: name.into(),
            path: Some(SharedText::default()),
            class,
            met: false,
            before: SharedText::default(),
            after: None,
            reason: None,
        };
        use TestClass::{Added, Changed, Kept};
        let classes = [("a", Added), ("b", Kept), ("c", Changed), ("d", Added), ("e", Kept), ("f", Changed)];
        let mut update = SuiteUpdate {
            tests: classes.map(|(name, class)| test(name, class)).to_vec(),
            ..SuiteUpdate::default()
        };
        update.find_ranges();
        let range = |after: Option<&str>, before: Option<&str>, paths| Range {
            after: after.map(SharedText::from),
            before: before.map(SharedText::from),
            paths,
        };
        let expected = [range(None, Some("b"), 1), range(Some("b"), Some("e"), 2), range(Some("e"), None, 1)];
        assert_eq!(update.ranges, expected);
        assert_eq!(document(&update)["summary"]["added"], 2);
    }
}
