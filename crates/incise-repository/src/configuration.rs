//! `incise.toml`: what a repository says of how its changes are checked. Values are as they are written; what they mean
//! is the affair of who asks.

use std::path::{Path, PathBuf};
use thiserror::Error;
use toml::{Table, Value};

/// What the file is called.
pub const CONFIGURATION: &str = "incise.toml";

/// What a repository says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Configuration {
    /// Where that is said; none if nothing is.
    pub path: Option<PathBuf>,
    /// Functions that are compared if the change concerns them, also if their own code did not change.
    pub entries: Vec<String>,
    /// The file that says what inputs are taken to be.
    pub contracts: Option<PathBuf>,
    /// What makes a check fail.
    pub fail_on: Vec<String>,
    /// Time for all functions together.
    pub budget: Option<String>,
    /// Time for a command.
    pub max_time: Option<String>,
    /// Memory of all processes together.
    pub max_memory: Option<String>,
    /// How many paths of one function are looked at.
    pub max_paths: Option<u64>,
    /// How often loops are gone round.
    pub max_loop: Option<u64>,
    /// Where the compilation database is.
    pub build_folder: Option<PathBuf>,
    /// Flags for clang, behind those of the database.
    pub flags: Vec<String>,
    /// Where what was found out is kept.
    pub store: Option<String>,
    /// How much of it.
    pub store_limit: Option<String>,
    /// What is left out.
    pub left_out: Vec<LeftOut>,
}

/// Something that is left out, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// What it is.
    pub what: LeftOutKind,
    /// Why.
    pub reason: String,
}

/// What can be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LeftOutKind {
    /// A file or folder, from the top of the repository.
    Path(PathBuf),
    /// A function.
    Function(String),
}

/// What is wrong with the file.
#[derive(Debug, Error)]
pub enum ConfigurationError {
    /// It cannot be read.
    #[error("'{}' cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is not TOML.
    #[error("'{}' is not understood: {said}", path.display())]
    NoToml {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        said: String,
    },
    /// A key that nobody knows.
    #[error("'{}' has `{key}`, which is not known{}", path.display(), near.as_ref().map_or_else(
        || format!("; known are: {}", known.join(", ")), |near| format!("; did you mean `{near}`?")))]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// One that is nearly written so.
        near: Option<String>,
        /// All that are known there.
        known: Vec<String>,
    },
    /// A value of another kind.
    #[error("in '{}' `{key}` is to be {expected}", path.display())]
    WrongValue {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// What it is to be.
        expected: &'static str,
    },
}

const TOP: [&str; 7] = ["entries", "contracts", "fail-on", "limits", "build", "store", "leave-out"];
const LIMITS: [&str; 5] = ["budget", "max-time", "max-memory", "max-paths", "max-loop"];
const BUILD: [&str; 2] = ["directory", "flags"];
const STORE: [&str; 2] = ["place", "limit"];
const LEAVE_OUT: [&str; 3] = ["path", "function", "reason"];

impl Configuration {
    /// The nearest file, from a folder up to the top of its repository; nothing is said if there is none.
    pub fn nearest(folder: &Path) -> Result<Self, ConfigurationError> {
        for place in folder.ancestors() {
            let path = place.join(CONFIGURATION);
            if path.is_file() {
                return Self::read(&path, &top(folder));
            }
            if place.join(".git").exists() {
                break;
            }
        }
        Ok(Self::default())
    }

    fn read(path: &Path, top: &Path) -> Result<Self, ConfigurationError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigurationError::Unreadable { path: path.to_owned(), error })?;
        let table: Table = text.parse().map_err(|error: toml::de::Error| ConfigurationError::NoToml {
            path: path.to_owned(),
            said: error.to_string().trim_end().to_owned(),
        })?;
        ConfigurationReader { path, folder: path.parent().unwrap_or(top), top }.configuration(&table)
    }
}

/// The top of the repository that a folder is in, or the folder itself.
fn top(folder: &Path) -> PathBuf {
    let found = folder.ancestors().find(|place| place.join(".git").exists());
    found.unwrap_or(folder).to_owned()
}

struct ConfigurationReader<'r> {
    path: &'r Path,
    folder: &'r Path,
    top: &'r Path,
}

impl ConfigurationReader<'_> {
    fn configuration(&self, table: &Table) -> Result<Configuration, ConfigurationError> {
        self.only(table, "", &TOP)?;
        let empty = Table::new();
        let inner = |key: &str| match table.get(key) {
            None => Ok(&empty),
            Some(Value::Table(inner)) => Ok(inner),
            Some(_) => Err(self.wrong(key, "a table")),
        };
        let (limits, build, store) = (inner("limits")?, inner("build")?, inner("store")?);
        self.only(limits, "limits.", &LIMITS)?;
        self.only(build, "build.", &BUILD)?;
        self.only(store, "store.", &STORE)?;
        let path = |text: Option<String>| text.map(|text| self.folder.join(text));
        Ok(Configuration {
            path: Some(self.path.to_owned()),
            entries: self.texts(table, "entries")?,
            contracts: path(self.text(table, "contracts")?),
            fail_on: self.texts(table, "fail-on")?,
            budget: self.text(limits, "budget")?,
            max_time: self.text(limits, "max-time")?,
            max_memory: self.text(limits, "max-memory")?,
            max_paths: self.number(limits, "max-paths", "limits.max-paths", "a number of paths")?,
            max_loop: self.number(limits, "max-loop", "limits.max-loop", "a number of iterations")?,
            build_folder: path(self.text(build, "directory")?),
            flags: self.texts(build, "flags")?,
            store: self.text(store, "place")?,
            store_limit: self.text(store, "limit")?,
            left_out: self.left_out(table)?,
        })
    }

    fn left_out(&self, table: &Table) -> Result<Vec<LeftOut>, ConfigurationError> {
        const EXPECTED: &str = "a list of tables, each with `path` or `function`, and a `reason`";
        let wrong = || self.wrong("leave-out", EXPECTED);
        let list = match table.get("leave-out") {
            None => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(wrong()),
        };
        let mut found = Vec::new();
        for each in list {
            let each = each.as_table().ok_or_else(wrong)?;
            self.only(each, "leave-out.", &LEAVE_OUT)?;
            let what = match (self.text(each, "path")?, self.text(each, "function")?) {
                (Some(path), None) => {
                    // Named from where the file is, and kept from the top.
                    let whole = crate::repository::clean(&self.folder.join(path));
                    let inner = whole.strip_prefix(self.top).map(Path::to_owned).map_err(|_| wrong())?;
                    LeftOutKind::Path(inner)
                }
                (None, Some(function)) => LeftOutKind::Function(function),
                _ => return Err(wrong()),
            };
            let reason = self.text(each, "reason")?.filter(|reason| !reason.trim().is_empty());
            found.push(LeftOut { what, reason: reason.ok_or_else(wrong)? });
        }
        Ok(found)
    }

    fn number(
        &self,
        table: &Table,
        key: &str,
        whole: &str,
        expected: &'static str,
    ) -> Result<Option<u64>, ConfigurationError> {
        match table.get(key) {
            None => Ok(None),
            Some(Value::Integer(count)) if *count >= 0 => Ok(Some(count.unsigned_abs())),
            Some(_) => Err(self.wrong(whole, expected)),
        }
    }

    fn text(&self, table: &Table, key: &str) -> Result<Option<String>, ConfigurationError> {
        match table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(key, "a text")),
        }
    }

    fn texts(&self, table: &Table, key: &str) -> Result<Vec<String>, ConfigurationError> {
        let wrong = || self.wrong(key, "a list of texts");
        match table.get(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => {
                list.iter().map(|each| each.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn wrong(&self, key: &str, expected: &'static str) -> ConfigurationError {
        ConfigurationError::WrongValue { path: self.path.to_owned(), key: key.to_owned(), expected }
    }

    /// Nothing but these keys is there: who misspells one must not believe that it counts.
    fn only(&self, table: &Table, prefix: &str, known: &[&str]) -> Result<(), ConfigurationError> {
        let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
        let near = known.iter().map(|each| (distance(key, each), *each)).min();
        let near = near.filter(|(distance, each)| *distance <= each.len().max(key.len()) / 3 + 1);
        Err(ConfigurationError::UnknownKey {
            path: self.path.to_owned(),
            key: format!("{prefix}{key}"),
            near: near.map(|(_, each)| format!("{prefix}{each}")),
            known: known.iter().map(|each| format!("{prefix}{each}")).collect(),
        })
    }
}

/// How many letters have to be added, removed or replaced to make one word of another.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (number, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = number + 1;
        for (at, &there) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != there);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Configuration, String> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(CONFIGURATION), text).expect("written");
        Configuration::nearest(folder.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn everything_that_can_be_said_is_read() {
        let text = "entries = [\"main\"]\nfail-on = [\"introduced\"]\n[limits]\nbudget = \"5m\"\nmax-loop = 8\n\
                    [build]\nflags = [\"-DX\"]\n[[leave-out]]\npath = \"tests\"\nreason = \"not shipped\"\n\
                    [[leave-out]]\nfunction = \"f\"\nreason = \"checked by hand\"\n";
        let found = read(text).expect("it is right");
        assert_eq!((found.entries, found.fail_on), (vec!["main".to_owned()], vec!["introduced".to_owned()]));
        assert_eq!((found.budget.as_deref(), found.max_loop), (Some("5m"), Some(8)));
        assert_eq!(found.flags, ["-DX"]);
        let whats: Vec<LeftOutKind> = found.left_out.into_iter().map(|each| each.what).collect();
        assert_eq!(whats, [LeftOutKind::Path("tests".into()), LeftOutKind::Function("f".to_owned())]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, words) in [
            ("entrys = []", "has `entrys`, which is not known; did you mean `entries`?"),
            ("zzz = 1", "known are: entries"),
            ("[limits]\nmax-lop = 1", "did you mean `limits.max-loop`?"),
            ("entries = 1", "`entries` is to be a list of texts"),
            ("[[leave-out]]\npath = \"a\"", "and a `reason`"),
            ("[[leave-out]]\npath = \"../..\"\nreason = \"x\"", "leave-out"),
            ("a = ", "is not understood"),
        ] {
            let error = read(text).expect_err("it is wrong");
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn the_nearest_file_counts_up_to_the_top() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("top/a/b");
        std::fs::create_dir_all(&inner).expect("made");
        std::fs::create_dir(folder.path().join("top/.git")).expect("made");
        let write = |place: &str, budget: &str| {
            let text = format!("limits.budget = \"{budget}\"");
            std::fs::write(folder.path().join(place).join(CONFIGURATION), text).expect("written");
        };
        let budget = || Configuration::nearest(&inner).expect("it is right").budget;
        write("", "1s");
        assert_eq!(budget(), None, "beyond the top");
        write("top", "2s");
        assert_eq!(budget().as_deref(), Some("2s"));
        write("top/a", "3s");
        assert_eq!(budget().as_deref(), Some("3s"));
    }
}
