//! What was found out by other runs, and how it is used in this one.

use crate::settings::StoreSettings;
use anyhow::Result;
use incise_store::{FileStore, Key, Store, StoreAccess, StorePlace};
use incise_suite::Caches;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Of so many verdicts that are taken one is found out again, if others put them there, and if only this machine did.
const SAMPLE_SHARED: u64 = 16;
const SAMPLE_OWN: u64 = 64;

/// The stores of a run.
pub(crate) struct SessionStore {
    /// What verdicts are kept in.
    pub(crate) verdicts: StoreAccess,
    /// The same for what only this machine can use.
    caches: Caches,
    /// Of so many verdicts that are taken one is found out again.
    sample: u64,
    /// Which those are.
    random: RandomState,
    taken: AtomicU64,
    checked: AtomicU64,
}

impl SessionStore {
    /// The stores that the settings name.
    pub(crate) fn of(settings: &StoreSettings) -> Result<Self> {
        let file_store = |folder| Arc::new(FileStore::new(folder, settings.limit)) as Arc<dyn Store>;
        let own: Option<Arc<dyn Store>> = settings.own.clone().map(file_store);
        let mut stores: Vec<Arc<dyn Store>> = own.iter().cloned().collect();
        let mut sample = SAMPLE_OWN;
        if let StorePlace::Shared(url) = &settings.place {
            stores.push(shared(url)?);
            sample = SAMPLE_SHARED;
        }
        let build = super::build::identifier();
        // What cannot be told from what another build found is neither taken nor kept.
        let verdicts = match build {
            Some(_) => StoreAccess::new(stores),
            None => StoreAccess::default(),
        };
        let caches = Caches { store: StoreAccess::new(own.into_iter().collect()), build };
        let sample = if settings.check { 1 } else { sample };
        let (taken, checked) = Default::default();
        Ok(Self { verdicts, caches, sample, random: RandomState::new(), taken, checked })
    }

    /// Where notes about suites are kept.
    pub(crate) fn caches(&self) -> &Caches {
        &self.caches
    }

    /// What this build is told from others by.
    pub(crate) fn build(&self) -> Option<&str> {
        self.caches.build.as_deref()
    }

    /// Whether what is kept under a key is to be found out again.
    pub(crate) fn is_in_sample(&self, key: &Key) -> bool {
        self.random.hash_one(key).is_multiple_of(self.sample)
    }

    /// Notes that something was taken, and whether it was found out again.
    pub(crate) fn note_taken(&self, checked: bool) {
        self.taken.fetch_add(1, Ordering::Relaxed);
        self.checked.fetch_add(u64::from(checked), Ordering::Relaxed);
    }

    /// What was taken, in a sentence; nothing if nothing was.
    pub(crate) fn taken(&self) -> Option<String> {
        let (taken, checked) = (self.taken.load(Ordering::Relaxed), self.checked.load(Ordering::Relaxed));
        let verdicts = if taken == 1 { "1 verdict was".to_owned() } else { format!("{taken} verdicts were") };
        let checked = match checked {
            0 => String::new(),
            1 => ", 1 of them found out again: the same".to_owned(),
            _ => format!(", {checked} of them found out again: the same"),
        };
        (taken > 0).then(|| format!("note: {verdicts} taken from the store{checked}"))
    }

    /// What went wrong, in sentences.
    pub(crate) fn troubles(&self) -> Vec<String> {
        let mut troubles = self.verdicts.troubles();
        for trouble in self.caches.store.troubles() {
            if !troubles.contains(&trouble) {
                troubles.push(trouble);
            }
        }
        troubles
    }
}

#[cfg(not(feature = "shared-store"))]
fn shared(url: &incise_store::SharedUrl) -> Result<Arc<dyn Store>> {
    anyhow::bail!(
        "this build of incise has no shared stores, so that {url} cannot be used: `make build` makes one that has"
    )
}

#[cfg(feature = "shared-store")]
fn shared(url: &incise_store::SharedUrl) -> Result<Arc<dyn Store>> {
    use incise_store::shared::{Credentials, SharedStore};
    let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let credentials = Credentials {
        access_key: given("AWS_ACCESS_KEY_ID"),
        secret_key: given("AWS_SECRET_ACCESS_KEY"),
        session_token: given("AWS_SESSION_TOKEN"),
        region: given("AWS_REGION").or_else(|| given("AWS_DEFAULT_REGION")),
        endpoint: given("AWS_ENDPOINT_URL_S3").or_else(|| given("AWS_ENDPOINT_URL")),
    };
    Ok(Arc::new(SharedStore::new(url, &credentials)?))
}
