//! What a comparison knows from the one before: the old tree, and units of which nothing changed since.
//!
//! A unit is known by the old version, its flags, and what is in all files that it is made of. What was found of it
//! then is found again, so that it is not read.

use super::judged_unit::{Judged, UnitJudge};
use crate::trees::Prepared;
use anyhow::Result;
use incise_report::repository::Reached;
use incise_repository::build::{KnownIncludes, UnitPair};
use incise_repository::{LaidOut, Side};
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is known of the comparison before.
#[derive(Default)]
pub(super) struct Remembered {
    old: Mutex<Option<(Side, Arc<LaidOut>)>>,
    /// Units by their names, each with what it was made of.
    units: Mutex<BTreeMap<String, (Fingerprint, Judged)>>,
    /// What units are made of.
    pub(super) includes: KnownIncludes,
    /// Whether anything is kept: who compares once needs nothing.
    keeps: bool,
}

type Fingerprint = (u64, u64);

impl Remembered {
    /// For who will compare again.
    pub(super) fn keeping() -> Self {
        Self { keeps: true, ..Self::default() }
    }

    /// The old version, if it was laid out.
    pub(super) fn old(&self) -> Option<(Side, Arc<LaidOut>)> {
        self.old.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps the old version.
    pub(super) fn keep_old(&self, prepared: &Prepared) {
        if self.keeps {
            let old = (prepared.sides.old.clone(), Arc::clone(&prepared.old));
            *self.old.lock().unwrap_or_else(PoisonError::into_inner) = Some(old);
        }
    }

    /// What is known of a unit, or else what is found of it now.
    pub(super) fn or_judge(&self, judge: &UnitJudge<'_>, pair: &UnitPair, share: Duration) -> Result<Judged> {
        let made_of = if self.keeps { fingerprint(judge.prepared, pair) } else { None };
        let known = || self.units.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known().get(&pair.name).filter(|(was, _)| Some(*was) == made_of).cloned();
        if let Some((_, judged)) = same {
            return Ok(judged);
        }
        let judged = judge.judge(pair, share)?;
        let whole = judged.report.reached == Reached::Compared && !judge.session.is_interrupted();
        if let (Some(made_of), true) = (made_of, whole) {
            known().insert(pair.name.clone(), (made_of, judged.clone()));
        }
        Ok(judged)
    }
}

/// What a unit is made of; nothing if that is not known, or a file cannot be read.
fn fingerprint(prepared: &Prepared, pair: &UnitPair) -> Option<Fingerprint> {
    let mut hashers = (DefaultHasher::new(), DefaultHasher::new());
    // Two that have seen different things first do not agree by chance.
    1u8.hash(&mut hashers.1);
    let mut add = |bytes: &[u8]| {
        bytes.hash(&mut hashers.0);
        bytes.hash(&mut hashers.1);
    };
    add(format!("{:?} {pair:?}", prepared.sides.old).as_bytes());
    for file in prepared.planned.included.get(&pair.name)? {
        add(file.as_os_str().as_encoded_bytes());
        add(&std::fs::read(file).ok()?);
    }
    Some((hashers.0.finish(), hashers.1.finish()))
}
