//! What can go wrong, and how Bitwuzla's own complaints become errors instead of ending the process.

use std::cell::RefCell;
use std::ffi::c_char;

use crate::ffi;
use crate::sort::Sort;
use crate::terminator::Stop;

/// A call that Bitwuzla, or the wrapper in its stead, refused. The solver and its terms stay usable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A term was used with another manager than the one that made it.
    #[error("a term belongs to another term manager")]
    ForeignTerm,
    /// The sort is impossible, like a bit-vector without bits.
    #[error("there is no sort {0:?} in Bitwuzla, or it is too wide")]
    Sort(Sort),
    /// An index of a term, like the number of bits of an extension, is beyond all reason.
    #[error("the index {0} of a term is too large")]
    Index(u64),
    /// A value needs more bits than its sort has.
    #[error("the value {value:#x} does not fit into {width} bits")]
    ValueTooWide {
        /// The value.
        value: u128,
        /// The number of bits that were given for it.
        width: u32,
    },
    /// The name of a constant has a zero byte in it.
    #[error("the name {0:?} has a zero byte in it")]
    Name(String),
    /// A Boolean term was needed.
    #[error("expected a Boolean term, found one of sort {0:?}")]
    NotBoolean(Sort),
    /// The value of the term cannot be given as 128 bits.
    #[error("the value of a term of sort {0:?} cannot be read as 128 bits")]
    Unreadable(Sort),
    /// Values exist only right after an answer of "satisfiable", and if the solver was told to keep models.
    #[error("there is no model to read a value from")]
    NoModel,
    /// More levels were popped than pushed.
    #[error("there is no level to pop")]
    NoLevel,
    /// Nobody waits for it any more.
    #[error("stopped")]
    Stopped(Stop),
    /// Bitwuzla's own words.
    #[error("Bitwuzla: {0}")]
    Solver(String),
}

thread_local! {
    /// What Bitwuzla complained of last on this thread, and nobody has picked up.
    static COMPLAINT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes Bitwuzla's complaints on this thread end up in [`take_complaint`].
///
/// Without this it would print them and exit. Its functions go on after the callback, and return null or nothing.
pub(crate) fn catch_complaints() {
    // SAFETY: the callback is a function that never goes away, and Bitwuzla keeps it in a variable of this thread.
    unsafe { ffi::bitwuzla_set_abort_callback(Some(record)) }
}

/// Returns the error of the call to Bitwuzla that was just made, if it complained.
pub(crate) fn take_complaint() -> Result<(), Error> {
    COMPLAINT.with_borrow_mut(Option::take).map_or(Ok(()), |text| Err(Error::Solver(text)))
}

/// Returns the pointer that a call to Bitwuzla gave, or its complaint if there is none.
pub(crate) fn not_null<T>(pointer: *mut T) -> Result<std::ptr::NonNull<T>, Error> {
    let complaint = take_complaint();
    std::ptr::NonNull::new(pointer)
        .ok_or_else(|| complaint.err().unwrap_or_else(|| Error::Solver(String::from("no result"))))
}

extern "C" fn record(message: *const c_char) {
    // SAFETY: Bitwuzla passes a string that it keeps until this function returns.
    let text = unsafe { ffi::copy_string(message) };
    let text = text.trim().trim_start_matches("bitwuzla: error:").trim().to_owned();
    COMPLAINT.with_borrow_mut(|complaint| *complaint = Some(text));
}
