//! One result: what happens, where, on which way, and the changed line that it meets first.

use super::rules::{Rules, level};
use super::shortened;
use crate::Place;
use crate::change_report::model::{Finding, FindingKind, JudgedFunction, ReportStep};
use serde_json::{Value as Json, json};

/// GitHub takes no more steps of a path into account.
pub(super) const MOST_STEPS: usize = 1_000;

/// What was left out of results.
#[derive(Default)]
pub(super) struct Cut {
    /// How many paths were too long.
    pub(super) paths: usize,
}

/// A finding as a result.
pub(super) fn result(function: &JudgedFunction, finding: &Finding, rules: &Rules, cut: &mut Cut) -> Json {
    let kind = finding.kind;
    let mut object = json!({
        "ruleId": kind.rule(),
        "ruleIndex": rules.number(kind),
        "level": level(kind),
        "message": {"text": shortened(&finding.sentence(function))},
        "locations": [location(&finding.place, Some(function), None)],
        "partialFingerprints": {
            "primaryLocationLineHash": finding.fingerprint,
            "incise/v1": finding.fingerprint,
        },
        "properties": {"function": function.name, "unit": function.unit, "replayed": finding.replayed},
    });
    if let Some(changed) = &finding.changed {
        object["relatedLocations"] =
            json!([numbered(location(changed, None, Some("the changed line that it meets first")), 1)]);
    }
    if kind != FindingKind::Undecided {
        object["codeFlows"] = json!([{
            "message": {"text": shortened(&format!("what NEW does given {}", finding.given))},
            "threadFlows": [{"locations": steps(finding, cut)}],
        }]);
    }
    object
}

/// The way of the new version, from the branches to its end.
fn steps(finding: &Finding, cut: &mut Cut) -> Vec<Json> {
    let placed = finding.new.steps.iter().filter_map(|step| Some((step, step.place.as_ref()?)));
    let mut all: Vec<Json> = placed.map(|(step, place)| flow(place, &words(step))).collect();
    let end = finding.new.end.as_ref().unwrap_or(&finding.place);
    all.push(flow(end, &format!("new: {}; old: {}", finding.new.does, finding.old.does)));
    if all.len() > MOST_STEPS {
        cut.paths += 1;
        // What decides is often at the beginning, and what happens at the end.
        all.drain(MOST_STEPS / 2..all.len() - MOST_STEPS / 2);
    }
    all
}

fn words(step: &ReportStep) -> String {
    if step.affected { format!("{} (affected)", step.text) } else { step.text.clone() }
}

fn flow(place: &Place, words: &str) -> Json {
    json!({"location": location(place, None, Some(words))})
}

fn numbered(mut location: Json, id: u32) -> Json {
    location["id"] = json!(id);
    location
}

fn location(place: &Place, function: Option<&JudgedFunction>, words: Option<&str>) -> Json {
    let mut region = json!({"startLine": place.line.max(1)});
    if place.column > 0 {
        region["startColumn"] = json!(place.column);
    }
    let mut object =
        json!({"physicalLocation": {"artifactLocation": artifact(&place.file), "region": region}});
    if let Some(function) = function {
        object["logicalLocations"] = json!([{"name": function.name, "kind": "function"}]);
    }
    if let Some(words) = words {
        object["message"] = json!({"text": shortened(words)});
    }
    object
}

/// A file, from the top of the repository; one that is elsewhere by its whole path.
fn artifact(file: &str) -> Json {
    match file.strip_prefix('/') {
        Some(rest) => json!({"uri": format!("file:///{}", encoded(rest))}),
        None => json!({"uri": encoded(file.trim_start_matches("./")), "uriBaseId": "SRCROOT"}),
    }
}

/// A path as a URI: what has a meaning there stands as its number.
fn encoded(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                text.push(char::from(byte))
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(artifact("./src/a b#?.c"), json!({"uri": "src/a%20b%23%3F.c", "uriBaseId": "SRCROOT"}));
        assert_eq!(artifact("/usr/a.h"), json!({"uri": "file:///usr/a.h"}));
        assert_eq!(encoded("é:%"), "%C3%A9%3A%25");
    }
}
