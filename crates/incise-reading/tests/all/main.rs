//! What inputs are taken to be.

mod declared;
mod members;
mod room;
mod support;
mod text;
