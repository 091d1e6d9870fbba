//! The lines of sources that a report speaks of, as a change from OLD to NEW: what changed, what is affected, and where
//! findings and paths lead; with a few lines around each, and nothing else.

use super::line_changes::equal_lines;
use std::collections::BTreeSet;

/// So many lines are shown around one that is of interest.
const AROUND: usize = 3;

/// A file in both versions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceText {
    /// Its name in NEW, or in OLD if NEW has none.
    pub name: String,
    /// Its name in OLD, if that is another one.
    pub old_name: Option<String>,
    /// Its text in OLD; none if OLD has no such file.
    pub old: Option<String>,
    /// Its text in NEW.
    pub new: Option<String>,
}

/// What is of interest in a file, by the numbers of its lines from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Interest {
    /// Lines of NEW.
    pub(super) new: BTreeSet<u32>,
    /// Lines of OLD.
    pub(super) old: BTreeSet<u32>,
    /// Lines of NEW that the change affects.
    pub(super) affected: BTreeSet<u32>,
    /// Lines of OLD that it affects.
    pub(super) old_affected: BTreeSet<u32>,
}

/// The lines of a file that are shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourcePage {
    /// The name of the file.
    pub name: String,
    /// Its name in OLD, if that is another one.
    pub old_name: Option<String>,
    /// The lines, in order.
    pub lines: Vec<PageLine>,
}

/// A line that is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageLine {
    /// What became of it.
    pub kind: PageLineKind,
    /// Its number in OLD.
    pub old: Option<u32>,
    /// Its number in NEW.
    pub new: Option<u32>,
    /// Its text.
    pub text: String,
    /// Whether the change affects what it does.
    pub affected: bool,
    /// How many lines were left out before it.
    pub skipped: usize,
}

/// What became of a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PageLineKind {
    /// Both versions have it.
    Same,
    /// Only NEW has it.
    Added,
    /// Only OLD has it.
    Removed,
}

/// What is shown of a file; none if nothing in it is of interest.
pub(super) fn page(text: &SourceText, interest: &Interest) -> Option<SourcePage> {
    let all = merged(text, interest);
    let shown = wanted(&all, interest);
    let mut lines = Vec::new();
    let mut skipped = 0;
    for (line, shown) in all.into_iter().zip(shown) {
        match shown {
            true => lines.push(PageLine { skipped: std::mem::take(&mut skipped), ..line }),
            false => skipped += 1,
        }
    }
    let (name, old_name) = (text.name.clone(), text.old_name.clone());
    (!lines.is_empty()).then_some(SourcePage { name, old_name, lines })
}

/// All lines of both versions in order.
fn merged(text: &SourceText, interest: &Interest) -> Vec<PageLine> {
    let split = |text: &Option<String>| -> Vec<String> {
        text.iter().flat_map(|text| text.lines().map(str::to_owned)).collect()
    };
    let (old, new) = (split(&text.old), split(&text.new));
    let (before, after): (Vec<&str>, Vec<&str>) =
        (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
    let mut lines = Vec::new();
    let (mut one, mut other) = (0, 0);
    let ends = std::iter::once((old.len(), new.len()));
    for (old_end, new_end) in equal_lines(&before, &after).into_iter().chain(ends) {
        lines.extend((one..old_end).map(|at| line(interest, Some(at), None, &old[at])));
        lines.extend((other..new_end).map(|at| line(interest, None, Some(at), &new[at])));
        if new_end < new.len() && old_end < old.len() {
            lines.push(line(interest, Some(old_end), Some(new_end), &new[new_end]));
        }
        (one, other) = (old_end + 1, new_end + 1);
    }
    lines
}

fn line(interest: &Interest, old: Option<usize>, new: Option<usize>, text: &str) -> PageLine {
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let (old, new) = (old.map(number), new.map(number));
    let kind = match (old, new) {
        (Some(_), Some(_)) => PageLineKind::Same,
        (None, _) => PageLineKind::Added,
        (_, None) => PageLineKind::Removed,
    };
    let affected = new.map_or_else(
        || old.is_some_and(|line| interest.old_affected.contains(&line)),
        |line| interest.affected.contains(&line),
    );
    PageLine { kind, old, new, text: text.to_owned(), affected, skipped: 0 }
}

/// Which lines are shown: those of interest, what changed, and some around.
fn wanted(lines: &[PageLine], interest: &Interest) -> Vec<bool> {
    let is_wanted = |line: &PageLine| {
        line.kind != PageLineKind::Same
            || line.affected
            || line.new.is_some_and(|number| interest.new.contains(&number))
            || line.old.is_some_and(|number| interest.old.contains(&number))
    };
    let mut shown = vec![false; lines.len()];
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| is_wanted(line)) {
        let (first, last) = (at.saturating_sub(AROUND), (at + AROUND).min(lines.len() - 1));
        shown[first..=last].fill(true);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: impl Iterator<Item = u32>) -> Option<String> {
        Some(lines.map(|number| format!("line {number}\n")).collect())
    }

    #[test]
    fn what_changed_and_what_is_spoken_of_is_shown_with_lines_around() {
        let old = text((1..=40).filter(|number| *number != 20));
        let both = SourceText { name: "a.c".to_owned(), old, new: text(1..=40), ..SourceText::default() };
        let interest = Interest { new: [35].into(), affected: [21].into(), ..Interest::default() };
        let page = page(&both, &interest).expect("something changed");
        let numbers: Vec<_> = page.lines.iter().filter_map(|line| line.new).collect();
        assert_eq!(numbers, (17..=24).chain(32..=38).collect::<Vec<_>>());
        let added: Vec<_> = page.lines.iter().filter(|line| line.kind == PageLineKind::Added).collect();
        assert_eq!((added.len(), added[0].new, added[0].old), (1, Some(20), None));
        let skipped: Vec<_> =
            page.lines.iter().map(|line| line.skipped).filter(|skipped| *skipped > 0).collect();
        assert_eq!(skipped, [16, 7]);
        assert!(page.lines.iter().any(|line| line.affected && line.new == Some(21) && line.old == Some(20)));
    }

    #[test]
    fn files_that_one_version_has_are_shown_as_such_and_others_not_at_all() {
        let only = SourceText { name: "b.c".to_owned(), new: text(1..=2), ..SourceText::default() };
        let page_of_new = page(&only, &Interest::default()).expect("it is new");
        assert!(page_of_new.lines.iter().all(|line| line.kind == PageLineKind::Added));
        let same = SourceText { old: text(1..=2), new: text(1..=2), ..SourceText::default() };
        assert_eq!(page(&same, &Interest::default()), None);
        assert_eq!(page(&SourceText::default(), &Interest::default()), None);
    }
}
