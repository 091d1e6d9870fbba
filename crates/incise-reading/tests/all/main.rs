//! What inputs are taken to be.

mod containers;
mod declared;
mod members;
mod room;
mod support;
mod text;
