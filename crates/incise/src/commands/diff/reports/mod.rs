//! Reports of `incise diff` that are files, and what GitHub is told: all are made from one model.

pub(crate) mod arguments;
mod files;
mod texts;

pub(crate) use files::ReportFiles;
pub(crate) use texts::SourcePlaces;
