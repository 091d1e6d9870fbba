//! What tests have in common, to be kept in a file: what is left of a test are its bytes and two numbers.

use super::{BytesLine, Ending, Origin, Outline, TestBytes};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// More than so many different ones are not told apart: each is compared with all before.
const MOST: usize = 64;

/// The outlines and endings of tests.
#[derive(Clone, Default, Debug)]
pub struct Shapes {
    outlines: Vec<Arc<Outline>>,
    endings: Vec<Option<Ending>>,
    /// The outline of the last test, which may be another copy of it, and its number.
    last: Option<(Arc<Outline>, usize)>,
}

#[derive(Serialize, Deserialize)]
struct Document<'a> {
    outlines: Vec<Cow<'a, Outline>>,
    endings: Cow<'a, [Option<Ending>]>,
}

/// A test without what it has in common with others.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Packed<'a> {
    /// Its outline, by number.
    pub outline: u32,
    /// How it ends, by number.
    pub ending: u32,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl Shapes {
    /// What is left of a test; `None` if tests are too different.
    pub fn pack<'a>(&mut self, test: &'a TestBytes) -> Option<Packed<'a>> {
        // Tests that are alike share their outline.
        let outline = match &self.last {
            Some((last, number)) if Arc::ptr_eq(last, &test.outline) => *number,
            _ => number_of(&mut self.outlines, &test.outline)?,
        };
        self.last = Some((Arc::clone(&test.outline), outline));
        let ending = number_of(&mut self.endings, &test.expected)?;
        Some(Packed { outline: outline as u32, ending: ending as u32, bytes: &test.bytes })
    }

    /// The test; `None` if there is none like that.
    pub fn unpack(&self, packed: &Packed<'_>) -> Option<TestBytes> {
        let outline = self.outlines.get(packed.outline as usize)?;
        let expected = self.endings.get(packed.ending as usize)?;
        (outline.bytes() == packed.bytes.len()).then(|| TestBytes {
            outline: Arc::clone(outline),
            bytes: packed.bytes.into(),
            expected: expected.clone(),
        })
    }

    /// The text of it.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let outlines = self.outlines.iter().map(|outline| Cow::Borrowed(&**outline)).collect();
        serde_json::to_string(&Document { outlines, endings: Cow::Borrowed(&self.endings) })
    }

    /// Reads the text; `None` if it means nothing.
    pub fn from_json(text: &[u8]) -> Option<Self> {
        let Document { outlines, endings } = serde_json::from_slice(text).ok()?;
        let outlines: Vec<_> = outlines.into_iter().map(|outline| Arc::new(outline.into_owned())).collect();
        let sound = outlines.iter().all(|outline| outline.is_sound());
        sound.then(|| Self { outlines, endings: endings.into_owned(), last: None })
    }
}

impl Outline {
    /// Whether names are where they are said to be.
    fn is_sound(&self) -> bool {
        let mut parts = self.inputs.iter().chain(&self.result).chain(&self.finals);
        parts.all(|part| {
            let origin = match &part.origin {
                Origin::Global(name) | Origin::Pointee(name) => name.clone(),
                Origin::Other => 0..0,
            };
            part.head.get(part.name.clone()).is_some() && part.head.get(origin).is_some()
        })
    }

    /// How many bytes such a test has.
    pub(super) fn bytes(&self) -> usize {
        let sizes = |parts: &[BytesLine]| parts.iter().map(|part| part.size).sum::<usize>();
        sizes(&self.inputs) + 2 * (sizes(&self.result) + sizes(&self.finals))
    }
}

/// The number of something among all that are known, to which it is added.
fn number_of<T: Clone + PartialEq>(known: &mut Vec<T>, one: &T) -> Option<usize> {
    known.iter().position(|each| each == one).or_else(|| {
        (known.len() < MOST).then(|| {
            known.push(one.clone());
            known.len() - 1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::{lines, tests::example};
    use super::*;
    use crate::{Outcome, TestCase};

    #[test]
    fn tests_survive_packing() {
        let returns = example(Outcome::Returned);
        let cases = [
            returns.clone(),
            example(Outcome::Exited { status: 3 }),
            TestCase { expected: None, ..returns.clone() },
            TestCase { inputs: returns.inputs[1..].to_vec(), ..returns },
        ];
        let read = |case: &TestCase| lines::read(case.to_json().unwrap().as_bytes(), &case.name).unwrap();
        let tests: Vec<TestBytes> = cases.iter().map(read).collect();
        let mut shapes = Shapes::default();
        let numbers: Vec<(u32, u32)> = tests
            .iter()
            .map(|test| shapes.pack(test).map(|packed| (packed.outline, packed.ending)).unwrap())
            .collect();
        assert_eq!(numbers, [(0, 0), (0, 1), (1, 2), (2, 0)]);
        let text = shapes.to_json().unwrap();
        let shapes = Shapes::from_json(text.as_bytes()).unwrap();
        for (test, &(outline, ending)) in tests.iter().zip(&numbers) {
            let packed = Packed { outline, ending, bytes: &test.bytes };
            assert_eq!(shapes.unpack(&packed).as_ref(), Some(test));
            assert_eq!(shapes.unpack(&Packed { outline: 99, ..packed }), None);
            assert_eq!(shapes.unpack(&Packed { ending: 99, ..packed }), None);
            let more = [&*test.bytes, &[0]].concat();
            assert_eq!(shapes.unpack(&Packed { bytes: &more, ..packed }), None);
        }
        for (from, to) in [("\"end\":", "\"end\":9"), ("\"outlines\"", "\"outline\"")] {
            assert!(Shapes::from_json(text.replace(from, to).as_bytes()).is_none(), "{to}");
        }
    }

    #[test]
    fn there_may_be_too_many() {
        let mut shapes = Shapes::default();
        for status in 0..2 * MOST as i32 {
            let case = example(Outcome::Exited { status });
            let test = lines::read(case.to_json().unwrap().as_bytes(), &case.name).unwrap();
            assert_eq!(shapes.pack(&test).is_some(), status < MOST as i32);
        }
    }
}
