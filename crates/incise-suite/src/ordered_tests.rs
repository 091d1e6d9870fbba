//! The tests of the new suite, brought into the order of their paths.

use crate::update::UpdatedFile;
use incise_report::suite::update::UpdatedTest;
use std::ops::Range;

/// The tests of the new suite, in any order, and what is told of each.
#[derive(Default)]
pub(crate) struct OrderedTests {
    pub(crate) tests: Vec<UpdatedFile>,
    pub(crate) told: Vec<UpdatedTest>,
    pub(crate) places: Vec<PathOrder>,
    /// The choices of their paths, one after the other.
    pub(crate) choices: Vec<u32>,
}

/// The place of a test among the paths.
pub(crate) struct PathOrder {
    /// The choices of its path, among those of all.
    pub(crate) choices: Range<usize>,
    /// What names it, if it has no name yet.
    pub(crate) identity: Option<u64>,
}

impl OrderedTests {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            tests: Vec::with_capacity(count),
            told: Vec::with_capacity(count),
            places: Vec::with_capacity(count),
            choices: Vec::new(),
        }
    }

    /// Keeps the choices of a path; tells where.
    pub(crate) fn add_choices(&mut self, choices: impl IntoIterator<Item = u32>) -> Range<usize> {
        let start = self.choices.len();
        self.choices.extend(choices);
        start..self.choices.len()
    }

    pub(crate) fn add(&mut self, place: PathOrder, test: UpdatedFile, told: UpdatedTest) {
        self.places.push(place);
        self.tests.push(test);
        self.told.push(told);
    }

    /// Brings the tests into the order of their paths, which is mostly the one that they are in.
    pub(crate) fn sort(&mut self) {
        let choices = |at: &usize| &self.choices[self.places[*at].choices.clone()];
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by(|left, right| choices(left).cmp(choices(right)));
        let mut targets = vec![0; order.len()];
        order.iter().enumerate().for_each(|(target, &from)| targets[from] = target);
        for at in 0..targets.len() {
            while targets[at] != at {
                let target = targets[at];
                self.places.swap(at, target);
                self.tests.swap(at, target);
                self.told.swap(at, target);
                targets.swap(at, target);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::update::FileContent;
    use incise_report::SharedText;
    use incise_report::suite::update::TestClass;
    use incise_report::suite::{SuiteEntry, TestOrigin};

    #[test]
    fn tests_come_into_the_order_of_their_paths() {
        let mut state = 1_u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
            (state >> 16) as usize % below
        };
        for count in 0..200 {
            let mut placed = OrderedTests::default();
            let mut wanted = Vec::new();
            for number in 0..count {
                // Some are alike, and then stay in the order that they came in.
                let path: Vec<u32> = (0..next(6)).map(|_| next(3) as u32).collect();
                let choices = placed.add_choices(path.iter().copied());
                let entry = SuiteEntry {
                    name: number.to_string().into(),
                    path: SharedText::default(),
                    outcome: SharedText::default(),
                    expected: SharedText::default(),
                    origin: TestOrigin::Kept,
                    hash: SharedText::default(),
                    pending: false,
                };
                let told = crate::update::told(&entry, None, TestClass::Kept);
                let place = PathOrder { choices, identity: Some(number as u64) };
                placed.add(place, UpdatedFile { entry, content: FileContent::Old }, told);
                wanted.push((path, number));
            }
            placed.sort();
            wanted.sort();
            assert_eq!(placed.tests.len(), count);
            for (at, (path, number)) in wanted.into_iter().enumerate() {
                let PathOrder { choices, identity } = &placed.places[at];
                let name = number.to_string();
                assert_eq!((&placed.choices[choices.clone()], *identity), (&path[..], Some(number as u64)));
                assert_eq!((&*placed.tests[at].entry.name, &*placed.told[at].name), (&*name, &*name));
            }
        }
    }
}
