//! Read-only mounts: in a namespace of our own everything can be read as before, and only what is a program's own be
//! written to.

use nix::mount::{MsFlags, mount};
use nix::sys::statvfs::{FsFlags, statvfs};
use std::io;
use std::path::{Path, PathBuf};

const NOTHING: Option<&str> = None;

/// Makes everything read-only but some files and folders, in the mount namespace of this process.
pub(super) fn read_only_but(own: &[PathBuf]) -> io::Result<()> {
    // What is done here is not passed on to the namespace that this one was made of.
    mount(NOTHING, "/", NOTHING, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NOTHING)?;
    for each in own {
        mount(Some(each), each, NOTHING, MsFlags::MS_BIND, NOTHING)?;
    }
    let table = std::fs::read_to_string("/proc/self/mountinfo")?;
    for place in table.lines().filter_map(place).filter(|place| !own.contains(place)) {
        read_only(&place)?;
    }
    Ok(())
}

/// The place of a line of `mountinfo`: its fifth word, with octal numbers for blanks.
fn place(line: &str) -> Option<PathBuf> {
    let word = line.split(' ').nth(4)?;
    let mut name = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('\\') {
        name.push_str(before);
        let digits = after.get(..3)?;
        name.push(char::from(u8::from_str_radix(digits, 8).ok()?));
        rest = &after[3..];
    }
    name.push_str(rest);
    Some(PathBuf::from(name))
}

fn read_only(place: &Path) -> io::Result<()> {
    // One that is hidden by another, or out of reach, cannot be written to by its name either.
    let Ok(state) = statvfs(place) else { return Ok(()) };
    let mut flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY;
    // Those that are set must stay set.
    let kept = [
        (FsFlags::ST_NOSUID, MsFlags::MS_NOSUID),
        (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ];
    for (set, keep) in kept {
        if state.flags().contains(set) {
            flags |= keep;
        }
    }
    match mount(NOTHING, place, NOTHING, flags, NOTHING) {
        Ok(()) => Ok(()),
        Err(_) if state.flags().contains(FsFlags::ST_RDONLY) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_with_blanks_is_read() {
        let line = r"36 35 98:0 /mnt1 /mnt\040two/a rw,noatime master:1 - ext3 /dev/root rw";
        assert_eq!(place(line), Some(PathBuf::from("/mnt two/a")));
    }
}
