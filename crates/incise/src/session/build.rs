//! What this program is told from other builds of it by: what it keeps for other runs is of no use to another build.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::OnceLock;
use twox_hash::XxHash3_128;

/// The identifier of this build: the one that the linker gave it, a hash of all that it holds; or else a hash of its
/// own file.
pub(super) fn identifier() -> Option<String> {
    static BUILD: OnceLock<Option<String>> = OnceLock::new();
    let find = || {
        // The file that runs, also if another one lies in its place by now.
        let mut file = File::open("/proc/self/exe").ok()?;
        linked(&mut file).or_else(|| hashed(&mut file))
    };
    BUILD.get_or_init(find).clone()
}

/// The type of program headers that lead to notes, and that of the note with an identifier.
const NOTES: u64 = 4;
const BUILD_ID: u64 = 3;
/// An identifier is at least so many bytes long: a linker can be told to write any, and a word is no hash.
const SHORTEST: usize = 16;
/// Notes are short.
const MOST: u64 = 1 << 16;

/// The identifier in the notes of a file in the 64-bit format of little-endian machines.
fn linked(file: &mut (impl Read + Seek)) -> Option<String> {
    let header = piece(file, 0, 64)?;
    if header[..6] != [0x7f, b'E', b'L', b'F', 2, 1] {
        return None;
    }
    let (start, size, count) = (number(&header, 32, 8)?, number(&header, 54, 2)?, number(&header, 56, 2)?);
    let table = piece(file, start, size.checked_mul(count)?)?;
    table.chunks_exact(usize::try_from(size).ok().filter(|&size| size > 0)?).find_map(|entry| {
        if number(entry, 0, 4)? != NOTES {
            return None;
        }
        let notes = piece(file, number(entry, 8, 8)?, number(entry, 32, 8)?)?;
        let align = number(entry, 48, 8)?.clamp(4, 8);
        identifier_in(&notes, usize::try_from(align).ok()?)
    })
}

/// The identifier among notes: each is the lengths of a name and of what it says, a type, the name, what it says.
fn identifier_in(notes: &[u8], align: usize) -> Option<String> {
    let mut at = 0;
    while at < notes.len() {
        let length = |offset| usize::try_from(number(notes, at + offset, 4)?).ok();
        let (name, said) = (length(0)?, length(4)?);
        let said_at = (at + 12).checked_add(name)?.next_multiple_of(align);
        let end = said_at.checked_add(said)?;
        if number(notes, at + 8, 4)? == BUILD_ID
            && notes.get(at + 12..at + 12 + name)? == b"GNU\0"
            && said >= SHORTEST
        {
            return Some(notes.get(said_at..end)?.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        at = end.next_multiple_of(align);
    }
    None
}

fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

fn piece(file: &mut (impl Read + Seek), start: u64, size: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(size).ok().filter(|_| size <= MOST)?];
    file.seek(SeekFrom::Start(start)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn hashed(file: &mut (impl Read + Seek)) -> Option<String> {
    file.rewind().ok()?;
    let mut hash = XxHash3_128::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(format!("{:032x}", hash.finish_128())),
            count => hash.write(&buffer[..count]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A file with one program header, that of these notes.
    fn file(notes: &[u8], align: u64) -> Vec<u8> {
        let mut file = vec![0; 120];
        file[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        let mut put = |at: usize, size: usize, value: u64| {
            file[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        };
        put(32, 8, 64);
        put(54, 2, 56);
        put(56, 2, 1);
        put(64, 4, NOTES);
        put(72, 8, 120);
        put(96, 8, notes.len() as u64);
        put(112, 8, align);
        file.extend(notes);
        file
    }

    fn note(kind: u32, name: &[u8], said: &[u8], align: usize) -> Vec<u8> {
        let mut note: Vec<u8> =
            [name.len() as u32, said.len() as u32, kind].iter().flat_map(|word| word.to_le_bytes()).collect();
        for part in [name, said] {
            note.extend(part);
            note.resize(note.len().next_multiple_of(align), 0);
        }
        note
    }

    #[test]
    fn the_identifier_stands_among_the_notes() {
        let id: Vec<u8> = (0..20).collect();
        for align in [4, 8] {
            let mut notes = note(1, b"GNU\0", &[0; 16], align);
            notes.extend(note(3, b"Go\0\0", &[7; 20], align));
            notes.extend(note(3, b"GNU\0", &id, align));
            let file = file(&notes, align as u64);
            let found = linked(&mut Cursor::new(&file));
            assert_eq!(found.as_deref(), Some("000102030405060708090a0b0c0d0e0f10111213"));
            // Cut off anywhere, there is none, and nothing goes wrong.
            let last = file.len() - id.len();
            assert!((0..last).all(|end| linked(&mut Cursor::new(&file[..end])).is_none()));
        }
    }

    #[test]
    fn without_an_identifier_the_file_is_hashed() {
        let short = file(&note(3, b"GNU\0", &[1; 8], 4), 4);
        assert_eq!(linked(&mut Cursor::new(&short)), None);
        let (one, other) = (hashed(&mut Cursor::new(&short)), hashed(&mut Cursor::new(b"other")));
        assert!(one.is_some() && one != other);
        assert_eq!(identifier(), identifier());
        assert!(identifier().is_some_and(|id| id.len() >= 32));
    }
}
