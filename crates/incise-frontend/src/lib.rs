//! From files to programs: clang, the reader, and the models of the C library that a program needs; two versions side
//! by side.
//!
//! [`load`] reads one program, [`versions`] two. Nothing is known here of exploring them. What users should know is
//! handed to whoever asked, in words.

mod classified;
mod declared_sizes;
mod entry;
mod error;
mod found_files;
mod line_numbers;
mod load;
mod models;
mod native_text;
mod sources;
pub mod versions;
mod watched;

pub use incise_llvm::FunctionText;

pub use classified::{CLASS_PREFIX, CLASS_VARIABLE, Class, Classified, ClassifiedNumber, classified};
pub use entry::{entry, find_function};
pub use error::FrontendError;
pub use load::{DEEP_STACK, Loaded, Loading, NativeSource, Unseen, clang, load};
pub use native_text::{NativeText, native_text};
pub use sources::{Compilation, MovedFile, Sources, Tools, VersionExtra, VersionTree};
pub use watched::{Inside, Watch, watched};
