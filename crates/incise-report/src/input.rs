//! Inputs: where they come from, and what they are.

use crate::Value;
use serde::{Deserialize, Serialize};

/// An input and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// Its name in the source.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Its bytes in memory.
    pub bytes: Vec<u8>,
    /// The pointers in those bytes that lead to other input objects: what a native run must fill in with its own
    /// addresses.
    pub pointers: Vec<PointerTo>,
    /// The same, typed.
    pub value: Value,
}

impl Input {
    /// Whether it is nothing but zeros. In a file or standard input a zero is a byte like any other; a variable
    /// that is set is something, and so is a file that is there.
    pub fn is_zero(&self) -> bool {
        match self.origin {
            Origin::Stdin | Origin::Stream(_) => self.bytes.is_empty(),
            Origin::Environment(_) | Origin::File(_) => self.value == Value::Pointer(None),
            _ => self.bytes.iter().all(|&byte| byte == 0),
        }
    }
}

/// A pointer inside an input's bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PointerTo {
    /// Where in the bytes it is.
    pub offset: u64,
    /// The name of the input or global that it points to.
    pub target: String,
    /// How far behind the target's start.
    pub addend: u64,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// A parameter of the entry, from 0, passed by value.
    Parameter(u32),
    /// What the pointer, a C expression over the inputs, points to.
    Pointee(String),
    /// What is in the file of the open stream that the pointer, a C expression over the inputs, leads to. Among final
    /// values also where the stream stands: 8 bytes for the position or -1, 4 bytes with 1 if its end was met, 2 if an
    /// error was and 4 if it was closed, then the content.
    Stream(String),
    /// A global variable, by its symbol.
    Global(String),
    /// An object made symbolic by a `klee_...` call, in the order of the calls.
    Klee,
    /// The result of a `__VERIFIER_nondet_...` function, in the order of the calls.
    Nondet(String),
    /// An argument of the command line, from 1.
    Argument(u32),
    /// Standard input.
    Stdin,
    /// A file, by its name; among final values also one that the program made.
    File(String),
    /// An environment variable, by its name.
    Environment(String),
    /// What the clock said, in the order of the questions.
    Time,
    /// How much there is of the input of that name: bytes of a file or of standard input, or whether an environment
    /// variable is set.
    Extent(String),
    /// The result of an external function, in the order of the calls.
    External(String),
    /// The result of the unknown function that the pointer, a C expression over the inputs, leads to, in the order of
    /// the calls.
    Callback(String),
    /// What a device gave that was read at a fixed address, in the order of the accesses. Among final values all
    /// accesses, each as four numbers of 8 bytes: 1 if it writes, how many bytes, the address, and the value. For an
    /// access of a volatile variable the first has 2 added, and a number that stands for the variable is in place of
    /// the address, 0 if there is none.
    Device,
    /// What was read from a volatile variable that others may change, in the order of the accesses.
    Volatile,
    /// Among final values, an object that was allocated and is left behind a pointer.
    Heap {
        /// The name of the final value before it that the pointer lies in; empty for the result.
        within: String,
        /// The bytes before the pointer.
        offset: u64,
        /// The bytes of the object before what the pointer leads to.
        addend: u64,
    },
    /// What an external function or a callback wrote to memory.
    Written {
        /// What is called.
        function: String,
        /// Which call it is of all that leave the program, from 1.
        call: u32,
        /// The way from its arguments to the object.
        way: String,
    },
}
