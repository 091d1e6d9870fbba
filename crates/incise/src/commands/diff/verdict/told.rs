//! Verdicts that are told as soon as they are there, where several functions are compared: nobody waits for the last of
//! them to read the first.

use crate::arguments::Format;
use crate::session::output::write_data;
use crate::settings::OutputSettings;
use anyhow::Result;
use incise_report::verdict::{Comparison, text};
use std::cell::RefCell;

/// Which verdicts have been told.
pub(crate) struct Told<'a> {
    output: &'a OutputSettings,
    entries: RefCell<Vec<String>>,
}

impl<'a> Told<'a> {
    /// None yet.
    pub(crate) fn new(output: &'a OutputSettings) -> Self {
        Self { output, entries: RefCell::new(Vec::new()) }
    }

    /// Tells a verdict that will not change any more. JSON is one document, and is written as a whole.
    pub(super) fn tell(&self, comparison: &Comparison) -> Result<()> {
        if self.output.format != Format::Text {
            return Ok(());
        }
        let first = self.entries.borrow().is_empty();
        write_data(|out| text::one_of_several(comparison, first, self.output.text, out))?;
        self.entries.borrow_mut().push(comparison.entry.clone());
        Ok(())
    }

    /// The entries whose verdicts were told.
    pub(crate) fn entries(&self) -> Vec<String> {
        self.entries.borrow().clone()
    }
}
