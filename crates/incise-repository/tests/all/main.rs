//! Versions of repositories that are made here.

mod common;
mod layout;
mod revisions;
mod untouched;
mod work_tree;
