//! Messages between warden and keeper: a count, then so many pieces, each with its length before it.

use std::io::{self, Read, Write};

/// No message has more pieces, and no piece more bytes: what comes from inside is not trusted.
const MOST: usize = 1 << 20;

/// Writes a message.
pub(super) fn write(out: &mut impl Write, pieces: &[&[u8]]) -> io::Result<()> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&length(pieces.len())?);
    for piece in pieces {
        bytes.extend_from_slice(&length(piece.len())?);
        bytes.extend_from_slice(piece);
    }
    out.write_all(&bytes)?;
    out.flush()
}

/// Reads a message; `None` if there is none any more.
pub(super) fn read(from: &mut impl Read) -> io::Result<Option<Vec<Vec<u8>>>> {
    let mut count = [0; 4];
    match from.read_exact(&mut count) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut pieces = Vec::new();
    for _ in 0..checked(count)? {
        let mut size = [0; 4];
        from.read_exact(&mut size)?;
        let mut piece = vec![0; checked(size)?];
        from.read_exact(&mut piece)?;
        pieces.push(piece);
    }
    Ok(Some(pieces))
}

fn length(count: usize) -> io::Result<[u8; 4]> {
    let fits = u32::try_from(count).ok().filter(|_| count <= MOST);
    fits.map(u32::to_le_bytes).ok_or_else(|| io::Error::other("this is too much for a native run"))
}

fn checked(bytes: [u8; 4]) -> io::Result<usize> {
    let count = u32::from_le_bytes(bytes) as usize;
    if count <= MOST { Ok(count) } else { Err(io::Error::other("a launcher said something odd")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let mut pipe = Vec::new();
        write(&mut pipe, &[b"one", b"", b"three"]).expect("written");
        let mut from = pipe.as_slice();
        let pieces = read(&mut from).expect("read").expect("a message");
        assert_eq!(pieces, [b"one".to_vec(), Vec::new(), b"three".to_vec()]);
        assert!(read(&mut from).expect("an end").is_none());
    }

    #[test]
    fn a_length_that_nobody_can_mean_is_refused() {
        let odd = [1, 0, 0, 0, 255, 255, 255, 255];
        assert!(read(&mut odd.as_slice()).is_err());
    }
}
