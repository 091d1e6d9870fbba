//! How far a limit goes: what was looked at, and what not.

use crate::LimitKind;
use serde::{Deserialize, Serialize};

/// So many steps along one member are written out.
const FEW_STEPS: usize = 4;

/// A limit, and how far it goes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Bound {
    /// Which.
    pub limit: LimitKind,
    /// Its value, if it has one.
    pub value: Option<u64>,
    /// The input that it is about, if it is about one.
    pub input: Option<String>,
    /// What the value counts, of an input.
    pub unit: Option<SizeUnit>,
}

impl Bound {
    /// A limit that is about an input, and the size that the input was made with, if it is about that.
    pub fn of_input(limit: LimitKind, input: String, size: Option<(u64, SizeUnit)>) -> Self {
        let (value, unit) = (size.map(|(value, _)| value), size.map(|(_, unit)| unit));
        Self { limit, value, input: Some(input), unit }
    }

    /// What was looked at, in words.
    pub fn words(&self) -> String {
        let value = self.value.map_or_else(|| "the limit".to_owned(), |value| value.to_string());
        match (self.limit, self.input.as_deref().map(steps_counted)) {
            (LimitKind::Loop, _) => format!("loops up to {value} iterations"),
            (LimitKind::Depth, _) => format!("up to {value} branches on a path"),
            (LimitKind::Instructions, _) => format!("up to {value} instructions on a path"),
            (LimitKind::Stack, _) => format!("up to {value} nested calls"),
            (LimitKind::PointerDepth, Some(input)) => format!("{input} not followed"),
            (LimitKind::PointerDepth, None) => format!("data structures up to {value} pointers deep"),
            (LimitKind::InputSize, Some(input)) => match self.size() {
                Some(size) => format!("{input} up to {size}"),
                None => format!("{input} not before where it points to"),
            },
            (LimitKind::InputSize, None) => "inputs up to a size".to_owned(),
            (LimitKind::Apart, Some(pair)) => format!("{pair} as different objects"),
            (LimitKind::Apart, None) => "inputs as different objects".to_owned(),
            (LimitKind::Reinterpreted, Some(input)) => format!("{input} not as a number"),
            (LimitKind::Reinterpreted, None) => "pointers not as numbers".to_owned(),
            (LimitKind::Absent, Some(input)) => format!("{input} not there"),
            (LimitKind::Absent, None) => "files and variables not there".to_owned(),
            (LimitKind::ObjectSize, _) => format!("allocations up to {value} bytes"),
            (LimitKind::CopySize, _) => format!("copies up to {value} bytes"),
            (LimitKind::WeakMemory, _) => "memory sequentially consistent".to_owned(),
            (LimitKind::Wakeups, _) => "condition variables without spurious wakeups".to_owned(),
            (other, _) => other.to_string(),
        }
    }

    /// What the input was taken to be, in a sentence; of a limit that is about none, what was looked at.
    pub fn sentence(&self) -> String {
        let Some(input) = self.input.as_deref().map(steps_counted) else { return self.words() };
        match (self.limit, self.size()) {
            (LimitKind::InputSize, Some(size)) => format!("{input} was taken to have at most {size}"),
            (LimitKind::InputSize, None) => format!("{input} was taken to begin where it points to"),
            (LimitKind::PointerDepth, _) => format!("{input} was taken to lead no further"),
            (LimitKind::Apart, _) => format!("{input} were taken to lead to different objects"),
            (LimitKind::Reinterpreted, _) => {
                format!("{input} was taken to be a pointer, and was read as a number")
            }
            (LimitKind::Absent, _) => format!("{input} was taken not to be there"),
            _ => self.words(),
        }
    }

    /// The size of the input, in words.
    fn size(&self) -> Option<String> {
        Some(self.unit?.counted(self.value?))
    }
}

/// The name of an input at the end of a long list, with the number of its last steps instead of all of them.
fn steps_counted(input: &str) -> String {
    let Some(step) = input.rfind("->").map(|at| &input[at..]) else { return input.to_owned() };
    let (mut head, mut steps) = (input, 0);
    while let Some(shorter) = head.strip_suffix(step) {
        (head, steps) = (shorter, steps + 1);
    }
    match steps {
        0..=FEW_STEPS => input.to_owned(),
        _ => format!("{head}{step}->...{step} ({steps} steps)"),
    }
}

/// What the size of an input is counted in.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum SizeUnit {
    /// Bytes.
    Bytes,
    /// Elements of an array.
    Elements,
}

impl SizeUnit {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Elements => "elements",
        }
    }

    /// So many of them, in words.
    pub fn counted(self, count: u64) -> String {
        match (self, count) {
            (Self::Bytes, 1) => "1 byte".to_owned(),
            (Self::Elements, 1) => "1 element".to_owned(),
            _ => format!("{count} {}", self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_along_a_list_are_counted() {
        let far = |steps: usize| format!("q->head{}", "->next".repeat(steps));
        let words = |input| Bound::of_input(LimitKind::PointerDepth, input, None).words();
        assert_eq!(words(far(3)), "q->head->next->next->next not followed");
        assert_eq!(words(far(31)), "q->head->next->...->next (31 steps) not followed");
        assert_eq!(words("t->left->right".to_owned()), "t->left->right not followed");
    }

    #[test]
    fn what_inputs_were_taken_to_be_is_said_in_both_forms() {
        let input = |limit, size| Bound::of_input(limit, "p".to_owned(), size);
        let cases = [
            (input(LimitKind::InputSize, Some((1, SizeUnit::Bytes))), "p up to 1 byte"),
            (input(LimitKind::InputSize, Some((4, SizeUnit::Elements))), "p up to 4 elements"),
            (input(LimitKind::InputSize, None), "p not before where it points to"),
            (input(LimitKind::PointerDepth, None), "p not followed"),
            (input(LimitKind::Reinterpreted, None), "p not as a number"),
            (input(LimitKind::Absent, None), "p not there"),
        ];
        for (bound, words) in &cases {
            assert_eq!(bound.words(), *words);
        }
        let sentences: Vec<String> = cases.iter().map(|(bound, _)| bound.sentence()).collect();
        let expected = [
            "p was taken to have at most 1 byte",
            "p was taken to have at most 4 elements",
            "p was taken to begin where it points to",
            "p was taken to lead no further",
            "p was taken to be a pointer, and was read as a number",
            "p was taken not to be there",
        ];
        assert_eq!(sentences, expected);
    }
}
