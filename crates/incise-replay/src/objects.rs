//! Object files that several native builds of one version need: the functions of a file are compared one by one, and
//! what each of them runs in is linked from the same objects.
//!
//! They lie beside the headers of the version, which are laid out anew whenever it is loaded: what was made from files
//! as they were then is never taken for what they are later.

use std::ffi::OsString;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The objects of a version that were made so far.
pub(super) struct Objects {
    folder: PathBuf,
}

impl Objects {
    /// Beside these headers.
    pub(super) fn beside(headers: &Path) -> Self {
        Self { folder: headers.join(".objects") }
    }

    /// The object that these words make, made now if it was not before. `make` puts it where it is told to.
    pub(super) fn made<E: From<io::Error>>(
        &self,
        words: &[OsString],
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        let mut hash = DefaultHasher::new();
        words.hash(&mut hash);
        let name = format!("{:016x}", hash.finish());
        let (object, said) = (self.folder.join(format!("{name}.o")), self.folder.join(format!("{name}.txt")));
        let text = words.iter().flat_map(|word| [word.as_bytes(), b"\0"]).collect::<Vec<_>>().concat();
        if std::fs::read(&said).is_ok_and(|said| said == text) {
            return Ok(object);
        }
        std::fs::create_dir_all(&self.folder)?;
        // Whoever makes the same at the same time is waited for: both versions often need the same.
        let lock = File::create(self.folder.join(format!("{name}.lock")))?;
        lock.lock()?;
        if std::fs::read(&said).is_ok_and(|said| said == text) {
            return Ok(object);
        }
        // Whole files are moved into place, the words last: what was broken off is not there.
        let own = tempfile::tempdir_in(&self.folder)?;
        let (made, written) = (own.path().join("object.o"), own.path().join("words"));
        make(&made)?;
        if said.exists() {
            // Other words have that name: what they make stays, and this is nobody else's.
            let object = own.keep().join("object.o");
            return Ok(object);
        }
        std::fs::write(&written, text)?;
        std::fs::rename(&made, &object)?;
        std::fs::rename(&written, &said)?;
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn what_was_made_is_made_once_for_the_same_words() {
        let headers = tempfile::tempdir().expect("a folder");
        let objects = Objects::beside(headers.path());
        let mut made = 0;
        let mut make = |text: &str| {
            let put = |place: &Path| {
                made += 1;
                std::fs::write(place, text)
            };
            let object = objects.made(&words(text), put).expect("it is made");
            assert_eq!(std::fs::read_to_string(object).expect("an object"), text);
        };
        for text in ["cc -c a.c", "cc -c b.c", "cc -c a.c", "cc -c a.c -g", "cc -c b.c"] {
            make(text);
        }
        assert_eq!(made, 3);
    }

    #[test]
    fn what_could_not_be_made_is_tried_again() {
        let headers = tempfile::tempdir().expect("a folder");
        let objects = Objects::beside(headers.path());
        let fails = objects.made(&words("cc -c a.c"), |_| Err(io::Error::other("no")));
        assert!(fails.is_err());
        let object = objects.made(&words("cc -c a.c"), |place| std::fs::write(place, "whole"));
        assert_eq!(std::fs::read_to_string(object.expect("an object")).expect("an object"), "whole");
    }

    #[test]
    fn many_at_once_make_one() {
        let headers = tempfile::tempdir().expect("a folder");
        let objects = Objects::beside(headers.path());
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for turn in 0..20 {
                        let text = format!("cc -c {turn}.c");
                        let make = |place: &Path| {
                            made.fetch_add(1, Ordering::Relaxed);
                            std::fs::write(place, &text)
                        };
                        let object = objects.made(&words(&text), make);
                        let found = std::fs::read_to_string(object.expect("an object"));
                        assert_eq!(found.expect("an object"), text);
                    }
                });
            }
        });
        assert_eq!(made.into_inner(), 20, "each was made once");
    }
}
