//! Larger nearby inputs, where none as large as the failing one shows what makes the difference.
//!
//! An input that is given has so many elements, and a nearby one has as many: whatever needs one more (`n < 3` with two
//! elements) has none. So arrays of the failing input get more elements, zeros behind those that are given, and it is
//! looked for causes once more. What the failing input does must not depend on that. Nothing but arrays grows.

use super::Explanation;
use crate::differ::longer::elements_of_value;
use incise_exec::{ExploreError, Given, GivenValue, InputOrigin, InputValue};

/// So many elements are looked at, one number after the other.
const SIZES: [u64; 2] = [4, 16];

/// The explanation, or one with larger nearby inputs if only that shows some on which both versions agree.
pub(super) fn with_larger(
    mut found: Explanation,
    given: &Given,
    searched: impl Fn(Given) -> Result<Explanation, ExploreError>,
) -> Result<Explanation, ExploreError> {
    for size in SIZES {
        if !found.test.is_conclusive() || found.test.is_same() || found.agrees_nearby() {
            break;
        }
        let Some((larger, grown)) = grown(given, &found, size) else { continue };
        let again = searched(larger)?;
        if again.test.differences != found.test.differences || !again.agrees_nearby() {
            continue;
        }
        // The failing input is shown as it was given.
        let test = std::mem::replace(&mut found, again).test;
        (found.test, found.grown) = (test, grown);
    }
    Ok(found)
}

/// The input with so many elements in each array, and the arrays that have more then; nothing if none has.
fn grown(given: &Given, found: &Explanation, size: u64) -> Option<(Given, Vec<(String, u64)>)> {
    let path = found.test.new.path.as_ref()?;
    let (mut larger, mut grown) = (given.clone(), Vec::new());
    for input in path.inputs.iter().flatten() {
        let InputOrigin::Pointee { pointer } = &input.origin else { continue };
        let (count, first) = match &input.value {
            InputValue::Array(list) => (list.len() as u64, list.first()),
            InputValue::Text(bytes) => (bytes.len() as u64, None),
            _ => continue,
        };
        if count == 0 || count >= size {
            continue;
        }
        if let Some(bytes) = larger.bytes.get_mut(&format!("*{pointer}")) {
            let element = bytes.len() / count as usize;
            bytes.resize(element * size as usize, 0);
        }
        for index in count..size {
            let name = format!("{pointer}[{index}]");
            let names = match first {
                Some(first) => elements_of_value(&name, first).into_keys().collect(),
                None => vec![name],
            };
            larger.elements.extend(names.into_iter().map(|name| (name, GivenValue::Integer(0))));
        }
        grown.push((pointer.clone(), size));
    }
    (!grown.is_empty()).then_some((larger, grown))
}
