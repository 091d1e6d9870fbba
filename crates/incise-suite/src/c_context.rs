//! What C tests must know of the program: its files, flags and types, and how its variables are reached.

use super::relative_path::is_same_file;
use incise_frontend::Sources;
use incise_ir::{FunctionId, Linkage, Program, c_types};
use incise_report::test::c_program::{self, GlobalAccess};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where our header is, beside C tests.
pub(super) const KLEE_INCLUDE: [&str; 2] = ["-I", "include"];

/// The program that tests are written for.
pub(super) struct Subject<'a> {
    pub(super) program: &'a Program,
    pub(super) entry: FunctionId,
    pub(super) sources: &'a Sources,
    /// The arguments of `main` that are not symbolic.
    pub(super) arguments: &'a [String],
}

impl Subject<'_> {
    /// What C tests must know; `from_tests` says what a path of the user is called in the folder of the tests.
    pub(super) fn c_context(
        &self,
        from_tests: &dyn Fn(&Path) -> String,
    ) -> Result<c_program::Context, String> {
        let function = &self.program.functions[self.entry];
        if !self.sources.all_c() {
            return Err("C tests need C sources".to_owned());
        }
        let parameters = c_types::parameter_types(self.program, self.entry)
            .ok_or_else(|| "the C type of a parameter has no name".to_owned())?;
        let own = function.file.map(|file| self.program.files[file].path());
        let is_own = |file: &PathBuf| own.as_ref().is_some_and(|own| is_same_file(own, file));
        let source = self.sources.files.iter().position(is_own).ok_or("the entry's file is not known")?;
        let mut others = self.sources.files.clone();
        let source = others.remove(source);
        let mut flags = flags_from(&self.sources.flag_texts(), from_tests);
        if self.sources.optimisation != "0" {
            flags.push(format!("-O{}", self.sources.optimisation));
        }
        if self.calls_unknown_functions() {
            // Tests of other paths run all the same.
            flags.extend(["-no-pie".to_owned(), "-Wl,--unresolved-symbols=ignore-all".to_owned()]);
        }
        Ok(c_program::Context {
            source: from_tests(&source),
            other_sources: others.iter().map(|file| from_tests(file)).collect(),
            flags,
            parameters,
            returns_value: c_types::returns_value(self.program, self.entry),
            globals: self.global_access(&source),
            arguments: self.arguments.to_vec(),
            taken: Vec::new(),
            input_functions: self.asks_for_inputs(),
        })
    }

    /// Whether the program calls functions that our input functions answer, or includes the header that declares them.
    fn asks_for_inputs(&self) -> bool {
        let ours = |name: &str| name.starts_with("klee_") || name.starts_with("__VERIFIER_");
        let mut functions = self.program.functions.iter().map(|(_, function)| function);
        let includes =
            |file: &PathBuf| std::fs::read_to_string(file).is_ok_and(|text| text.contains("klee/klee.h"));
        functions.any(|each| !each.is_definition() && ours(&each.name))
            || self.sources.files.iter().any(includes)
    }

    /// Whether the program declares functions that neither it nor the C library defines.
    fn calls_unknown_functions(&self) -> bool {
        let mut declared = self.program.functions.iter().map(|(_, function)| function);
        declared.any(|each| {
            let known = incise_exec::is_native(&each.name) || incise_libc::is_modelled(&each.name);
            !each.is_definition() && !known
        })
    }

    /// How C tests reach the global variables and functions.
    fn global_access(&self, source: &Path) -> BTreeMap<String, GlobalAccess> {
        let mut access = BTreeMap::new();
        for (_, global) in self.program.globals.iter().filter(|(_, global)| !global.model) {
            let file = global.location.map(|at| self.program.files[self.program.locations[at].file].path());
            let here = file.is_some_and(|file| is_same_file(&file, source));
            let plain = global.source_name.as_deref() == Some(global.name.as_str());
            if here && plain {
                access.insert(global.name.clone(), GlobalAccess::Name(global.name.clone()));
            } else if global.linkage != Linkage::Internal {
                access.insert(global.name.clone(), GlobalAccess::Symbol);
            }
        }
        for (_, function) in self.program.functions.iter().filter(|(_, function)| !function.model) {
            let file = function.file.map(|file| self.program.files[file].path());
            if file.is_some_and(|file| is_same_file(&file, source)) {
                access.insert(function.name.clone(), GlobalAccess::Name(function.name.clone()));
            } else if function.linkage != Linkage::Internal {
                access.insert(function.name.clone(), GlobalAccess::Symbol);
            }
        }
        access
    }
}

/// The user's flags, with the folders and files in them as seen from somewhere else.
pub(super) fn flags_from(flags: &[String], from_there: &dyn Fn(&Path) -> String) -> Vec<String> {
    let mut result: Vec<String> = Vec::with_capacity(flags.len());
    for flag in flags {
        let path = Path::new(flag);
        let fixed = match (result.last().map(String::as_str), flag.strip_prefix("-I")) {
            (Some("-I"), _) => from_there(path),
            // The compiler looks for it in its include path if there is no such file.
            (Some("-include"), _) if path.is_file() => from_there(path),
            (_, Some(folder)) if !folder.is_empty() => format!("-I{}", from_there(Path::new(folder))),
            _ => flag.clone(),
        };
        result.push(fixed);
    }
    result
}
