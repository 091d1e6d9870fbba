//! What a finding is known by from one run to the next: the function, how it ends and the way that leads there. Lines
//! are no part of it, so that a line that is added above changes nothing.

use crate::verdict::{Witness, WitnessWay};
use crate::{FoundPath, Outcome};
use std::collections::BTreeMap;
use std::hash::Hasher;
use twox_hash::XxHash3_64;

/// Makes fingerprints, no two of them the same.
#[derive(Default)]
pub(super) struct Fingerprints {
    seen: BTreeMap<u64, usize>,
}

impl Fingerprints {
    /// Of a finding with a witness.
    pub(super) fn of_witness(&mut self, names: &[&str], witness: &Witness) -> String {
        let mut hasher = started(names);
        for (path, way) in [(&witness.old, &witness.old_way), (&witness.new, &witness.new_way)] {
            of_path(path, way, &mut hasher);
        }
        for value in &witness.values {
            text(value.kind.name(), &mut hasher);
            text(&value.name, &mut hasher);
        }
        self.numbered(hasher.finish())
    }

    /// Of what has no witness.
    pub(super) fn of_names(&mut self, names: &[&str]) -> String {
        self.numbered(started(names).finish())
    }

    /// The second of the same has another number behind it.
    fn numbered(&mut self, hash: u64) -> String {
        let number = self.seen.entry(hash).or_default();
        *number += 1;
        format!("{hash:016x}:{number}")
    }
}

fn started(names: &[&str]) -> XxHash3_64 {
    let mut hasher = XxHash3_64::with_seed(0);
    names.iter().for_each(|name| text(name, &mut hasher));
    hasher
}

/// The way of a path and how it ends.
fn of_path(path: &FoundPath, way: &WitnessWay, hasher: &mut XxHash3_64) {
    text(path.outcome.name(), hasher);
    if let Outcome::Error(error) = &path.outcome {
        text(error.kind.name(), hasher);
    }
    hasher.write_usize(way.branches.len());
    way.branches.iter().for_each(|branch| text(&branch.text, hasher));
    path.stack.iter().for_each(|frame| text(&frame.function, hasher));
}

/// A text with its length, so that two texts are not another two.
fn text(text: &str, hasher: &mut XxHash3_64) {
    hasher.write_usize(text.len());
    hasher.write(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;
    use crate::verdict::WayBranch;

    fn witness(condition: &str, line: u32) -> Witness {
        let place = Place { file: "a.c".to_owned(), line, column: 1 };
        let branch = WayBranch { text: condition.to_owned(), place: Some(place.clone()), affected: true };
        let new_way = WitnessWay { branches: vec![branch], affected: vec![place.clone()] };
        let new = FoundPath { place: Some(place.clone()), ..FoundPath::default() };
        Witness { new, new_way, place: Some(place), ..Witness::default() }
    }

    #[test]
    fn lines_do_not_matter_and_ways_do() {
        let one = |condition, line| {
            Fingerprints::default().of_witness(&["difference", "a.c", "f"], &witness(condition, line))
        };
        assert_eq!(one("x > 0", 3), one("x > 0", 300));
        assert_ne!(one("x > 0", 3), one("x > 1", 3));
        let mut several = Fingerprints::default();
        let (first, second) = (several.of_names(&["f", "g"]), several.of_names(&["f", "g"]));
        assert_eq!(first.replace(":1", ":2"), second);
        assert_ne!(several.of_names(&["fg", ""]), several.of_names(&["f", "g"]));
    }
}
