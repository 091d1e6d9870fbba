//! Two versions of a repository for every command that compares: laid out, with how their units are compiled.

mod prepared;
mod program;
mod question;

pub(crate) use prepared::Prepared;
pub(crate) use program::{ComparedSettings, ComparedSources};
pub(crate) use question::TreeQuestion;
