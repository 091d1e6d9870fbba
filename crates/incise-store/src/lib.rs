//! Keeps what was found out, so that it need not be found out again: by other runs, and on other machines.
//!
//! What is kept is named by a [`Key`], a hash of everything that it follows from. So nothing in a store is ever out of
//! date: whoever asks with other code, other options or another build of Incise asks for something else. A [`Store`]
//! gets and puts bytes, and may fail. [`StoreAccess`] is what is used: it wraps each entry with a checksum and its key,
//! takes nothing that is damaged, and leaves a store alone that fails or is slow. It never fails itself.
//!
//! [`FileStore`] keeps entries in a folder, which many processes may use at once; those in `shared.rs` are on servers
//! that machines share, for builds with the feature `shared`. What is in an entry, and when it may be believed, is not
//! known here.

mod access;
mod entry;
mod files;
mod key;
mod place;
#[cfg(feature = "shared")]
pub mod shared;
mod store;

pub use access::{FAILURES, StoreAccess};
pub use entry::{open, seal};
pub use files::{FileStore, StoreSize};
pub use key::{Key, KeyBuilder};
pub use place::{PlaceError, SharedKind, SharedUrl, StorePlace};
pub use store::{Store, StoreError};
