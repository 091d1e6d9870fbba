//! Decisions: what can hold on a path, which ways there are, and who has a say in which of them are taken.

pub(crate) mod ask;
pub(crate) mod decide;
pub(crate) mod decider;
pub(crate) mod oracle;
pub(crate) mod strategy;
