//! The lines of the source that the reasons of marks speak of, with what is around them.

use incise_ir::Program;
use incise_monitor::draw::{PicturePage, ShownLine};
use incise_report::monitor::{ChainStep, MonitorReport};
use std::collections::{BTreeMap, BTreeSet};

/// So many lines around a line are shown.
const AROUND: u32 = 3;

/// A file of OLD, or of NEW, by its name.
type VersionFile = (bool, String);

/// The lines that are shown, file by file.
pub(super) struct SourcePages {
    numbers: BTreeMap<VersionFile, usize>,
    pages: Vec<PicturePage>,
}

impl SourcePages {
    pub(super) fn of(report: &MonitorReport, old: &Program, new: &Program) -> Self {
        let mut hits: BTreeMap<VersionFile, BTreeSet<u32>> = BTreeMap::new();
        for step in report.nodes.iter().flat_map(|node| &node.chain) {
            if let Some(place) = &step.place {
                hits.entry((step.in_old, place.file.clone())).or_default().insert(place.line);
            }
        }
        let mut pages = Self { numbers: BTreeMap::new(), pages: Vec::new() };
        for ((in_old, file), lines) in hits {
            let program = if in_old { old } else { new };
            let title = format!("{}: {file}", if in_old { "OLD" } else { "NEW" });
            // A file that cannot be read has no page, and steps have no link then.
            if let Some(lines) = shown(program, &file, &lines) {
                pages.numbers.insert((in_old, file), pages.pages.len());
                pages.pages.push(PicturePage { title, lines });
            }
        }
        pages
    }

    /// Where the line of a step is shown.
    pub(super) fn line(&self, step: &ChainStep) -> Option<(usize, u32)> {
        let place = step.place.as_ref()?;
        let page = *self.numbers.get(&(step.in_old, place.file.clone()))?;
        let is_shown = self.pages[page].lines.iter().any(|line| line.hit && line.number == place.line);
        is_shown.then_some((page, place.line))
    }

    pub(super) fn into_pages(self) -> Vec<PicturePage> {
        self.pages
    }
}

/// The lines of a file that are hit, with what is around them.
fn shown(program: &Program, file: &str, hits: &BTreeSet<u32>) -> Option<Vec<ShownLine>> {
    let source = program.files.iter().find(|(_, each)| *each.name == *file)?.1;
    let bytes = std::fs::read(source.path()).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let near = |number: u32| {
        hits.range(number.saturating_sub(AROUND)..=number.saturating_add(AROUND)).next().is_some()
    };
    let lines = (1..).zip(text.lines()).filter(|(number, _)| near(*number));
    Some(
        lines
            .map(|(number, text)| ShownLine { number, text: text.to_owned(), hit: hits.contains(&number) })
            .collect(),
    )
}
