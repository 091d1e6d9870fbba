//! Texts that others wrote, inside of languages with markup: names, strings and paths of a program may hold anything,
//! and are shown as what they are. For each language there is one place that escapes. Beside them stands where the
//! nodes of a graph are drawn, which pictures in several reports share.

pub mod github;
pub mod layers;
pub mod markdown;
mod visible;
pub mod xml;

pub use visible::visible;
