//! Versions of repositories that are made here.

mod common;
mod database;
mod layout;
mod revisions;
mod untouched;
mod work_tree;
