//! Verdicts as they are kept for other runs: all of what was found on a function, to the last byte of an input.
//!
//! This is no format for others: it is read by the same build of Incise alone, so that it has no version. Where files
//! lie is left out of it, so that the same code in another folder has the same verdict: folders are written as a mark
//! with their number, and what is read speaks of the folders of who reads.

use super::Comparison;

/// What a folder is written as, before its number; JSON has it as six letters.
const MARK: &str = "\\u0000";

/// What is kept of a verdict; nothing if it cannot be read again as it is. How long it took is not kept.
pub fn to_bytes(comparison: &Comparison, folders: &[String]) -> Option<Vec<u8>> {
    let mut timeless = comparison.clone();
    timeless.effort.time_ms = 0.0;
    let mut text = serde_json::to_string(&timeless).ok()?;
    if text.contains(MARK) || folders.len() > 10 {
        return None;
    }
    for (number, folder) in folders.iter().enumerate().filter(|(_, folder)| !folder.is_empty()) {
        text = text.replace(&in_json(folder)?, &format!("{MARK}{number}"));
    }
    let again = from_bytes(text.as_bytes(), folders)?;
    (format!("{again:?}") == format!("{timeless:?}")).then(|| text.into_bytes())
}

/// The verdict that was kept, with the folders as they are now.
pub fn from_bytes(bytes: &[u8], folders: &[String]) -> Option<Comparison> {
    let mut text = String::from_utf8(bytes.to_vec()).ok()?;
    for (number, folder) in folders.iter().enumerate() {
        text = text.replace(&format!("{MARK}{number}"), &in_json(folder)?);
    }
    // A folder that is not there any more.
    if text.contains(MARK) { None } else { serde_json::from_str(&text).ok() }
}

/// A text as it stands inside of strings.
fn in_json(text: &str) -> Option<String> {
    let quoted = serde_json::to_string(text).ok()?;
    Some(quoted[1..quoted.len() - 1].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{ChangedValue, ValueKind, Witness};
    use crate::{FloatFormat, FoundPath, Input, Origin, Place, Value};

    fn example(folder: &str) -> Comparison {
        let place = Some(Place { file: format!("{folder}/a \"b\".c"), line: 7, column: 1 });
        let value = Value::Struct(vec![
            ("x".to_owned(), Value::Unsigned(u128::MAX)),
            ("y".to_owned(), Value::Signed(i128::MIN)),
            ("z".to_owned(), Value::Float(FloatFormat::X87, u128::MAX >> 48)),
            ("t".to_owned(), Value::Text(vec![0, 255, 34])),
        ]);
        let input = Input {
            name: "s".to_owned(),
            origin: Origin::Heap { within: String::new(), offset: 8, addend: 0 },
            bytes: vec![0, 1, 255],
            pointers: Vec::new(),
            value: value.clone(),
        };
        let path = FoundPath { place: place.clone(), inputs: Some(vec![input]), ..FoundPath::default() };
        let changed =
            ChangedValue { name: String::new(), kind: ValueKind::Result, old: value.clone(), new: value };
        let witness =
            Witness { old: path.clone(), new: path, values: vec![changed], place, ..Witness::default() };
        let notes = vec![format!("what is in {folder}/a \"b\".c is not looked at")];
        Comparison { entry: "f".to_owned(), differences: vec![witness], notes, ..Comparison::default() }
    }

    #[test]
    fn everything_is_read_again_in_another_folder() {
        let folders = |folder: &str| vec![format!("/elsewhere/{folder}"), format!("/tmp/{folder}/q\"x")];
        let (one, other) = (example("/tmp/one/q\"x"), example("/tmp/other/q\"x"));
        let bytes = to_bytes(&one, &folders("one")).expect("it can be kept");
        assert!(!String::from_utf8_lossy(&bytes).contains("/tmp/"));
        assert_eq!(bytes, to_bytes(&other, &folders("other")).expect("it can be kept"));
        let again = from_bytes(&bytes, &folders("other")).expect("it can be read");
        assert_eq!(format!("{again:?}"), format!("{other:?}"));
        assert!(from_bytes(&bytes, &[]).is_none());
        assert!(from_bytes(&bytes[..bytes.len() - 1], &folders("one")).is_none());
    }

    #[test]
    fn what_could_be_mistaken_is_not_kept() {
        let notes = vec!["a\u{0}0b".to_owned()];
        assert!(to_bytes(&Comparison { notes, ..Comparison::default() }, &[]).is_none());
    }
}
