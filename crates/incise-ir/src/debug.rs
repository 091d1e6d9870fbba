//! Where code comes from and what its variables are called: the part of debug information that Incise uses.

use crate::arena::define_id;
use std::path::PathBuf;
use std::sync::Arc;

define_id!(
    /// A source file.
    FileId,
    "file"
);
define_id!(
    /// A position in the source, with the chain of calls it was inlined through.
    LocationId,
    "location"
);
define_id!(
    /// The type of a variable as the source declares it.
    DebugTypeId,
    "debugtype"
);

/// A source file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourceFile {
    /// The path as the compiler was given it.
    pub name: Arc<str>,
    /// The folder that the name is relative to.
    pub directory: String,
}

impl SourceFile {
    /// The path with its folder.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(&self.directory).join(&*self.name)
    }
}

/// A position in the source.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 where the compiler made the code up.
    pub line: u32,
    /// The column, from 1; 0 where unknown.
    pub column: u32,
    /// The call that this code was inlined at.
    pub inlined_at: Option<LocationId>,
}

/// A file and a line, as text for people.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourcePosition {
    /// The file's name.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 where unknown.
    pub column: u32,
}

impl std::fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// How the bits of a basic type are read.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A signed character.
    SignedChar,
    /// An unsigned character.
    UnsignedChar,
    /// `_Bool`.
    Boolean,
    /// A floating-point number.
    Float,
    /// Anything else (complex, decimal...).
    Other,
}

/// A type as the source declares it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DebugType {
    /// `int`, `char`, `double`...
    Basic {
        /// Its name in C.
        name: String,
        /// Its size.
        bits: u64,
        /// How its bits are read.
        encoding: Encoding,
    },
    /// A pointer; `None` is `void *`.
    Pointer(Option<DebugTypeId>),
    /// A struct or a union.
    Composite {
        /// Its tag, empty if it has none.
        name: String,
        /// Its size.
        bits: u64,
        /// Its members in order.
        members: Vec<DebugMember>,
        /// Whether the members overlap.
        union: bool,
    },
    /// An array of one or more dimensions; a count of `None` is not known.
    Array {
        /// What it holds.
        element: DebugTypeId,
        /// The length of each dimension, outermost first.
        counts: Vec<Option<u64>>,
    },
    /// An enumeration.
    Enumeration {
        /// Its tag, empty if it has none.
        name: String,
        /// Its size.
        bits: u64,
        /// Whether its integers are signed.
        signed: bool,
        /// Its names and values.
        enumerators: Vec<(String, i64)>,
    },
    /// Another name for a type; `None` is `void`.
    Typedef {
        /// The name.
        name: String,
        /// What it stands for.
        target: Option<DebugTypeId>,
    },
    /// A `const`, `volatile`, `restrict` or `_Atomic` type; `None` is `void`.
    Qualified {
        /// Whether it is `const`.
        constant: bool,
        /// The type without the qualifier.
        target: Option<DebugTypeId>,
    },
    /// A function type: its result and parameters, where known; `None` is `void`, or `...` at the end.
    Function(Vec<Option<DebugTypeId>>),
    /// Something that this reader does not know.
    Unknown,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DebugMember {
    /// Its name, empty for an anonymous member.
    pub name: String,
    /// Its type.
    pub ty: DebugTypeId,
    /// Where it starts, in bits from the start of the struct.
    pub offset_bits: u64,
    /// Its size in bits.
    pub bits: u64,
    /// Whether it is a bit-field.
    pub bit_field: bool,
}
