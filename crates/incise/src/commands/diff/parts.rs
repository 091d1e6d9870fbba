//! Parts of a comparison that are made on several machines without anything that they share: `--shard K/N` compares the
//! functions of one part and keeps what it found in a folder, and `--merge` takes it from such folders.
//!
//! Which part a function is in follows from its name and that of its unit. What is kept is named by everything that
//! it follows from, as in a store, but all of it is kept: also what is undecided, or rests on a clock. Whoever merges
//! reads all units and looks for each function in the parts. So nothing is complete because parts say so: what none
//! has is compared then.

use anyhow::{Context, Result, bail};
use incise_repository::{Side, Sides};
use incise_store::{FileStore, Key, Store, StoreAccess};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use twox_hash::XxHash3_64;

/// The schema of the file that says what a folder is a part of.
const SCHEMA: &str = "incise-part/1";
/// That file.
const FILE: &str = "part.json";
/// A change has no more parts.
const MOST: u32 = 100_000;

/// One of several parts, from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// `2/5`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no part: write 2/5 for the second of five");
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let (number, of) = (number.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if number == 0 || number > of || of > MOST {
            return Err(wrong());
        }
        Ok(Self { number, of })
    }

    /// Whether a function is in this part.
    pub(crate) fn has(self, unit: &str, function: &str) -> bool {
        let name = [unit.as_bytes(), b"\0", function.as_bytes()].concat();
        XxHash3_64::oneshot(&name) % u64::from(self.of) == u64::from(self.number - 1)
    }

    /// What is said of a report on this part alone.
    pub(crate) fn reason(self) -> String {
        format!("this is part {} of {}: functions of the others are not compared here", self.number, self.of)
    }
}

/// What a comparison is about, as far as all its parts have to agree.
pub(crate) struct About<'a> {
    pub(crate) sides: &'a Sides,
    /// The build of this program.
    pub(crate) build: Option<&'a str>,
    /// How long all functions together may take.
    pub(crate) budget: Duration,
}

impl About<'_> {
    fn budget_in_words(&self) -> String {
        format!("{} ms", self.budget.as_millis())
    }
}

/// Where verdicts of parts are.
#[derive(Clone, Default)]
pub(crate) struct Parts(Arc<Folders>);

#[derive(Default)]
struct Folders {
    /// The part that is made, and its folder.
    made: Option<(Shard, PathBuf, StoreAccess)>,
    /// Those that are merged.
    merged: Vec<(PathBuf, StoreAccess)>,
    taken: AtomicU64,
    anew: AtomicU64,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Parts").finish_non_exhaustive()
    }
}

impl Parts {
    /// What the command line says.
    pub(crate) fn of(shard: Option<Shard>, folder: Option<&Path>, merged: &[PathBuf]) -> Result<Self> {
        let access = |folder: &Path| {
            let store = FileStore::new(folder.join("verdicts"), u64::MAX);
            StoreAccess::new(vec![Arc::new(store) as Arc<dyn Store>])
        };
        let made = match (shard, folder) {
            (Some(shard), Some(folder)) => {
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("--part '{}' cannot be made", folder.display()))?;
                // What was there before says nothing of what is made now.
                let _ = std::fs::remove_file(folder.join(FILE));
                Some((shard, folder.to_owned(), access(folder)))
            }
            _ => None,
        };
        let merged = merged.iter().map(|folder| (folder.clone(), access(folder))).collect();
        Ok(Self(Arc::new(Folders { made, merged, ..Folders::default() })))
    }

    /// The part that is made, if one is.
    pub(crate) fn shard(&self) -> Option<Shard> {
        self.0.made.as_ref().map(|(shard, ..)| *shard)
    }

    /// Whether a part is made, or some are merged.
    pub(crate) fn any(&self) -> bool {
        self.0.made.is_some() || !self.0.merged.is_empty()
    }

    /// What a part has under a key.
    pub(crate) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        self.0.merged.iter().find_map(|(_, part)| part.get(key))
    }

    /// Notes whether a verdict was taken from a part.
    pub(crate) fn note(&self, taken: bool) {
        let counter = if taken { &self.0.taken } else { &self.0.anew };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Keeps what was found in the part that is made. What is not decided when it is tried again stays what it was.
    pub(crate) fn put(&self, key: &Key, content: &[u8], decided: bool) {
        if let Some((_, _, part)) = &self.0.made
            && (decided || part.get(key).is_none())
        {
            part.put(key, content);
        }
    }

    /// Says in the folder of the part that is made what it is a part of, once all of it is there.
    pub(crate) fn finish(&self, about: &About<'_>) -> Result<()> {
        let Some((shard, folder, part)) = &self.0.made else { return Ok(()) };
        if let Some(trouble) = part.troubles().into_iter().next() {
            bail!("{trouble}");
        }
        let document = json!({
            "schema": SCHEMA, "part": shard.number, "of": shard.of, "build": about.build,
            "old": id(&about.sides.old), "new": id(&about.sides.new), "budget": about.budget_in_words(),
        });
        let (path, own) = (folder.join(FILE), folder.join(format!(".{FILE}")));
        std::fs::write(&own, format!("{document}\n"))
            .and_then(|()| std::fs::rename(&own, &path))
            .with_context(|| format!("'{}' cannot be written", path.display()))
    }

    /// Refuses to merge what does not belong together, or to this comparison. Says which parts are missing.
    pub(crate) fn check(&self, about: &About<'_>) -> Result<Option<String>> {
        let About { sides, build, .. } = *about;
        let mut parts = Vec::new();
        for (folder, _) in &self.0.merged {
            let shown = folder.display();
            let known = said(&folder.join(FILE)).with_context(|| {
                format!("'{shown}' is no part that was made to its end: --shard K/N --part makes one")
            })?;
            if known["build"].as_str() != build || build.is_none() {
                bail!("the part '{shown}' was made by another build of incise: all of them need the same");
            }
            for (name, side) in [("old", &sides.old), ("new", &sides.new)] {
                if known[name].as_str() != Some(&id(side)) {
                    bail!("the part '{shown}' is about another version than {}", side.name());
                }
            }
            // What it was too short for is undecided in a part, and would be here.
            if known["budget"].as_str() != Some(&about.budget_in_words()) {
                bail!(
                    "the part '{shown}' had {} for all functions, and not {}: --budget has to be the same",
                    known["budget"].as_str().unwrap_or("another time"),
                    about.budget_in_words()
                );
            }
            let number = |name: &str| known[name].as_u64().unwrap_or_default();
            parts.push((number("part"), number("of")));
        }
        let Some(&(_, of)) = parts.first() else { return Ok(None) };
        if let Some((_, other)) = parts.iter().find(|(_, other)| *other != of) {
            bail!("parts of {of} and of {other} do not go together");
        }
        let known: BTreeSet<u64> = parts.iter().map(|(number, _)| *number).collect();
        let missing: Vec<String> = (1..=of.min(MOST.into()))
            .filter(|part| !known.contains(part))
            .map(|part| part.to_string())
            .collect();
        Ok((!missing.is_empty()).then(|| {
            format!(
                "of {of} parts these are missing, and their functions are compared now: {}",
                missing.join(", ")
            )
        }))
    }

    /// How much was taken from parts, in a sentence; nothing if none are merged.
    pub(crate) fn taken(&self) -> Option<String> {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (taken, anew) = (count(&self.0.taken), count(&self.0.anew));
        (!self.0.merged.is_empty()).then(|| {
            format!("note: taken from the parts: {taken}; compared now, because no part has it: {anew}")
        })
    }
}

/// What tells a version from others, on any machine.
fn id(side: &Side) -> String {
    match side {
        Side::WorkTree => "the working tree".to_owned(),
        Side::Revision { tree, .. } => tree.clone(),
    }
}

fn said(path: &Path) -> Result<Value> {
    let value: Value = serde_json::from_slice(&std::fs::read(path)?)?;
    match value["schema"].as_str() {
        Some(SCHEMA) => Ok(value),
        _ => bail!("'{}' is something else", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_from_one() {
        assert_eq!(Shard::parse("2/5"), Ok(Shard { number: 2, of: 5 }));
        for wrong in ["", "2", "0/5", "6/5", "a/b", "-1/2", "1/0", "1/2/3", "1/100001"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_function_is_in_one_part() {
        for of in [1, 2, 7] {
            let mut sizes = vec![0; of as usize];
            for index in 0..700 {
                let name = format!("f{index}");
                let has = |number: &u32| Shard { number: *number, of }.has("a.c", &name);
                let found: Vec<u32> = (1..=of).filter(has).collect();
                assert_eq!(found.len(), 1, "{name} of {of}");
                sizes[found[0] as usize - 1] += 1;
            }
            assert!(sizes.iter().all(|size| *size > 350 / of), "{sizes:?}");
        }
    }
}
