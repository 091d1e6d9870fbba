//! The input that `incise explain` is asked about: a test that was written before, values on the command line, or both.

use crate::commands::explain::arguments::GivenInput;
use anyhow::{Result, bail};
use incise_exec::{ArgumentGroup, Config, FAILING_MALLOC, Given, SymbolicGlobals};
use incise_report::test::manifest::MANIFEST_FILE;
use incise_report::{Input, Manifest, Origin, TestCase};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many tests a message names.
const SHOWN: usize = 5;

/// A test that was written before.
pub(crate) struct WrittenTest {
    pub(crate) case: TestCase,
    /// What its folder says of all its tests, if it is still there.
    manifest: Option<Manifest>,
}

impl WrittenTest {
    /// Reads a test by its file, by its name in a folder, or by a folder that holds only one.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let file = file_of(path)?;
        let case = incise_suite::read_test(&file)?;
        let manifest = file.parent().map(|folder| folder.join(MANIFEST_FILE));
        let manifest = manifest.and_then(|file| std::fs::read_to_string(file).ok());
        Ok(Self { case, manifest: manifest.and_then(|text| Manifest::from_json(&text).ok()) })
    }

    /// A test that was read before.
    pub(crate) fn of(case: TestCase) -> Self {
        Self { case, manifest: None }
    }

    /// Makes the same inputs symbolic as when the test was written. What the command line says of them stays.
    pub(crate) fn configure(&self, config: &mut Config) {
        let inputs = &self.case.inputs;
        if config.inputs.globals == SymbolicGlobals::Default {
            let symbol = |input: &Input| match &input.origin {
                Origin::Global(symbol) => Some(symbol.clone()),
                _ => None,
            };
            config.inputs.globals = SymbolicGlobals::Named(inputs.iter().filter_map(symbol).collect());
        }
        let arguments: Vec<&Input> =
            inputs.iter().filter(|input| matches!(input.origin, Origin::Argument(_))).collect();
        if config.inputs.arguments.is_empty() {
            let there = arguments.iter().filter(|input| self.case.is_set(input));
            config.inputs.arguments = there
                .map(|input| ArgumentGroup { least: 1, most: 1, length: input.bytes.len() as u32 })
                .collect();
        }
        if let Some(stdin) = inputs.iter().find(|input| input.origin == Origin::Stdin) {
            config.inputs.stdin = config.inputs.stdin.max(stdin.bytes.len().max(1) as u32);
        }
        for input in inputs {
            let length = input.bytes.len().max(1) as u32;
            match &input.origin {
                // One that is not there has no value.
                Origin::File(_) if input.value == incise_report::Value::Pointer(None) => {}
                Origin::File(name) => widen(&mut config.inputs.files, name, length),
                Origin::Environment(name) => widen(&mut config.inputs.environment, name, length),
                _ => {}
            }
        }
        config.inputs.environment.sort();
        // There is what is given, and nothing else.
        config.inputs.closed = true;
        config.inputs.pointer_depth = config.inputs.pointer_depth.max(depth(inputs));
        config.inputs.malloc_fails |= inputs
            .iter()
            .any(|input| matches!(&input.origin, Origin::Nondet(function) if function == FAILING_MALLOC));
        if inputs.iter().any(|input| matches!(input.origin, Origin::External(_) | Origin::Callback(_))) {
            config.externals = incise_exec::Externals::Havoc;
        }
        if let Some(manifest) = &self.manifest {
            if config.inputs.given_arguments.is_empty() {
                config.inputs.given_arguments = manifest.arguments.clone();
            }
            config.checks.overflow |= manifest.check_overflow;
        }
    }
}

/// Makes a named input at least that long.
pub(crate) fn widen(inputs: &mut Vec<(String, u32)>, name: &str, length: u32) {
    match inputs.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) => *known = length.max(*known),
        None => inputs.push((name.to_owned(), length)),
    }
}

/// The file of a test.
fn file_of(path: &Path) -> Result<PathBuf> {
    if path.is_dir() {
        return only_test(path);
    }
    if path.extension().is_some_and(|extension| extension == "json") {
        return Ok(path.to_owned());
    }
    // Each test is several files of one name.
    let known = path.extension().is_none_or(|extension| extension == "ktest" || extension == "c");
    let json = path.with_extension("json");
    if known && json.is_file() {
        return Ok(json);
    }
    match path.is_file() {
        true => bail!("{} is no test: expected a .json file that `incise run --tests` wrote", path.display()),
        false => bail!("there is no test {}: neither that file nor {}", path.display(), json.display()),
    }
}

/// The only test of a folder.
fn only_test(folder: &Path) -> Result<PathBuf> {
    let tests = incise_suite::read_folder(folder)?;
    match tests.manifest.tests.as_slice() {
        [] => bail!("{} holds no test", folder.display()),
        [only] => Ok(folder.join(format!("{only}.json"))),
        several => {
            let shown: Vec<String> = several
                .iter()
                .take(SHOWN)
                .map(|name| format!("  --test {}", folder.join(name).display()))
                .collect();
            let more = several.len().saturating_sub(SHOWN);
            let rest = if more > 0 { format!("\n  ... and {more} more") } else { String::new() };
            bail!(
                "{} holds {} tests; say which one to explain:\n{}{rest}",
                folder.display(),
                several.len(),
                shown.join("\n")
            )
        }
    }
}

/// How many pointers lead to the deepest object.
fn depth(inputs: &[Input]) -> u32 {
    // Inputs come before those that they point to.
    let mut depths: BTreeMap<&str, u32> = BTreeMap::new();
    for input in inputs {
        let own = depths.get(input.name.as_str()).copied().unwrap_or(0);
        for pointer in &input.pointers {
            let known = depths.entry(pointer.target.as_str()).or_insert(0);
            *known = (*known).max(own + 1);
        }
    }
    // What nothing leads to on this path has a place all the same: its name tells.
    let objects = inputs.iter().filter_map(|input| match &input.origin {
        Origin::Pointee(pointer) | Origin::Stream(pointer) => {
            let named = pointer.matches("->").count() as u32 + 1;
            Some(depths.get(input.name.as_str()).map_or(named, |&known| known.max(named)))
        }
        _ => None,
    });
    objects.max().unwrap_or(0)
}

/// The values of a test, with those of the command line in their place.
pub(crate) fn given(test: Option<&WrittenTest>, inputs: &[GivenInput]) -> Given {
    let bytes = test
        .map(|test| test.case.inputs.iter().map(|input| (input.name.clone(), input.bytes.clone())).collect());
    let elements = inputs.iter().flat_map(|input| input.elements.iter().cloned());
    Given { bytes: bytes.unwrap_or_default(), elements: elements.collect() }
}
