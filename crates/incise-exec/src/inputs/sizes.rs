//! How large the objects are made that pointer inputs lead to, and how deep data structures go, where nobody says so.
//!
//! An exploration begins with small ones, tells what was too small or not deep enough for some path, and is begun again
//! with more of that, and only of that.

use crate::inputs::world::MOST_FILES;
use incise_vocabulary::{Bound, LimitKind, SizeUnit};
use std::collections::{BTreeMap, BTreeSet};

/// So many elements an array has at first: the fewest with a first and a last one.
const FIRST: u64 = 2;
/// So many times as many elements it has the next time, as long as it has few.
const FACTOR: u64 = 4;
/// From so many elements on it has twice as many the next time: the effort may grow much faster.
const SEVERAL: u64 = 8;
/// What the arguments of `main` are called, the name of the program included, and what standard input is.
pub(crate) const ARGUMENTS: &str = "argv of main";
pub(crate) const STANDARD_INPUT: &str = "stdin";
/// The names of variables of the environment begin so.
pub(crate) const VARIABLE: char = '$';
/// What files are called.
pub(crate) const NAMED_FILE: &str = "the file ";
/// No more arguments than this, the name of the program included.
const MOST_ARGUMENTS: u64 = 5;
/// No more steps down a data structure than this.
const DEEPEST: u32 = 24;

/// What was too small or not deep enough for some path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// Pointer inputs by their C expressions.
    pub elements: BTreeMap<String, Need>,
    /// Pointer inputs before whose element a path went.
    pub before: BTreeSet<String>,
    /// Words before the element of a pointer input, by their distance from it, of which a path used a part: they are no
    /// pointers, whatever is in the element.
    pub numbers: BTreeSet<(String, u64)>,
    /// Pointer inputs of which an offset that inputs decide may be negative: that is hardly meant, and nothing is made
    /// there.
    pub negative: BTreeSet<String>,
    /// Pointer inputs that a path read as numbers: what numbers would do is not looked at.
    pub reinterpreted: BTreeSet<String>,
    /// Pointer inputs that led nowhere, because they are too deep in a data structure.
    pub deeper: BTreeSet<String>,
    /// Pointer inputs that were compared with others, and led to objects of their own: they might lead to the same.
    pub same: BTreeSet<(String, String)>,
    /// Pointer inputs of which one was asked whether it comes before the other: the first may be the end of what the
    /// second begins.
    pub ordered: BTreeSet<(String, String)>,
    /// Pointers that functions without a body gave, and what they knew that each may be: one of the two is written.
    pub given_back: BTreeSet<(String, String)>,
    /// What of `elements` came to its end without a path being cut there: a longer one would have gone on.
    pub ended: BTreeSet<String>,
    /// Files and variables of the environment that a path looked for and that were taken not to be there.
    pub absent: BTreeSet<String>,
    /// What only one of two versions has and writes: nothing could be larger for it.
    pub one_sided: BTreeSet<String>,
}

/// How many elements an input was made with, and how many a path would have needed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Need {
    /// It had so many.
    pub made: u64,
    /// It needed so many; zero if that is not known.
    pub needed: u64,
    /// The bytes of an element.
    pub element: u64,
}

/// So many pairs that functions without a body may give back are looked at more, each time.
const GIVEN_BACK: usize = 3;

/// So many pairs of inputs that were taken apart are named.
const SHOWN_PAIRS: usize = 8;

impl Needs {
    /// The inputs that were too small or not followed, and how far they go.
    pub fn bounds(&self) -> Vec<Bound> {
        let about = |limit, input: &String| Bound::of_input(limit, input.clone(), None);
        let mut bounds = Vec::new();
        for (input, need) in &self.elements {
            let unit = if need.element == 1 { SizeUnit::Bytes } else { SizeUnit::Elements };
            bounds.push(Bound::of_input(LimitKind::InputSize, input.clone(), Some((need.made, unit))));
        }
        let numbers: BTreeSet<String> = self.numbers.iter().map(|(input, _)| input.clone()).collect();
        let before: BTreeSet<&String> = self.before.iter().chain(&self.negative).chain(&numbers).collect();
        bounds.extend(before.into_iter().map(|input| about(LimitKind::InputSize, input)));
        bounds.extend(self.reinterpreted.iter().map(|input| about(LimitKind::Reinterpreted, input)));
        bounds.extend(self.deeper.iter().map(|input| about(LimitKind::PointerDepth, input)));
        let pairs = self.same.iter().chain(&self.ordered).chain(&self.given_back);
        let shown = pairs.clone().take(SHOWN_PAIRS);
        bounds.extend(shown.map(|(one, other)| about(LimitKind::Apart, &format!("{one} and {other}"))));
        if let more @ 1.. = pairs.count().saturating_sub(SHOWN_PAIRS) {
            bounds.push(about(LimitKind::Apart, &format!("{more} more pairs")));
        }
        bounds.extend(self.absent.iter().map(|what| about(LimitKind::Absent, what)));
        let one_sided = elements_together(&self.one_sided);
        bounds.extend(one_sided.iter().take(SHOWN_PAIRS).map(|what| about(LimitKind::OneSided, what)));
        if let more @ 1.. = one_sided.len().saturating_sub(SHOWN_PAIRS) {
            bounds.push(about(LimitKind::OneSided, &format!("{more} more parts")));
        }
        bounds
    }

    /// Whether everything was large and deep enough.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
            && self.before.is_empty()
            && self.numbers.is_empty()
            && self.negative.is_empty()
            && self.reinterpreted.is_empty()
            && self.deeper.is_empty()
            && self.same.is_empty()
            && self.ordered.is_empty()
            && self.given_back.is_empty()
            && self.absent.is_empty()
    }

    /// The limits that hide paths without cutting one: that inputs are not one and the same, that something ended
    /// where it was made to end, that something was not there.
    pub fn hiding(&self) -> impl Iterator<Item = LimitKind> {
        let apart = !self.same.is_empty() || !self.ordered.is_empty() || !self.given_back.is_empty();
        let of = [
            (apart, LimitKind::Apart),
            (!self.ended.is_empty(), LimitKind::InputSize),
            (!self.absent.is_empty(), LimitKind::Absent),
        ];
        of.into_iter().filter_map(|(is, limit)| is.then_some(limit))
    }

    /// Notes that an input ended where it was made to end.
    pub(crate) fn add_ended(&mut self, input: &str, made: u64, element: u64) {
        self.add(input, Need { made, needed: 0, element });
        self.ended.insert(input.to_owned());
    }

    /// Notes that an input was too small.
    pub(crate) fn add(&mut self, input: &str, need: Need) {
        let known = self.elements.entry(input.to_owned()).or_default();
        *known = Need {
            made: need.made.max(known.made),
            needed: need.needed.max(known.needed),
            element: need.element,
        };
    }

    /// Adds what others need.
    pub fn extend(&mut self, others: &Self) {
        for (input, &need) in &others.elements {
            self.add(input, need);
        }
        self.before.extend(others.before.iter().cloned());
        self.numbers.extend(others.numbers.iter().cloned());
        self.negative.extend(others.negative.iter().cloned());
        self.reinterpreted.extend(others.reinterpreted.iter().cloned());
        self.deeper.extend(others.deeper.iter().cloned());
        self.same.extend(others.same.iter().cloned());
        self.ordered.extend(others.ordered.iter().cloned());
        self.given_back.extend(others.given_back.iter().cloned());
        self.ended.extend(others.ended.iter().cloned());
        self.absent.extend(others.absent.iter().cloned());
        self.one_sided.extend(others.one_sided.iter().cloned());
    }
}

/// How large and how deep inputs are made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// The elements that pointer inputs lead to.
    pub elements: BTreeMap<String, u64>,
    /// The elements that there are before the one that a pointer input points to.
    pub before: BTreeMap<String, u64>,
    /// The words before it, by their distance, that are no pointers.
    pub numbers: BTreeSet<(String, u64)>,
    /// Pointer inputs beyond the pointer depth that lead somewhere all the same, and how many steps further one can go.
    pub opened: BTreeMap<String, u32>,
    /// Pointer inputs that may lead to the objects of others.
    pub same: BTreeSet<(String, String)>,
    /// Pointers that functions without a body give, and what they knew that each may lead to.
    pub given_back: BTreeSet<(String, String)>,
    /// Pointer inputs that lead to the end of what others begin.
    pub ends: BTreeMap<String, String>,
    /// Variables of the environment that may be set, and files that may be there.
    pub present: BTreeSet<String>,
}

impl Sizes {
    /// The elements that a pointer input leads to; `array` if something tells that it leads to several.
    pub fn elements(&self, input: &str, array: bool) -> u64 {
        let first = if array { FIRST } else { 1 };
        self.elements.get(input).copied().unwrap_or(first)
    }

    /// The elements that there are before the one that a pointer input points to.
    pub fn before(&self, input: &str) -> u64 {
        self.before.get(input).copied().unwrap_or(0)
    }

    /// The words before that element, by their distance, that are no pointers.
    pub(crate) fn numbers_before(&self, input: &str) -> BTreeSet<u64> {
        let own = self.numbers.iter().filter(|(each, _)| each == input);
        own.map(|&(_, distance)| distance).collect()
    }

    /// The same with no more than so many elements anywhere.
    pub fn at_most(&self, elements: u64) -> Self {
        let mut sizes = self.clone();
        sizes.elements.values_mut().for_each(|each| *each = elements.min(*each));
        sizes
    }

    /// Whether a pointer input leads somewhere although it is beyond the pointer depth.
    pub fn is_opened(&self, input: &str) -> bool {
        self.opened.iter().any(|(known, &further)| {
            let rest = input.strip_prefix(known.as_str());
            rest.is_some_and(|rest| {
                (rest.is_empty() || rest.starts_with(['-', '.', '['])) && steps(rest) <= further
            })
        })
    }

    /// The pointer inputs whose objects a pointer input may lead to instead of its own.
    pub fn same_as<'a>(&'a self, input: &'a str) -> impl Iterator<Item = &'a str> {
        self.same.iter().filter(move |(one, _)| one == input).map(|(_, other)| other.as_str())
    }

    /// Whether a pointer that a function without a body gives may lead to something that it knew.
    pub(crate) fn is_given_back(&self, pointer: &str, known: &str) -> bool {
        self.given_back.iter().any(|(one, other)| one == pointer && other == known)
    }

    /// What a pointer input is the end of.
    pub fn begin_of(&self, input: &str) -> Option<&str> {
        self.ends.get(input).map(String::as_str)
    }

    /// Whether another pointer input is the end of what this one begins.
    pub fn has_end(&self, input: &str) -> bool {
        self.ends.values().any(|begin| begin == input)
    }

    /// The files that may be there.
    pub(crate) fn present_files(&self) -> impl Iterator<Item = &str> {
        self.present.iter().map(String::as_str).filter(|title| title.starts_with(NAMED_FILE))
    }

    /// Whether what was looked for is a file that can be made: its name leads to no folder, and there are not too many.
    fn may_make_file(&self, what: &str) -> bool {
        let plain = |name: &str| name.is_ascii() && !name.contains('/') && !["", ".", ".."].contains(&name);
        what.strip_prefix(NAMED_FILE).is_some_and(plain) && self.present_files().count() < MOST_FILES
    }

    /// Makes larger and deeper what was too small, up to so many elements; false if nothing can be.
    pub fn grow(&mut self, needs: &Needs, most: u64) -> bool {
        let mut grown = false;
        for (input, need) in &needs.elements {
            let next = match input.as_str() {
                // Each has a length of its own.
                ARGUMENTS => (need.made + 1).min(MOST_ARGUMENTS),
                _ => (need.made.max(1) * factor(need.made)).max(need.needed.next_power_of_two()).min(most),
            };
            // What a proof took to be larger than that is not made.
            if next > need.made {
                self.elements.insert(input.clone(), next);
                grown = true;
            }
        }
        for input in &needs.before {
            let now = self.before(input);
            let next = (now * factor(now)).min(most).max(2);
            grown |= next > now;
            self.before.insert(input.clone(), next);
        }
        for number in &needs.numbers {
            grown |= self.numbers.insert(number.clone());
        }
        for what in &needs.absent {
            let made = what.starts_with(VARIABLE) || self.may_make_file(what);
            grown |= made && self.present.insert(what.clone());
        }
        for pair in &needs.same {
            grown |= self.same.insert(pair.clone());
        }
        // Each is one more case in all that comes after it.
        let new = needs.given_back.iter().filter(|pair| !self.given_back.contains(pair)).take(GIVEN_BACK);
        let new: Vec<(String, String)> = new.cloned().collect();
        grown |= !new.is_empty();
        self.given_back.extend(new);
        for (end, begin) in &needs.ordered {
            if !self.ends.contains_key(end) {
                self.ends.insert(end.clone(), begin.clone());
                grown = true;
            }
        }
        for input in &needs.deeper {
            let steps = steps(input);
            // Lists and trees have a part for each step: where arrays stay short they do, too.
            if steps < DEEPEST.min(most as u32 / 4) {
                self.opened.insert(input.clone(), steps.saturating_sub(1).max(1));
                grown = true;
            }
        }
        grown
    }
}

/// So many times as many elements come after so many.
fn factor(made: u64) -> u64 {
    if made < SEVERAL { FACTOR } else { 2 }
}

/// How many pointers a C expression goes through.
fn steps(path: &str) -> u32 {
    let stars = path.chars().take_while(|&c| c == '*').count();
    (path.matches("->").count() + path.matches('[').count() + stars) as u32
}

/// Names of which those of several elements of an array are one.
fn elements_together(names: &BTreeSet<String>) -> BTreeSet<String> {
    let array = |name: &str| name.split_once('[').map(|(array, _)| array.to_owned());
    let mut elements: BTreeMap<String, usize> = BTreeMap::new();
    for array in names.iter().filter_map(|name| array(name.as_str())) {
        *elements.entry(array).or_default() += 1;
    }
    let together = |name: &String| match array(name.as_str()).filter(|array| elements[array] > 1) {
        Some(array) => format!("elements of {array}"),
        None => name.clone(),
    };
    names.iter().map(together).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = 256;

    fn needs(elements: &[(&str, u64, u64)], deeper: &[&str]) -> Needs {
        let need =
            |&(name, made, needed): &(&str, u64, u64)| (name.to_owned(), Need { made, needed, element: 1 });
        Needs {
            elements: elements.iter().map(need).collect(),
            deeper: deeper.iter().map(|&name| name.to_owned()).collect(),
            ..Needs::default()
        }
    }

    #[test]
    fn what_a_proof_took_to_be_long_is_not_made() {
        let mut sizes = Sizes::default();
        assert!(sizes.grow(&needs(&[("out", 1, 2)], &[]), MOST));
        let before = sizes.elements("out", true);
        assert!(!sizes.grow(&needs(&[("out", 1 << 31, 0)], &[]), MOST));
        assert_eq!(sizes.elements("out", true), before);
    }

    #[test]
    fn elements_that_only_one_version_has_are_told_together() {
        let one_sided = ["b->data[1]", "b->data[2]", "b->data[30]", "b->size", "b->tail[0]"];
        let needs =
            Needs { one_sided: one_sided.map(str::to_owned).into_iter().collect(), ..Needs::default() };
        let names: Vec<_> = needs.bounds().into_iter().filter_map(|bound| bound.input).collect();
        assert_eq!(names, ["b->size", "b->tail[0]", "elements of b->data"]);
    }

    #[test]
    fn what_is_too_small_grows_and_nothing_else() {
        let mut sizes = Sizes::default();
        assert_eq!((sizes.elements("frame", true), sizes.elements("count", false)), (FIRST, 1));
        assert!(sizes.grow(&needs(&[("frame", 4, 11)], &[]), MOST));
        assert_eq!((sizes.elements("frame", true), sizes.elements("count", false)), (16, 1));
        assert!(sizes.grow(&needs(&[("frame", 16, 0)], &[]), MOST));
        assert_eq!(sizes.elements("frame", true), 32);
        assert!(sizes.grow(&needs(&[("frame", 32, 1000)], &[]), MOST));
        assert!(!sizes.grow(&needs(&[("frame", MOST, 1000)], &[]), MOST));
    }

    #[test]
    fn a_list_grows_where_it_was_cut() {
        let mut sizes = Sizes::default();
        assert!(!sizes.is_opened("p->next->next"));
        assert!(sizes.grow(&needs(&[], &["p->next->next"]), MOST));
        assert!(sizes.is_opened("p->next->next") && sizes.is_opened("p->next->next->next"));
        assert!(!sizes.is_opened("p->next->next->next->next") && !sizes.is_opened("p->name->next"));
        assert!(sizes.grow(&needs(&[], &["p->next->next->next->next"]), MOST));
        assert!(sizes.is_opened("p->next->next->next->next->next->next->next"));
    }
}
