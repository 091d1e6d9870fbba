//! What a change does, for people and for the machines that they ask: one model, and a folder or a file for each format
//! that is made from it. Verdicts come with the model; no format makes one.

mod findings;
mod fingerprint;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod junit;
mod line_changes;
mod made;
pub mod markdown;
mod model;
mod pages;
pub mod sarif;

pub use made::ReportMaterial;
pub use model::{
    ChangeReport, Finding, FindingKind, Gate, JudgedFunction, NotCompared, ReportCounts, ReportPath,
    ReportStep, Side, UnitCalls,
};
pub use pages::{PageLine, PageLineKind, SourcePage, SourceText};
