//! `incise config`: shows what holds in this folder, and from where.

use crate::arguments::units::{parse_duration, parse_size};
use crate::commands::diff::repository::settings::{BUDGET, resolved_budget, resolved_fail_on};
use crate::exit::Status;
use crate::session::output::write_data;
use crate::settings::{STORE_LIMIT, parsed, resolved_limit, resolved_place};
use anyhow::{Context, Result};
use incise_repository::{CONFIGURATION, Configuration, LeftOut, LeftOutKind};
use incise_store::StorePlace;
use std::path::Path;

pub(crate) const CONFIG_HELP: &str = "\
The nearest incise.toml counts, from this folder up to the top of the repository; what the command line says counts before it.

  entries = [\"main\"]                  functions that are compared if the change concerns them, changed or not
  contracts = \"contracts.toml\"        what inputs are taken to be: see docs/inputs.md
  fail-on = [\"introduced\"]            what makes a check fail, as --fail-on
  limits.budget = \"5m\"                time for all functions together, as --budget
  limits.max-time = \"10m\"            as --max-time, for commands about one program
  limits.max-memory = \"4G\"           as --max-memory
  limits.max-paths = 100000            as --max-paths
  limits.max-loop = 16                 as --max-loop
  build.directory = \"out\"             where compile_commands.json is, as -p
  build.flags = [\"-DX\"]               flags for clang, behind those of the database
  store.place = \"redis://cache/1\"      where verdicts are kept for other runs, as --store; \"none\" for nowhere
  store.limit = \"1G\"                   how much of them, in a folder
  [[leave-out]]                        what is not looked at: a path or a function, with a reason
  path = \"tests\"
  reason = \"not shipped\"";

/// Shows what holds.
pub(crate) fn run() -> Result<Status> {
    let here = std::env::current_dir().context("the current folder is gone")?;
    let said = Configuration::nearest(&here)?;
    // What cannot be meant is said here, too.
    resolved_budget(&said)?;
    resolved_fail_on(&said)?;
    resolved_limit(&said)?;
    parsed(&said, "limits.max-time", said.max_time.as_deref(), parse_duration)?;
    parsed(&said, "limits.max-memory", said.max_memory.as_deref(), parse_size)?;
    let store = resolved_place(&said)?;
    let lines = lines(&said, store.as_ref());
    write_data(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    Ok(Status::Nothing)
}

fn lines(said: &Configuration, store: Option<&StorePlace>) -> Vec<String> {
    let file = said.path.as_ref().map_or_else(|| "default".to_owned(), |path| path.display().to_string());
    let line = |name: &str, value: Option<String>, default: &str| match value {
        Some(value) => format!("{name} = {value}    # {file}"),
        None => format!("{name} = {default}    # default"),
    };
    let texts = |list: &[String]| (!list.is_empty()).then(|| format!("{list:?}"));
    let quote = |text: &Option<String>| text.as_ref().map(|text| format!("{text:?}"));
    let path = |path: &Option<std::path::PathBuf>| path.as_deref().map(quoted);
    let mut lines = Vec::new();
    if said.path.is_none() {
        lines
            .push(format!("# there is no {CONFIGURATION} between this folder and the top of the repository"));
    }
    lines.extend([
        line("entries", texts(&said.entries), "[]"),
        line("contracts", path(&said.contracts), "\"\""),
        line("fail-on", texts(&said.fail_on), "[\"difference\", \"undecided\"]"),
        line("limits.budget", quote(&said.budget), &format!("\"{}s\"", BUDGET.as_secs())),
        line("limits.max-time", quote(&said.max_time), "\"\", as the command says"),
        line("limits.max-memory", quote(&said.max_memory), "\"4G\""),
        line("limits.max-paths", said.max_paths.map(|count| count.to_string()), "1000000"),
        line(
            "limits.max-loop",
            said.max_loop.map(|count| count.to_string()),
            "16, and more where inputs grow",
        ),
        line("build.directory", path(&said.build_folder), "\"\", where compile_commands.json is found"),
        line("build.flags", texts(&said.flags), "[]"),
        line("store.place", store.map(place), "\"\", the user's caches"),
        line(
            "store.limit",
            said.store_limit.as_ref().map(|size| format!("{size:?}")),
            &format!("\"{}M\"", STORE_LIMIT >> 20),
        ),
    ]);
    for LeftOut { what, reason } in &said.left_out {
        let what = match what {
            LeftOutKind::Path(path) => format!("path = {}", quoted(path)),
            LeftOutKind::Function(name) => format!("function = {name:?}"),
        };
        lines.push(format!("leave-out = {{ {what}, reason = {reason:?} }}    # {file}"));
    }
    lines
}

/// A place without secrets.
fn place(store: &StorePlace) -> String {
    match store {
        StorePlace::Nowhere => "\"none\"".to_owned(),
        StorePlace::Folder(folder) => quoted(folder),
        StorePlace::Shared(url) => format!("\"{url}\""),
    }
}

fn quoted(path: &Path) -> String {
    format!("{:?}", path.display().to_string())
}
