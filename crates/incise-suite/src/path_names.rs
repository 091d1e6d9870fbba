//! The paths of an exploration as a suite knows them: their decisions as text, and a name for the test of each.

use incise_exec::{Decision, Path};
use incise_ir::{LocationId, Program};
use incise_report::suite::path::{NOBODY, PathText, Side, encoded};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The functions of the user by file and first line, and what paths decide in them.
pub(super) struct Functions<'a> {
    program: &'a Program,
    by_file: BTreeMap<&'a str, Vec<(u32, Arc<str>)>>,
    nobody: Arc<str>,
    /// The decisions of the path before, and their text: a path mostly begins as that did.
    before: Vec<Made>,
    text: PathText<Arc<str>>,
    /// The text of the last path.
    last: String,
}

/// A decision, by all that its text depends on: which way, whether between several alternatives, and where.
type Made = (Decision, Option<LocationId>);

impl<'a> Functions<'a> {
    /// Those of a program.
    pub(super) fn of(program: &'a Program) -> Self {
        let mut by_file: BTreeMap<&str, BTreeMap<u32, Arc<str>>> = BTreeMap::new();
        for (_, function) in program.functions.iter() {
            let Some(file) = function.file.filter(|_| function.is_definition() && !function.model) else {
                continue;
            };
            let functions = by_file.entry(&program.files[file].name).or_default();
            functions.insert(function.line, encoded(&function.name).into());
        }
        let sorted = |(file, functions): (_, BTreeMap<_, _>)| (file, functions.into_iter().collect());
        Self {
            program,
            by_file: by_file.into_iter().map(sorted).collect(),
            nobody: NOBODY.into(),
            before: Vec::new(),
            text: PathText::default(),
            last: String::new(),
        }
    }

    /// The function that holds a location, the last that begins at or before it, and the line in there.
    fn at(&self, location: LocationId) -> Option<(&Arc<str>, i64)> {
        let position = self.program.position(location);
        let functions = self.by_file.get(&*position.file)?;
        let before = functions.partition_point(|&(line, _)| line <= position.line);
        let (line, name) = functions[..before].last()?;
        Some((name, i64::from(position.line) - i64::from(*line)))
    }

    /// The decisions of a path, as a [`DecisionPath`](incise_report::suite::path::DecisionPath) has them.
    pub(super) fn decisions(&mut self, path: &Path) -> &str {
        self.follow(path);
        if cfg!(debug_assertions) {
            let text = std::mem::take(&mut self.last);
            self.before.clear();
            self.text.truncate(0);
            self.follow(path);
            assert_eq!(text, self.last, "what paths have in common makes no difference");
        }
        &self.last
    }

    fn follow(&mut self, path: &Path) {
        let decisions = path.decisions.iter().zip(&path.decided);
        let made = decisions.map(|(&decision, decided)| -> Made { (decision, decided.location) });
        let same = made.clone().zip(&self.before).take_while(|(made, before)| made == *before).count();
        self.before.truncate(same);
        self.text.truncate(same);
        for made in made.skip(same) {
            let (decision, location) = made;
            let place = location.and_then(|location| self.at(location));
            let function = Arc::clone(place.map_or(&self.nobody, |(name, _)| name));
            let line = place.map(|(_, line)| line);
            let side = match decision {
                Decision::Side { .. } => Side::of_condition(decision.number()),
                Decision::Alternative(number) | Decision::Schedule(number) => Side::Case(number),
            };
            self.text.push(function, line, side, 1);
            self.before.push(made);
        }
        self.last.clear();
        self.text.write(&mut self.last);
    }
}

/// What tells a path from others, also of other versions: which way it goes at which conditions. Lines and names of
/// functions do not count, so that moving code renames no test.
pub(super) fn identity(path: &Path) -> u64 {
    let mut bytes = Vec::new();
    for (&decision, decided) in path.decisions.iter().zip(&path.decided) {
        bytes.extend_from_slice(&decision.number().to_le_bytes());
        if let Some(conjunct) = decided.conjunct.and_then(|conjunct| path.condition.get(conjunct as usize)) {
            bytes.extend_from_slice(conjunct.text.as_bytes());
        }
        bytes.push(0);
    }
    // FNV-1a, 64 bits.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// A name for the test of each path, in order. It depends on the path alone: another path beside it does not change
/// it, but for the rare case that eight digits do not tell them apart. `taken` are names that other tests have.
pub(super) fn names(entry: &str, identities: &[u64], taken: &FxHashSet<&str>) -> Vec<String> {
    let mut given: FxHashSet<String> = FxHashSet::default();
    let mut short: FxHashMap<u32, usize> = FxHashMap::default();
    for identity in identities {
        *short.entry((identity >> 32) as u32).or_default() += 1;
    }
    let stem = crate::test_folder::folder_name(entry);
    let mut name = |&identity: &u64| {
        let alone = short[&((identity >> 32) as u32)] == 1;
        let first =
            if alone { format!("{stem}-{:08x}", identity >> 32) } else { format!("{stem}-{identity:016x}") };
        let mut name = first.clone();
        let mut number = 2;
        while taken.contains(name.as_str()) || !given.insert(name.clone()) {
            name = format!("{first}-{number}");
            number += 1;
        }
        name
    };
    identities.iter().map(&mut name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_do_not_depend_on_their_neighbours() {
        let names = |entry: &str, identities: &[u64]| names(entry, identities, &FxHashSet::default());
        let all = names("f g", &[0x1111_1111_0000_0000, 0x2222_2222_0000_0001, 0x2222_2222_0000_0002]);
        assert_eq!(all, ["f_g-11111111", "f_g-2222222200000001", "f_g-2222222200000002"]);
        assert_eq!(names("f g", &[0x1111_1111_0000_0000]), all[..1]);
        assert_eq!(names("f", &[7 << 32, 7 << 32]), ["f-0000000700000000", "f-0000000700000000-2"]);
        let taken = FxHashSet::from_iter(["f-00000007"]);
        assert_eq!(super::names("f", &[7 << 32], &taken), ["f-00000007-2"]);
    }
}
