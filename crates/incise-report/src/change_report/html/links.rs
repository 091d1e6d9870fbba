//! Where things are on the page: nothing is linked that is not there.

use super::Caps;
use crate::Place;
use crate::change_report::model::ChangeReport;
use incise_markup::xml::text as escaped;
use std::collections::BTreeMap;

/// Where lines and functions are.
pub(super) struct Links<'r> {
    /// The file and the line, in OLD or not: the number of its page, and its text.
    lines: BTreeMap<(&'r str, bool, u32), (usize, &'r str)>,
    /// The unit and the name of a function: its number.
    functions: BTreeMap<(&'r str, &'r str), usize>,
}

impl<'r> Links<'r> {
    pub(super) fn new(report: &'r ChangeReport, caps: Caps) -> Self {
        let mut lines = BTreeMap::new();
        for (number, page) in report.pages.iter().take(caps.pages).enumerate() {
            let old_name = page.old_name.as_ref().unwrap_or(&page.name);
            for line in page.lines.iter().take(caps.lines) {
                let told = (number, line.text.as_str());
                line.old.and_then(|at| lines.insert((old_name.as_str(), true, at), told));
                line.new.and_then(|at| lines.insert((page.name.as_str(), false, at), told));
            }
        }
        let shown = report.functions.iter().take(caps.functions).enumerate();
        let functions =
            shown.map(|(number, each)| ((each.unit.as_str(), each.name.as_str()), number)).collect();
        Self { lines, functions }
    }

    /// A place as a link, if its line is shown.
    pub(super) fn place(&self, place: &Place, is_old: bool) -> String {
        self.named(place, is_old, &place.to_string())
    }

    /// The same without the folders of its file, which stand behind.
    pub(super) fn short(&self, place: &Place, is_old: bool) -> String {
        let name = place.file.rsplit('/').next().unwrap_or_default();
        self.named(place, is_old, &format!("{name}:{}", place.line))
    }

    /// Places one behind the other: a file is named where it is another one.
    pub(super) fn row(&self, places: &[Place], is_old: bool) -> String {
        let named = |(number, place): (usize, &Place)| match number
            .checked_sub(1)
            .is_some_and(|before| places[before].file == place.file)
        {
            true => self.named(place, is_old, &place.line.to_string()),
            false => self.short(place, is_old),
        };
        places.iter().enumerate().map(named).collect::<Vec<_>>().join(" \u{2192} ")
    }

    fn named(&self, place: &Place, is_old: bool, name: &str) -> String {
        let (name, whole, line) = (escaped(name), escaped(&place.to_string()), place.line);
        let version = if is_old { 'o' } else { 'n' };
        match self.lines.get(&(place.file.as_str(), is_old, line)) {
            Some((page, _)) => format!("<a href=\"#f{page}{version}{line}\" title=\"{whole}\">{name}</a>"),
            None => format!("<span class=\"place\" title=\"{whole}\">{name}</span>"),
        }
    }

    /// What stands on a line, if it is shown.
    pub(super) fn source(&self, place: &Place, is_old: bool) -> Option<&'r str> {
        self.lines.get(&(place.file.as_str(), is_old, place.line)).map(|(_, text)| text.trim())
    }

    /// The part of a function.
    pub(super) fn function(&self, unit: &str, name: &str) -> Option<String> {
        self.functions.get(&(unit, name)).map(|number| format!("#function{number}"))
    }
}
