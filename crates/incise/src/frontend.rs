//! From files to a program: clang, the reader, and the models of the C library that the program needs.

use crate::sources::Sources;
use anyhow::{Context, Result, bail};
use incise_ir::{Function, FunctionId, Linkage, Program, Symbol};
use incise_llvm::{Clang, CompileOptions, LoadOptions, Models, ModuleText};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A program that was read, and what is needed to build it again.
pub(crate) struct Loaded {
    pub(crate) program: Program,
    pub(crate) sources: Sources,
    /// The folder with our `klee/klee.h`, for as long as the program is in use.
    pub(crate) headers: TempDir,
}

/// Compiles and reads the files, and links the models that they need. Clang's warnings go to `talk`.
pub(crate) fn load(
    mut sources: Sources,
    color: bool,
    interrupt: &AtomicBool,
    talk: &mut dyn FnMut(&str),
) -> Result<Loaded> {
    // A folder stands for the C files in it.
    sources.files = incise_llvm::find_inputs(&sources.files)?.into_iter().map(|input| input.path).collect();
    let headers = headers()?;
    let options = LoadOptions {
        clang: sources.clang.clone(),
        search_path: search_path(),
        compile: CompileOptions {
            optimization: sources.optimisation.clone(),
            flags: sources.flags.clone(),
            include_directories: vec![headers.path().to_owned()],
            color,
            ..CompileOptions::default()
        },
        parallel: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let loaded = incise_llvm::load(&sources.files, &options, interrupt)?;
    if !loaded.diagnostics.trim().is_empty() {
        talk(loaded.diagnostics.trim_end());
    }
    let modules: Vec<_> =
        loaded.modules.iter().map(|module| ModuleText { name: &module.name, text: &module.text }).collect();
    let mut program = incise_llvm::link(&modules)?;
    add_models(&mut program)?;
    Ok(Loaded { program, sources, headers })
}

/// Adds the models of what the program uses and does not define.
fn add_models(program: &mut Program) -> Result<()> {
    let required: BTreeSet<&str> =
        missing(program).iter().filter_map(|name| incise_exec::required_model(name)).collect();
    for name in required {
        declare(program, name);
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

/// The folders in which tools are looked for.
fn search_path() -> Vec<PathBuf> {
    std::env::var_os("PATH").map_or_else(Vec::new, |path| std::env::split_paths(&path).collect())
}

/// The clang to build native programs with.
pub(crate) fn clang(sources: &Sources) -> Result<PathBuf> {
    Ok(Clang::find(sources.clang.as_deref(), &search_path())?.path)
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
