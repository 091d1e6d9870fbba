//! The text of a program for who builds it natively with something added: as it was explored, and where its
//! instructions are in it.

use crate::error::FrontendError;
use crate::sources::Sources;
use incise_ir::Program;
use incise_llvm::{CompileOptions, FunctionText, LoadOptions, ModuleText, link_with_places};
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The LLVM IR text of a program.
pub struct NativeText {
    /// The text of each file.
    pub modules: Vec<Vec<u8>>,
    /// What is read from it: without models.
    pub program: Program,
    /// Where its functions are.
    pub functions: Vec<FunctionText>,
}

/// Compiles the files of a program once more, with these flags beside its own.
pub fn native_text(
    sources: &Sources,
    headers: &Path,
    flags: &[&str],
    interrupt: &AtomicBool,
) -> Result<NativeText, FrontendError> {
    let options = LoadOptions {
        clang: sources.tools.clang.clone(),
        search_path: sources.tools.search_path.clone(),
        compile: CompileOptions {
            optimization: sources.optimisation.clone(),
            flags: sources.all_flags().into_iter().chain(flags.iter().map(OsString::from)).collect(),
            include_directories: vec![headers.to_owned()],
            ..CompileOptions::default()
        },
        own_flags: sources.own_flags.clone(),
        parallel: 1,
        ..LoadOptions::default()
    };
    let loaded = incise_llvm::load(&sources.files, &options, interrupt)?;
    let modules: Vec<ModuleText<'_>> =
        loaded.modules.iter().map(|module| ModuleText { name: &module.name, text: &module.text }).collect();
    let (program, functions) = link_with_places(&modules)?;
    Ok(NativeText {
        modules: loaded.modules.into_iter().map(|module| module.text).collect(),
        program,
        functions,
    })
}
