//! Where what was found out is kept: what the command line says, else the environment, else incise.toml.

use crate::arguments::StoreArguments;
use crate::arguments::units::parse_size;
use anyhow::{Context, Result, anyhow, bail};
use incise_repository::Configuration;
use incise_store::StorePlace;
use std::path::PathBuf;

/// The variable of the environment that names a store: the place for addresses with a password.
pub(crate) const VARIABLE: &str = "INCISE_STORE";
/// How much entries in a folder may take if nobody says.
pub(crate) const LIMIT: u64 = 1 << 30;

/// Where what was found out is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoreSettings {
    pub(crate) place: StorePlace,
    /// The folder on this machine that stands before a server, and holds what only this machine can use.
    pub(crate) own: Option<PathBuf>,
    /// How much entries in a folder may take.
    pub(crate) limit: u64,
    /// Whether everything that is taken is found out again.
    pub(crate) check: bool,
}

impl StoreSettings {
    /// Nothing is kept.
    pub(crate) fn nowhere() -> Self {
        Self { place: StorePlace::Nowhere, own: None, limit: LIMIT, check: false }
    }

    /// What holds for a command that has these arguments.
    pub(crate) fn of(arguments: &StoreArguments) -> Result<Self> {
        if arguments.no_store {
            return Ok(Self::nowhere());
        }
        let here = std::env::current_dir().context("the current folder is gone")?;
        let said = Configuration::nearest(&here)?;
        let given = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
        let place = match (&arguments.store, given) {
            (Some(text), _) => Some(StorePlace::of(text).context("--store")?),
            (None, Some(text)) => Some(StorePlace::of(&text).context(VARIABLE)?),
            (None, None) => resolved_place(&said)?,
        };
        let own = caches().map(|caches| caches.join("incise/store"));
        let place = match place {
            Some(StorePlace::Folder(folder)) => StorePlace::Folder(here.join(folder)),
            Some(place) => place,
            None => own.clone().map_or(StorePlace::Nowhere, StorePlace::Folder),
        };
        let limit = resolved_limit(&said)?.unwrap_or(LIMIT);
        let own = match &place {
            StorePlace::Nowhere => None,
            StorePlace::Folder(folder) => Some(folder.clone()),
            StorePlace::Shared(_) => own,
        };
        Ok(Self { place, own, limit, check: arguments.check_store })
    }
}

/// The place that the repository names.
pub(crate) fn resolved_place(said: &Configuration) -> Result<Option<StorePlace>> {
    let Some(text) = &said.store else { return Ok(None) };
    let wrong = || format!("{}: `store.place`", file(said));
    Ok(Some(match StorePlace::of(text).with_context(wrong)? {
        StorePlace::Folder(folder) => {
            let folder = said
                .path
                .as_ref()
                .and_then(|path| path.parent())
                .map(|place| place.join(&folder))
                .unwrap_or(folder);
            StorePlace::Folder(folder)
        }
        StorePlace::Shared(url) if url.user.is_some() || url.password.is_some() => {
            bail!("{}: a file that many read is no place for a password: set {VARIABLE} instead", wrong())
        }
        place => place,
    }))
}

/// How much entries may take, if the repository says so.
pub(crate) fn resolved_limit(said: &Configuration) -> Result<Option<u64>> {
    let parse =
        |text: &String| parse_size(text).map_err(|why| anyhow!("{}: `store.limit`: {why}", file(said)));
    said.store_limit.as_ref().map(parse).transpose()
}

fn file(said: &Configuration) -> String {
    said.path.as_ref().map_or_else(String::new, |path| path.display().to_string())
}

/// Where the user keeps what can be made again.
fn caches() -> Option<PathBuf> {
    let given = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    given("XDG_CACHE_HOME").or_else(|| Some(given("HOME")?.join(".cache")))
}
