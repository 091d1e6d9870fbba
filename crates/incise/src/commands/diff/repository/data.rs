//! Variables that other units can read, and that begin with another value: who reads them there is not compared.

use incise_ir::{Linkage, Program};
use std::collections::{BTreeMap, BTreeSet};

/// What each variable holds at first, by its name.
fn texts(program: &Program) -> BTreeMap<&str, String> {
    let own = program.globals.iter().filter(|(_, each)| each.initializer.is_some() && !each.model);
    own.map(|(id, each)| (each.name.as_str(), program.global_text(id).to_string())).collect()
}

/// The names that a text mentions.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('@').skip(1).map(|rest| {
        let is_part = |each: char| each.is_ascii_alphanumeric() || "._$-".contains(each);
        rest.split(|each: char| !is_part(each)).next().unwrap_or_default()
    })
}

/// The variables that other units can read and that hold something else at first, by themselves or by what they lead
/// to, each in words.
pub(super) fn changed_data(old: &Program, new: &Program) -> Vec<String> {
    let (before, after) = (texts(old), texts(new));
    let differs = |(name, text): &(&&str, &String)| before.get(**name).is_some_and(|old| old != *text);
    let mut changed: BTreeSet<&str> = after.iter().filter(differs).map(|(name, _)| *name).collect();
    // A variable that leads to one that changed is another one, too.
    let mut open: Vec<&str> = changed.iter().copied().collect();
    let mut leading: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, text) in &after {
        names(text).filter(|each| each != name).for_each(|each| leading.entry(each).or_default().push(name));
    }
    while let Some(name) = open.pop() {
        for each in leading.get(name).into_iter().flatten() {
            if before.contains_key(each) && changed.insert(each) {
                open.push(each);
            }
        }
    }
    let is_seen = |name: &&&str| {
        let id = new.global_named(name);
        id.is_some_and(|id| new.globals[id].linkage != Linkage::Internal)
    };
    let words = |name: &&str| {
        format!(
            "what {name} holds at first changed, and functions of other units that read it are not compared"
        )
    };
    changed.iter().filter(is_seen).map(words).collect()
}
