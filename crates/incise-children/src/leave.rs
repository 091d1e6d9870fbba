//! The end of the process, now.
//!
//! The declaration is the `unsafe` of this crate; a call is safe, as it takes a number and does not return.
#![allow(unsafe_code)]

use std::ffi::c_int;

// SAFETY: this is the prototype of unistd.h.
unsafe extern "C" {
    safe fn _exit(status: c_int) -> !;
}

/// Ends the process and its children at once, other threads included, wherever they are. Nothing is tidied up: what a
/// thread still works with must not be taken away from it.
pub fn leave(status: u8) -> ! {
    crate::live::end_all();
    _exit(c_int::from(status))
}
