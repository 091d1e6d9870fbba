//! Writes a compilation database of what a build was seen to compile.

use super::watched::CompiledFile;
use crate::error::RepositoryError;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct WrittenDatabase {
    /// How many entries were seen.
    pub seen: usize,
    /// How many were there before and are of files that were not compiled now.
    pub kept: usize,
}

/// Writes a database. Entries that it has already are kept for files that are there and were not compiled: a build
/// does not compile what did not change.
pub fn write_database(path: &Path, seen: &[CompiledFile]) -> Result<WrittenDatabase, RepositoryError> {
    let files: BTreeSet<&Path> = seen.iter().map(|each| each.file.as_path()).collect();
    let mut entries: Vec<(PathBuf, Value)> = before(path)?;
    entries.retain(|(file, _)| file.is_file() && !files.contains(file.as_path()));
    let written = WrittenDatabase { seen: seen.len(), kept: entries.len() };
    for CompiledFile { file, folder, words, output } in seen {
        let mut entry = json!({ "directory": folder, "file": file, "arguments": words });
        if let Some(output) = output {
            entry["output"] = json!(output);
        }
        entries.push((file.clone(), entry));
    }
    entries.sort_by(|(one, a), (other, b)| (one, a.to_string()).cmp(&(other, b.to_string())));
    let values: Vec<Value> = entries.into_iter().map(|(_, entry)| entry).collect();
    let text = format!("{:#}\n", Value::Array(values));
    // Whoever reads it meanwhile finds the one or the other.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut fresh = tempfile::NamedTempFile::new_in(folder).map_err(RepositoryError::io(folder))?;
    fresh.write_all(text.as_bytes()).map_err(RepositoryError::io(path))?;
    let readable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    fresh.as_file().set_permissions(readable).map_err(RepositoryError::io(path))?;
    fresh.persist(path).map_err(|error| RepositoryError::Io { path: path.to_owned(), error: error.error })?;
    Ok(written)
}

/// The entries that there are, with their files.
fn before(path: &Path) -> Result<Vec<(PathBuf, Value)>, RepositoryError> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(RepositoryError::Io { path: path.to_owned(), error }),
    };
    let wrong = |why: &str| RepositoryError::Database { path: path.to_owned(), why: why.to_owned() };
    let value: Value = serde_json::from_slice(&text).map_err(|_| wrong("no JSON"))?;
    let Value::Array(entries) = value else { return Err(wrong("it is not a list of commands")) };
    let home = path.parent().unwrap_or(Path::new("."));
    let file = |entry: &Value| {
        let text = |name: &str| entry.get(name).and_then(Value::as_str);
        Some(super::flags::whole(&home.join(text("directory").unwrap_or(".")), text("file")?))
    };
    Ok(entries.into_iter().filter_map(|entry| Some((file(&entry)?, entry))).collect())
}
