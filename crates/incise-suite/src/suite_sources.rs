//! The program of a suite, as seen from here, and how it is compiled.

use crate::error::SuiteError;
use incise_frontend::{Compilation, Sources, Tools};
use incise_report::suite::SuiteManifest;
use std::path::{Path, PathBuf};

/// The program of a suite: its files and flags, from the current folder.
pub fn suite_sources(directory: &Path, manifest: &SuiteManifest, tools: Tools) -> Sources {
    let program = &manifest.program;
    let here = |path: &Path| shortened(&directory.join(path)).to_string_lossy().into_owned();
    let flags = absolute_or(&program.flags, directory, &here);
    Sources {
        files: program.files.iter().map(|file| here(Path::new(file)).into()).collect(),
        flags: flags.into_iter().map(Into::into).collect(),
        own_flags: Default::default(),
        optimisation: program.optimisation.clone(),
        tools,
        extra: Default::default(),
    }
}

/// The flags of a manifest, with what they name in the folder of the suite as seen from here.
fn absolute_or(flags: &[String], directory: &Path, here: &dyn Fn(&Path) -> String) -> Vec<String> {
    let mut result: Vec<String> = Vec::with_capacity(flags.len());
    for flag in flags {
        let before = result.last().map(String::as_str);
        let named = before == Some("-I") || (before == Some("-include") && directory.join(flag).is_file());
        let fixed = match flag.strip_prefix("-I") {
            Some(folder) if !folder.is_empty() => format!("-I{}", here(Path::new(folder))),
            _ if named => here(Path::new(flag)),
            _ => flag.clone(),
        };
        result.push(fixed);
    }
    result
}

/// A path as people would write it: from the current folder, if it lies in there.
fn shortened(path: &Path) -> PathBuf {
    let real = path.canonicalize().ok();
    let current = Path::new(".").canonicalize().ok();
    match (real, current) {
        (Some(real), Some(current)) => match real.strip_prefix(&current) {
            Ok(inside) if inside != Path::new("") => inside.to_owned(),
            _ => real,
        },
        _ => path.to_owned(),
    }
}

/// These files, or those of the suite if there are none, compiled as the suite says.
pub fn sources_of(
    suite: &Path,
    manifest: &SuiteManifest,
    files: &[PathBuf],
    compilation: &Compilation,
) -> Result<Sources, SuiteError> {
    let made_from = suite_sources(suite, manifest, compilation.tools.clone());
    let files = if files.is_empty() { made_from.files.clone() } else { files.to_vec() };
    // Whether nothing is said of how to compile.
    if compilation.flags.is_empty() && compilation.optimisation == "0" {
        return Ok(Sources { files, ..made_from });
    }
    let given = Sources::new(&files, compilation);
    let told =
        |sources: &Sources| (without_include_path(&sources.flag_texts()), sources.optimisation.clone());
    if told(&given) != told(&made_from) {
        let words = |sources: &Sources| {
            let mut flags = sources.flag_texts();
            flags.push(format!("-O{}", sources.optimisation));
            flags.join(" ")
        };
        return Err(SuiteError::OtherFlags { made_with: words(&made_from), given: words(&given) });
    }
    Ok(given)
}

/// The flags but for the folders of headers: those of another version may lie elsewhere.
fn without_include_path(flags: &[String]) -> Vec<String> {
    let mut result = Vec::new();
    let mut words = flags.iter();
    while let Some(flag) = words.next() {
        match flag.strip_prefix("-I") {
            Some("") => {
                words.next();
            }
            Some(_) => {}
            None => result.push(flag.clone()),
        }
    }
    result
}
