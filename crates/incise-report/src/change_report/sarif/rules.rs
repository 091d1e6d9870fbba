//! The rules that results belong to. Their names never change.

use crate::change_report::model::{Finding, FindingKind, JudgedFunction};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// The rules of a report, in order.
pub(super) struct Rules(Vec<FindingKind>);

impl Rules {
    /// Those that findings belong to.
    pub(super) fn of(findings: &[(&JudgedFunction, &Finding)]) -> Self {
        let kinds: BTreeSet<FindingKind> = findings.iter().map(|(_, finding)| finding.kind).collect();
        Self(kinds.into_iter().collect())
    }

    /// The number of a rule.
    pub(super) fn number(&self, kind: FindingKind) -> usize {
        self.0.iter().position(|each| *each == kind).unwrap_or_default()
    }

    /// What the document says of them.
    pub(super) fn described(&self) -> Vec<Json> {
        self.0.iter().map(|kind| described(*kind)).collect()
    }
}

/// How much a finding matters.
pub(super) fn level(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Introduced(_) => "error",
        FindingKind::Difference => "warning",
        FindingKind::Undecided => "note",
    }
}

fn described(kind: FindingKind) -> Json {
    let (name, short, full) = match kind {
        FindingKind::Introduced(error) => (
            format!("Introduced{}", pascal(error.name())),
            format!("The change introduces an error: {}.", error.name().replace('-', " ")),
            "There is an input on which the new version ends in this error and the old version does not.",
        ),
        FindingKind::Difference => (
            "Difference".to_owned(),
            "The function does something else.".to_owned(),
            "There is an input on which the versions leave something different behind, or end differently.",
        ),
        FindingKind::Undecided => (
            "Undecided".to_owned(),
            "It is not known whether the function does the same.".to_owned(),
            "No difference was found, and there is no proof either; the message says why.",
        ),
    };
    json!({
        "id": kind.rule(),
        "name": name,
        "shortDescription": {"text": short},
        "fullDescription": {"text": full},
        "help": {"text": full},
        "defaultConfiguration": {"level": level(kind)},
        "properties": {"tags": ["correctness", "regression"], "precision": if kind == FindingKind::Undecided { "low" } else { "very-high" }},
    })
}

/// `division-by-zero` as `DivisionByZero`.
fn pascal(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.split('-').map(capital).collect()
}
