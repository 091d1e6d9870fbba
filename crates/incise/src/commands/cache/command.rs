//! `incise cache`: shows and removes what is kept in a folder of this machine.

use super::arguments::{CacheArguments, CacheCommand};
use crate::arguments::{Format, StoreArguments};
use crate::exit::Status;
use crate::session::output::write_data;
use crate::settings::StoreSettings;
use anyhow::{Context, Result};
use incise_store::{FileStore, StoreSize};
use serde_json::json;

/// The schema of the document.
const SCHEMA: &str = "incise-cache/1";

/// What is asked of a folder.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Asked {
    Size,
    Clear,
    Path,
}

/// What `incise cache` is asked to do.
#[derive(Debug)]
pub(crate) struct CacheSettings {
    asked: Asked,
    store: FileStore,
    format: Format,
}

impl CacheSettings {
    /// What the command line says.
    pub(crate) fn of(command: &CacheCommand) -> Result<Self> {
        let (asked, CacheArguments { store, format }) = match command {
            CacheCommand::Size(arguments) => (Asked::Size, arguments),
            CacheCommand::Clear(arguments) => (Asked::Clear, arguments),
            CacheCommand::Path(arguments) => (Asked::Path, arguments),
        };
        let here = std::env::current_dir().context("the current folder is gone")?;
        let StoreSettings { own, limit, .. } = StoreSettings::of(&StoreArguments::default())?;
        let folder = store.as_ref().map(|folder| here.join(folder)).or(own);
        let folder = folder.context(
            "nothing is kept here: there is neither XDG_CACHE_HOME nor HOME, or INCISE_STORE or incise.toml says 'none'; --store FOLDER names a folder",
        )?;
        Ok(Self { asked, store: FileStore::new(folder, limit), format: *format })
    }
}

/// Does what `incise cache` is asked to do.
pub(crate) fn run(settings: &CacheSettings) -> Result<Status> {
    let CacheSettings { asked, store, format } = settings;
    let (word, size) = match asked {
        Asked::Size => ("kept", Some(store.size()?)),
        Asked::Clear => ("removed", Some(store.clear()?)),
        Asked::Path => ("path", None),
    };
    let folder = store.folder().display().to_string();
    write_data(|out| match (format, size) {
        (Format::Text, None) => writeln!(out, "{folder}"),
        (Format::Text, Some(StoreSize { entries, bytes })) => {
            let noun = if entries == 1 { "entry" } else { "entries" };
            let room = match asked {
                Asked::Size => format!(" of {} at most", in_units(store.limit())),
                _ => String::new(),
            };
            writeln!(out, "{word}: {entries} {noun}, {}{room}, in {folder}", in_units(bytes))
        }
        (Format::Json, None) => writeln!(out, "{}", json!({"schema": SCHEMA, "path": folder})),
        (Format::Json, Some(StoreSize { entries, bytes })) => {
            let limit = store.limit();
            let document = json!({"schema": SCHEMA, "path": folder, word: {"entries": entries, "bytes": bytes}, "limit": limit});
            writeln!(out, "{document}")
        }
    })?;
    Ok(Status::Nothing)
}

/// A size as people read it.
fn in_units(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.iter().find(|(_, size)| bytes >= *size) {
        Some((unit, size)) => format!("{:.1} {unit}", bytes as f64 / *size as f64),
        None => format!("{bytes} bytes"),
    }
}
