//! From files to a program: clang, the reader, and the models of the C library that the program needs.

use crate::sources::{MovedFile, Sources};
use crate::versions::line_constants::{Unlike, may_speak_of, with_lines_of};
use anyhow::{Context, Result, bail};
use incise_ir::{DebugType, Function, FunctionId, Linkage, Program, Symbol};
use incise_llvm::{
    Clang, CompileOptions, FolderFiles, InputError, LeftOut, LoadOptions, LoadedModule, Models, ModuleText,
};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A program that was read, and what is needed to build it again.
pub(crate) struct Loaded {
    pub(crate) program: Program,
    pub(crate) sources: Sources,
    /// The folder with our `klee/klee.h`, for as long as the program is in use.
    pub(crate) headers: TempDir,
    /// What lies in the folders that were named, and is not looked at.
    pub(crate) unseen: Vec<Unseen>,
    /// What changed and is not looked at, in words, if it was compared with another version.
    pub(crate) not_compared: Vec<String>,
}

/// A file that is not looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unseen {
    pub(crate) path: PathBuf,
    /// Why, in words that follow its name.
    pub(crate) why: String,
    /// Whether it is no part of the source.
    pub(crate) made: bool,
}

/// Compiles and reads the files, and links the models that they need. Clang's warnings go to `talk`, and so does what is not looked at.
pub(crate) fn load(
    sources: Sources,
    color: bool,
    interrupt: &AtomicBool,
    talk: &mut dyn FnMut(&str),
) -> Result<Loaded> {
    let loaded = load_part(sources, color, interrupt, talk)?;
    for each in &loaded.unseen {
        talk(&format!("note: not looked at: {} ({})", each.path.display(), each.why));
    }
    Ok(loaded)
}

/// The same for one of two versions: what is not looked at is told when both are known.
pub(crate) fn load_part(
    mut sources: Sources,
    color: bool,
    interrupt: &AtomicBool,
    talk: &mut dyn FnMut(&str),
) -> Result<Loaded> {
    let mut found = Found::of(&sources.files)?;
    sources.files = found.files;
    let headers = headers()?;
    let mut options = LoadOptions {
        clang: sources.tools.clang.clone(),
        search_path: sources.tools.search_path.clone(),
        compile: CompileOptions {
            optimization: sources.optimisation.clone(),
            flags: sources.all_flags(),
            include_directories: vec![headers.path().to_owned()],
            color,
            ..CompileOptions::default()
        },
        parallel: std::thread::available_parallelism().map_or(1, usize::from),
        may_fail: sources.extra.may_fail.clone().unwrap_or_else(|| found.below.clone()),
        may_repeat: found.below,
        may_be_programs: found.in_folders,
    };
    let mut loaded = incise_llvm::load(&sources.files, &options, interrupt)?;
    for LeftOut { path, why } in std::mem::take(&mut loaded.left_out) {
        sources.files.retain(|file| *file != path);
        found.unseen.push(Unseen { path, why, made: false });
    }
    if let Some(flags) = number_lines(&mut loaded.modules, &sources, &mut options, headers.path(), interrupt)?
    {
        sources.extra.flags.extend(flags);
        sources.extra.renumbered = true;
    }
    if !loaded.diagnostics.trim().is_empty() {
        talk(loaded.diagnostics.trim_end());
    }
    let modules: Vec<_> =
        loaded.modules.iter().map(|module| ModuleText { name: &module.name, text: &module.text }).collect();
    let mut program = incise_llvm::link(&modules)?;
    add_models(&mut program)?;
    Ok(Loaded { program, sources, headers, unseen: found.unseen, not_compared: Vec::new() })
}

/// The files that the user's paths stand for.
#[derive(Default)]
struct Found {
    files: Vec<PathBuf>,
    /// Those of folders.
    in_folders: BTreeSet<PathBuf>,
    /// Those of folders below the ones that were named.
    below: BTreeSet<PathBuf>,
    unseen: Vec<Unseen>,
}

impl Found {
    fn of(paths: &[PathBuf]) -> Result<Self> {
        let mut found = Self::default();
        for path in paths {
            if !path.is_dir() {
                found.files.push(path.clone());
                continue;
            }
            let FolderFiles { sources, others, skipped, .. } = FolderFiles::of(path)?;
            if sources.is_empty() {
                return Err(InputError::NoSources(path.clone()).into());
            }
            let below = sources.iter().filter(|file| file.parent() != Some(path));
            found.below.extend(below.cloned());
            found.in_folders.extend(sources.iter().cloned());
            found.files.extend(sources);
            for (list, why, made) in
                [(others, "is not C", false), (skipped, "is hidden, a link, or what a build made", true)]
            {
                let unseen = list.into_iter().map(|path| Unseen { path, why: why.to_owned(), made });
                found.unseen.extend(unseen);
            }
        }
        Ok(found)
    }
}

/// Gives `__LINE__` the numbers that the lines have in another version, where that makes a difference; says with which flags clang does that.
///
/// Places in the source stay those of the version itself: only constants are taken from a second compilation.
fn number_lines(
    modules: &mut [LoadedModule],
    sources: &Sources,
    options: &mut LoadOptions,
    folder: &Path,
    interrupt: &AtomicBool,
) -> Result<Option<Vec<OsString>>> {
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
fn overlay(moved: &[MovedFile], folder: &Path) -> Result<PathBuf> {
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

/// Adds the models of what the program uses and does not define.
fn add_models(program: &mut Program) -> Result<()> {
    let required: BTreeSet<&str> =
        missing(program).iter().filter_map(|name| incise_exec::required_model(name)).collect();
    for name in required {
        declare(program, name);
    }
    // Streams can be inputs where there is such a type.
    let is_stream = |ty: &DebugType| matches!(ty, DebugType::Composite { name, .. } if name == "_IO_FILE");
    if program.debug_types.iter().any(|(_, ty)| is_stream(ty)) {
        declare(program, "__incise_streams");
    }
    let text = incise_libc::select(missing(program).iter().map(String::as_str));
    if !text.is_empty() {
        let models = Models::scan("the models of the C library", text.as_bytes())?;
        incise_llvm::link_models(program, &models)
            .context("the models of the C library do not link with the program")?;
    }
    Ok(())
}

/// Adds the declaration of a model that the executor calls by itself.
fn declare(program: &mut Program, name: &str) {
    if program.symbols.contains_key(name) {
        return;
    }
    let result = program.types.integer(32);
    let function = Function { model: true, ..Function::declaration(name, Linkage::External, result) };
    let function = program.functions.push(function);
    program.symbols.insert(name.to_owned(), Symbol::Function(function));
}

/// The names that the program uses and does not define.
fn missing(program: &Program) -> Vec<String> {
    let functions = program.functions.iter().filter(|(_, function)| !function.is_definition());
    let globals = program.globals.iter().filter(|(_, global)| global.initializer.is_none());
    let mut names: Vec<String> = functions.map(|(_, function)| function.name.clone()).collect();
    names.extend(globals.map(|(_, global)| global.name.clone()));
    names
}

fn headers() -> Result<TempDir> {
    let folder =
        tempfile::Builder::new().prefix("incise-headers-").tempdir().context("no temporary folder")?;
    std::fs::create_dir(folder.path().join("klee"))?;
    std::fs::write(folder.path().join("klee/klee.h"), incise_libc::KLEE_HEADER)?;
    Ok(folder)
}

/// The clang to build native programs with.
pub(crate) fn clang(sources: &Sources) -> Result<PathBuf> {
    Ok(Clang::find(sources.tools.clang.as_deref(), &sources.tools.search_path)?.path)
}

/// The function where the exploration starts: the one asked for, `main`, or the only one.
pub(crate) fn entry(program: &Program, wanted: Option<&str>) -> Result<String> {
    if let Some(name) = wanted {
        find_function(program, name)?;
        return Ok(name.to_owned());
    }
    let names = function_names(program);
    if names.iter().any(|name| name == "main") {
        return Ok("main".to_owned());
    }
    match names.as_slice() {
        [] => bail!("there is no function to explore: nothing in these files has a body"),
        [only] => Ok(only.clone()),
        several => {
            const SHOWN: usize = 20;
            let shown: Vec<_> = several.iter().take(SHOWN).map(|name| format!("  --entry {name}")).collect();
            let more = several.len().saturating_sub(SHOWN);
            let rest = if more > 0 { format!("\n  ... and {more} more") } else { String::new() };
            bail!("there is no main; say which function to explore:\n{}{rest}", shown.join("\n"))
        }
    }
}

/// The functions of the user's program that have a body, those that other files see first, in the order of the source.
fn function_names(program: &Program) -> Vec<String> {
    let with_body = || {
        program
            .functions
            .iter()
            .map(|(_, function)| function)
            .filter(|each| each.is_definition() && !each.model)
    };
    let visible = with_body().filter(|each| each.linkage != Linkage::Internal);
    let hidden = with_body().filter(|each| each.linkage == Linkage::Internal);
    let visible: Vec<_> = visible.map(|each| each.name.clone()).collect();
    // Helpers that only this file sees are no candidates beside functions that all see.
    if visible.is_empty() { hidden.map(|each| each.name.clone()).collect() } else { visible }
}

/// The function of that name that has a body; the error names the nearest.
pub(crate) fn find_function(program: &Program, name: &str) -> Result<FunctionId> {
    match program.function_named(name) {
        Some(id) if program.functions[id].is_definition() && !program.functions[id].model => return Ok(id),
        Some(_) => bail!("the function {name} has no body in these files; add the file that defines it"),
        None => {}
    }
    let all = program.functions.iter().map(|(_, function)| function);
    let candidates = all.filter(|each| each.is_definition() && !each.model).map(|each| each.name.as_str());
    match nearest(name, candidates) {
        Some(near) => bail!("there is no function {name}; did you mean {near}?"),
        None => bail!("there is no function {name}"),
    }
}

/// The candidate with the fewest edits, if they are few enough to be a slip.
fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = name.chars().count().div_ceil(2).max(2);
    let scored = candidates.map(|candidate| (edits(name, candidate), candidate));
    scored.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}

/// The number of characters to insert, delete or replace.
fn edits(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let names = ["insert", "remove", "insert_all"];
        assert_eq!(nearest("inset", names.into_iter()), Some("insert"));
        assert_eq!(nearest("Remove", names.into_iter()), Some("remove"));
        assert_eq!(nearest("xyz", names.into_iter()), None);
        assert_eq!((edits("", "abc"), edits("kitten", "sitting"), edits("a", "a")), (3, 3, 0));
    }
}
