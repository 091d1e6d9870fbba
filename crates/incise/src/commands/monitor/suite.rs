//! The tests of a suite that concern marked nodes: those on which a variable of one of them ends with another value.

use crate::commands::cover::entry_suite::suites;
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::session::Session;
use anyhow::Result;
use incise_exec::{Detail, Given, GivenValue};
use incise_frontend::versions::OldVersion;
use incise_frontend::{Loaded, find_function};
use incise_incremental::differ::{Question, Watched, differing_on};
use incise_reading::{as_given, matched_parameters};
use incise_report::{Origin, TestCase, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Both versions, and how tests are executed.
pub(super) struct Tests<'t> {
    pub(super) old: &'t OldVersion,
    pub(super) new: &'t Loaded,
    pub(super) verdict: &'t VerdictSettings,
    pub(super) session: &'t Session,
}

impl Tests<'_> {
    /// The names of the tests on which one of the parts differs, or a version does not come to its end; and how many
    /// tests there are.
    pub(super) fn concerning(
        &self,
        directory: &Path,
        entry: &str,
        parts: &[String],
    ) -> Result<(Vec<String>, usize)> {
        let (old, new) = (&self.old.program, &self.new.program);
        let (old_entry, new_entry) = (find_function(old, entry)?, find_function(new, entry)?);
        let matched = matched_parameters(old, old_entry, new, new_entry);
        let reading = self.verdict.reading.common((old, old_entry), (new, new_entry), &matched.old_names);
        let (mut found, mut all) = (Vec::new(), 0);
        for suite in suites(directory, Some(entry), self.session.caches())? {
            for test in &suite.tests {
                all += 1;
                let mut new_config = self.verdict.config.clone();
                entry.clone_into(&mut new_config.entry);
                suite.configure(&mut new_config);
                new_config.inputs.reading = as_given(&reading);
                test.configure(&mut new_config);
                let mut old_config = new_config.clone();
                old_config.inputs.may_be_unknown = true;
                old_config.inputs.parameter_names.clone_from(&matched.old_names);
                let question = Question {
                    old: (old, &old_config),
                    new: (new, &new_config),
                    subjects: None,
                    impact: None,
                    visible: self.verdict.visible,
                    all_ways: true,
                    loops_grow: false,
                    watched: None,
                };
                // What cannot be given name by name is not executed: it may concern anything.
                let differing = match elements(&test.case) {
                    Some(given) => differing_on(&question, &self.session.hooks(Detail::All), given)?,
                    None => None,
                };
                let concerns = |names: Vec<String>| {
                    names.iter().any(|name| parts.iter().any(|part| Watched::is_about(name, part)))
                };
                if differing.is_none_or(concerns) {
                    found.push(test.case.name.clone());
                }
            }
        }
        Ok((found, all))
    }
}

/// The inputs of a test, element by element; `None` if some of them have no names.
fn elements(test: &TestCase) -> Option<Given> {
    let mut elements = BTreeMap::new();
    for input in &test.inputs {
        let name = match (&input.origin, &input.value) {
            (Origin::Pointee(pointer), Value::Struct(_)) => format!("{pointer}->"),
            (Origin::Pointee(pointer), Value::Array(_) | Value::Text(_)) => pointer.clone(),
            (Origin::Pointee(_) | Origin::Parameter(_) | Origin::Global(_), _) => input.name.clone(),
            _ => return None,
        };
        add(&mut elements, name, &input.value)?;
    }
    Some(Given { elements, ..Given::default() })
}

/// Adds the elements of a value by their names.
fn add(elements: &mut BTreeMap<String, GivenValue>, name: String, value: &Value) -> Option<()> {
    let mut work = vec![(name, value.clone())];
    while let Some((name, value)) = work.pop() {
        let number = match value {
            Value::Signed(number) | Value::Enumerator(_, number) => GivenValue::Integer(number),
            Value::Unsigned(number) => GivenValue::Integer(i128::try_from(number).ok()?),
            Value::Character(byte) => GivenValue::Integer(i128::from(byte)),
            Value::Boolean(holds) => GivenValue::Integer(i128::from(holds)),
            Value::Pointer(target) => GivenValue::Integer(i128::from(target.is_some())),
            Value::Float(format, bits) => match format.to_double(bits) {
                (number, true) => GivenValue::Float(number),
                (_, false) => return None,
            },
            Value::Struct(members) => {
                let dot = if name.ends_with("->") { "" } else { "." };
                work.extend(
                    members.into_iter().map(|(member, value)| (format!("{name}{dot}{member}"), value)),
                );
                continue;
            }
            Value::Array(list) => {
                work.extend(
                    list.into_iter().enumerate().map(|(index, value)| (format!("{name}[{index}]"), value)),
                );
                continue;
            }
            Value::Text(bytes) => {
                let each = bytes.into_iter().enumerate();
                work.extend(each.map(|(index, byte)| (format!("{name}[{index}]"), Value::Character(byte))));
                continue;
            }
            Value::Bytes(_) => return None,
        };
        elements.insert(name, number);
    }
    Some(())
}
