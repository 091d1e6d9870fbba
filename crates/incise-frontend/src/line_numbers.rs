//! `__LINE__` with the numbers that lines have in another version.

use crate::error::FrontendError;
use crate::sources::{MovedFile, Sources};
use crate::versions::line_constants::{Unlike, may_speak_of, with_lines_of};
use incise_llvm::{LoadOptions, LoadedModule};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Gives `__LINE__` the numbers that the lines have in another version, where that makes a difference; says with which
/// flags clang does that.
///
/// Places in the source stay those of the version itself: only constants are taken from a second compilation.
pub(crate) fn number_lines(
    modules: &mut [LoadedModule],
    sources: &Sources,
    options: &mut LoadOptions,
    folder: &Path,
    interrupt: &AtomicBool,
) -> Result<Option<Vec<OsString>>, FrontendError> {
    let moved = &sources.extra.moved;
    let speaks = |(index, module): &(usize, &LoadedModule)| {
        let file = &sources.files[*index];
        let own = |each: &&MovedFile| each.path == *file || each.path.extension() != Some("c".as_ref());
        let is_line = |line: u64| moved.iter().filter(own).any(|each| each.lines.contains(&line));
        !Sources::is_ir(file) && may_speak_of(&module.text, &is_line)
    };
    let concerned: Vec<usize> = match moved.is_empty() {
        true => Vec::new(),
        false => modules.iter().enumerate().filter(speaks).map(|(index, _)| index).collect(),
    };
    if concerned.is_empty() {
        return Ok(None);
    }
    let flags = vec!["-ivfsoverlay".into(), overlay(moved, folder)?.into_os_string()];
    options.compile.flags.extend(flags.iter().cloned());
    (options.may_fail, options.may_repeat, options.may_be_programs) = Default::default();
    let files: Vec<PathBuf> = concerned.iter().map(|&index| sources.files[index].clone()).collect();
    // Where clang does not take the directives, lines are what they are.
    let Ok(again) = incise_llvm::load(&files, options, interrupt) else { return Ok(None) };
    let mut numbered = Vec::new();
    for (&index, other) in concerned.iter().zip(&again.modules) {
        match with_lines_of(&modules[index].text, &other.text) {
            Ok(Some(text)) => numbered.push((index, text)),
            Ok(None) => {}
            // What runs natively must be what is explored: all of it, or nothing.
            Err(Unlike) => return Ok(None),
        }
    }
    if numbered.is_empty() {
        return Ok(None);
    }
    for (index, text) in numbered {
        modules[index].text = text;
    }
    Ok(Some(flags))
}

/// A file that makes clang read other texts under the names of files.
fn overlay(moved: &[MovedFile], folder: &Path) -> Result<PathBuf, FrontendError> {
    let folder = folder.join("lines");
    std::fs::create_dir(&folder)?;
    let mut roots = Vec::new();
    for (number, file) in moved.iter().enumerate() {
        let copy = folder.join(number.to_string());
        std::fs::write(&copy, &file.text)?;
        let name = std::path::absolute(&file.path)?;
        roots.push(serde_json::json!({ "type": "file", "name": name, "external-contents": copy }));
    }
    let path = folder.join("overlay.json");
    let text = serde_json::json!({
        "version": 0, "case-sensitive": true, "use-external-names": false, "roots": roots,
    });
    std::fs::write(&path, text.to_string())?;
    Ok(path)
}
