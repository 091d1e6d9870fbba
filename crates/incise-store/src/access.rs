//! How stores are used: nothing that happens to them is an error of who uses them.
//!
//! Several stores may stand one behind the other, the nearest first: what a farther one has is put into nearer ones.
//! A store that failed [`FAILURES`] times is left alone from then on, so that one which is down costs two waits and no
//! more; one that returns what nobody put there is too, a little later: a damaged entry or two cost no wait, and are
//! replaced. What went wrong is told once for each store.

use crate::{Key, Store, entry};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// After so many failures a store is left alone.
pub const FAILURES: u32 = 2;
/// A failure weighs as much as so many damaged entries.
const DAMAGED: u32 = 8;

struct Used {
    store: Arc<dyn Store>,
    /// A failure counts [`DAMAGED`], a damaged entry one.
    failures: AtomicU32,
    left_alone: AtomicBool,
}

/// Stores, as they are used.
#[derive(Clone, Default)]
pub struct StoreAccess {
    stores: Arc<[Used]>,
    troubles: Arc<Mutex<Vec<String>>>,
}

impl StoreAccess {
    /// These stores, the nearest first.
    pub fn new(stores: Vec<Arc<dyn Store>>) -> Self {
        let used = |store| Used { store, failures: AtomicU32::new(0), left_alone: AtomicBool::new(false) };
        Self { stores: stores.into_iter().map(used).collect(), troubles: Arc::default() }
    }

    /// Whether there is any store, used or left alone.
    pub fn is_there(&self) -> bool {
        !self.stores.is_empty()
    }

    /// What is kept under a key.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        for (index, used) in self.stores.iter().enumerate() {
            let Some(found) = self.try_store(used, |store| store.get(key)).flatten() else { continue };
            match entry::open(key, &found) {
                Some(content) => {
                    for nearer in &self.stores[..index] {
                        self.try_store(nearer, |store| store.put(key, &found));
                    }
                    return Some(content);
                }
                None => self.fail(used, 1, "it returned what nobody put there"),
            }
        }
        None
    }

    /// Keeps something under a key, where that can be done.
    pub fn put(&self, key: &Key, content: &[u8]) {
        if self.stores.iter().all(|used| used.left_alone.load(Ordering::Relaxed)) {
            return;
        }
        let sealed = entry::seal(key, content);
        for used in self.stores.iter() {
            self.try_store(used, |store| store.put(key, &sealed));
        }
    }

    /// Uses no store any more, for a reason: something in them is not true.
    pub fn leave_alone(&self, why: &str) {
        for used in self.stores.iter() {
            if !used.left_alone.swap(true, Ordering::Relaxed) {
                self.say(format!("the store at {} is not used any more: {why}", used.store.place()));
            }
        }
    }

    /// What went wrong since the last time that somebody asked, in sentences.
    pub fn troubles(&self) -> Vec<String> {
        std::mem::take(&mut *self.troubles.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn try_store<T>(
        &self,
        used: &Used,
        work: impl FnOnce(&dyn Store) -> Result<T, crate::StoreError>,
    ) -> Option<T> {
        if used.left_alone.load(Ordering::Relaxed) {
            return None;
        }
        match work(&*used.store) {
            Ok(found) => Some(found),
            Err(error) => {
                self.fail(used, DAMAGED, &error.to_string());
                None
            }
        }
    }

    fn fail(&self, used: &Used, weight: u32, why: &str) {
        let place = used.store.place();
        tracing::debug!(place, why, "a store failed");
        let many = used.failures.fetch_add(weight, Ordering::Relaxed) + weight >= FAILURES * DAMAGED;
        if many && !used.left_alone.swap(true, Ordering::Relaxed) {
            self.say(format!("the store at {place} is not used any more: {why}"));
        }
    }

    fn say(&self, trouble: String) {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner).push(trouble);
    }
}

impl std::fmt::Debug for StoreAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.stores.iter().map(|used| used.store.place())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KeyBuilder, StoreError};
    use std::collections::BTreeMap;

    #[derive(Default)]
    struct InMemory {
        entries: Mutex<BTreeMap<Key, Vec<u8>>>,
        asked: AtomicU32,
        fails: AtomicBool,
    }

    impl InMemory {
        fn asked(&self) -> Result<(), StoreError> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            match self.fails.load(Ordering::Relaxed) {
                true => Err(StoreError::Failed("it is down".to_owned())),
                false => Ok(()),
            }
        }
    }

    impl Store for InMemory {
        fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
            self.asked()?;
            Ok(self.entries.lock().unwrap().get(key).cloned())
        }

        fn put(&self, key: &Key, entry: &[u8]) -> Result<(), StoreError> {
            self.asked()?;
            self.entries.lock().unwrap().insert(*key, entry.to_vec());
            Ok(())
        }

        fn place(&self) -> String {
            "memory".to_owned()
        }
    }

    fn key(name: &str) -> Key {
        KeyBuilder::new(name).key()
    }

    #[test]
    fn what_a_farther_store_has_comes_nearer() {
        let (near, far) = (Arc::new(InMemory::default()), Arc::new(InMemory::default()));
        StoreAccess::new(vec![far.clone()]).put(&key("a"), b"x");
        let both = StoreAccess::new(vec![near.clone(), far]);
        assert_eq!(both.get(&key("a")).as_deref(), Some(&b"x"[..]));
        assert_eq!(StoreAccess::new(vec![near]).get(&key("a")).as_deref(), Some(&b"x"[..]));
        assert_eq!(both.get(&key("b")), None);
        assert!(both.troubles().is_empty());
    }

    #[test]
    fn a_store_that_fails_is_left_alone_and_that_is_said_once() {
        let (near, far) = (Arc::new(InMemory::default()), Arc::new(InMemory::default()));
        far.fails.store(true, Ordering::Relaxed);
        let both = StoreAccess::new(vec![near, far.clone()]);
        for name in ["a", "b", "c"] {
            assert_eq!(both.get(&key(name)), None);
            both.put(&key(name), b"x");
        }
        assert_eq!(far.asked.load(Ordering::Relaxed), FAILURES);
        let said = both.troubles();
        assert!(matches!(&said[..], [one] if one.contains("it is down")), "{said:?}");
        assert!(both.troubles().is_empty());
        // The other one goes on.
        assert!(both.get(&key("a")).is_some());
    }

    #[test]
    fn garbage_is_not_taken_and_who_returns_it_is_left_alone() {
        let store = Arc::new(InMemory::default());
        let access = StoreAccess::new(vec![store.clone()]);
        for number in 0..2 * FAILURES * DAMAGED {
            let key = key(&number.to_string());
            store.entries.lock().unwrap().insert(key, b"<html>".to_vec());
            assert_eq!(access.get(&key), None);
            // What was damaged is replaced.
            access.put(&key, b"x");
            assert_eq!(access.get(&key).is_some(), number + 1 < FAILURES * DAMAGED);
        }
        assert_eq!(access.troubles().len(), 1);
    }
}
