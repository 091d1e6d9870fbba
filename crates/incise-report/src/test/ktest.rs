//! KLEE's test files, byte for byte: version 3 of the format that `ktest-tool` and `klee-replay` read.
//!
//! The magic `KTEST`, then numbers of 32 bits with the highest byte first: the version, the arguments (a count, then
//! length and bytes of each), the count and the length of symbolic arguments, the objects (a count, then length and
//! bytes of the name, and length and bytes of the content).

/// The version that is written; lower ones are read too.
const VERSION: u32 = 3;

/// A test as KLEE writes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ktest {
    /// The command line of the program, its name first.
    pub arguments: Vec<Vec<u8>>,
    /// How many symbolic arguments there are.
    pub symbolic_arguments: u32,
    /// How long each of them is.
    pub symbolic_argument_length: u32,
    /// The objects that were made symbolic: their names and bytes.
    pub objects: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Why bytes are not a `.ktest` file, or cannot become one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KtestError {
    /// It starts with something else.
    #[error("not a .ktest file: it does not start with KTEST")]
    Magic,
    /// A version that came after this program.
    #[error("version {0} of the .ktest format is not known; versions 1 to {VERSION} are")]
    Version(u32),
    /// It ends too early.
    #[error("the .ktest file is cut off at byte {0}")]
    Truncated(usize),
    /// Bytes follow the last object.
    #[error("{0} bytes follow the last object of the .ktest file")]
    Trailing(usize),
    /// A part does not fit the format's 32 bits.
    #[error("an object or argument of {0} bytes is too large for the .ktest format")]
    TooLarge(usize),
}

impl Ktest {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, KtestError> {
        let mut out = b"KTEST".to_vec();
        put_number(&mut out, VERSION);
        put_length(&mut out, self.arguments.len())?;
        for argument in &self.arguments {
            put_bytes(&mut out, argument)?;
        }
        put_number(&mut out, self.symbolic_arguments);
        put_number(&mut out, self.symbolic_argument_length);
        put_length(&mut out, self.objects.len())?;
        for (name, bytes) in &self.objects {
            put_bytes(&mut out, name)?;
            put_bytes(&mut out, bytes)?;
        }
        Ok(out)
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KtestError> {
        let mut reader = Reader { bytes, position: 0 };
        let magic = reader.take(5).map_err(|_| KtestError::Magic)?;
        // The format was once called BOUT, and KLEE still reads such files.
        if magic != b"KTEST" && magic != b"BOUT\n" {
            return Err(KtestError::Magic);
        }
        let version = reader.number()?;
        if version == 0 || version > VERSION {
            return Err(KtestError::Version(version));
        }
        let mut test = Self::default();
        for _ in 0..reader.number()? {
            test.arguments.push(reader.counted()?.to_vec());
        }
        if version >= 2 {
            test.symbolic_arguments = reader.number()?;
            test.symbolic_argument_length = reader.number()?;
        }
        for _ in 0..reader.number()? {
            test.objects.push((reader.counted()?.to_vec(), reader.counted()?.to_vec()));
        }
        match bytes.len() - reader.position {
            0 => Ok(test),
            rest => Err(KtestError::Trailing(rest)),
        }
    }
}

fn put_number(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_be_bytes());
}

fn put_length(out: &mut Vec<u8>, length: usize) -> Result<(), KtestError> {
    put_number(out, u32::try_from(length).map_err(|_| KtestError::TooLarge(length))?);
    Ok(())
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), KtestError> {
    put_length(out, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}

struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], KtestError> {
        let rest = &self.bytes[self.position..];
        let taken = rest.get(..count).ok_or(KtestError::Truncated(self.bytes.len()))?;
        self.position += count;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, KtestError> {
        let mut number = [0; 4];
        number.copy_from_slice(self.take(4)?);
        Ok(u32::from_be_bytes(number))
    }

    fn counted(&mut self) -> Result<&'a [u8], KtestError> {
        let count = self.number()? as usize;
        self.take(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Ktest {
        Ktest {
            arguments: vec![b"get_sign.bc".to_vec()],
            symbolic_arguments: 0,
            symbolic_argument_length: 0,
            objects: vec![(b"a".to_vec(), vec![1, 0, 0, 0])],
        }
    }

    #[test]
    fn the_bytes_are_those_that_klee_writes() {
        let mut expected = Vec::new();
        expected.extend_from_slice(b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x0bget_sign.bc");
        expected.extend_from_slice(b"\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01a\0\0\0\x04\x01\0\0\0");
        assert_eq!(example().to_bytes().unwrap(), expected);
        assert_eq!(Ktest::from_bytes(&expected).unwrap(), example());
    }

    #[test]
    fn older_versions_are_read() {
        let bytes = b"KTEST\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x01x\0\0\0\x01\x07";
        assert_eq!(Ktest::from_bytes(bytes).unwrap().objects, [(b"x".to_vec(), vec![7])]);
    }

    #[test]
    fn broken_files_are_told_apart() {
        let bytes = example().to_bytes().unwrap();
        for length in 0..bytes.len() {
            let error = Ktest::from_bytes(&bytes[..length]).unwrap_err();
            assert!(matches!(error, KtestError::Magic | KtestError::Truncated(_)), "{length}: {error}");
        }
        assert_eq!(Ktest::from_bytes(&[&bytes[..], b"x"].concat()), Err(KtestError::Trailing(1)));
        assert_eq!(Ktest::from_bytes(b"KTEST\0\0\0\x04\0\0\0\0"), Err(KtestError::Version(4)));
        // A count of four thousand million must not make room for as many.
        assert!(Ktest::from_bytes(b"KTEST\0\0\0\x03\xff\xff\xff\xff").is_err());
    }
}
