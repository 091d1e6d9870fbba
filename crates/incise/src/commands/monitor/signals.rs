//! What the signals of a specification for R2U2 stand for: the map of signals gives each a number, and calls of
//! `r2u2_load_..._signal` in the program give each number a value.
//!
//! Calls are found in the IR, so that numbers may be macros or enumerators; what is loaded is read off the source text,
//! so that it is what a map would say.

use super::names::Names;
use anyhow::{Context, Result, bail};
use incise_frontend::Loaded;
use incise_ir::{Callee, ConstantKind, FunctionId, Location, Op, Operand, Program};
use incise_monitor::{
    Format, Map, MapEntry, Matched, Network, NodeClass, Signals, Target, loaded_value, loads_signal, matched,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is loaded for one number: the function that does, and the expression; `None` if the text does not tell.
type LoadedValue = (String, Option<String>);

/// A specification with the places of its signals.
pub(super) struct SignalLoads<'s> {
    network: &'s Network,
    signals: Signals,
}

impl<'s> SignalLoads<'s> {
    /// Reads a map of signals.
    pub(super) fn read(path: &Path, network: &'s Network) -> Result<Self> {
        if network.format != Format::C2po {
            bail!("--signals goes with a specification for R2U2 (.c2po); --map says what nodes stand for");
        }
        let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let signals =
            Signals::parse(&String::from_utf8_lossy(&bytes)).with_context(|| path.display().to_string())?;
        let of_specification = network.nodes.iter().filter(|node| node.class == NodeClass::Signal);
        let names: Vec<&str> = of_specification.map(|node| node.name.as_str()).collect();
        if !names.iter().any(|name| signals.places.contains_key(*name)) {
            let (file, first) = (path.display(), names.first().copied().unwrap_or_default());
            bail!("{file} has no signal of the specification; expected a place for `{first}`, for example");
        }
        Ok(Self { network, signals })
    }

    /// Says what signals stand for where the map does not, and why some cannot be compared.
    pub(super) fn apply(
        &self,
        map: &Map,
        names: &Names,
        (old, new): (&Loaded, &Loaded),
        matched: &mut Matched,
    ) -> BTreeMap<usize, String> {
        let (before, after) = (loads(&old.program), loads(&new.program));
        let mut obstacles = BTreeMap::new();
        for (at, node) in self.network.nodes.iter().enumerate() {
            let said = map
                .nodes
                .get(&node.name)
                .is_some_and(|entry| entry.variable.is_some() || entry.function.is_some());
            let Some(place) = self.signals.places.get(&node.name) else { continue };
            if said || node.class != NodeClass::Signal {
                continue;
            }
            let Some(loaded) = after.get(place) else {
                if before.contains_key(place) {
                    matched[at].target =
                        Target::Unmapped(format!("nothing is loaded into place {place} any more"));
                    obstacles.insert(at, format!("OLD loads place {place} of the monitor, NEW does not"));
                }
                continue;
            };
            let values = |loads: &BTreeSet<LoadedValue>| -> BTreeSet<Option<String>> {
                loads.iter().map(|(_, value)| value.clone()).collect()
            };
            matched[at].target = self.target(at, loaded, names);
            if before.get(place).map(values) != Some(values(loaded)) {
                let was = before.get(place).map_or_else(|| "nothing".to_owned(), words);
                obstacles.insert(at, format!("OLD loads {was} into place {place}, NEW {}", words(loaded)));
            }
        }
        obstacles
    }

    /// What a signal stands for by what is loaded.
    fn target(&self, at: usize, loaded: &BTreeSet<LoadedValue>, names: &Names) -> Target {
        let node = &self.network.nodes[at];
        let mut loads = loaded.iter();
        let (Some((function, Some(value))), None) = (loads.next(), loads.next()) else {
            return Target::Unmapped(format!(
                "it is loaded with {}; a map says what it stands for",
                words(loaded)
            ));
        };
        let alone = Network {
            name: String::new(),
            format: self.network.format,
            nodes: vec![incise_monitor::Node { parents: Vec::new(), ..node.clone() }],
            warnings: Vec::new(),
        };
        let mut why = String::new();
        for function in [Some(function.clone()), None] {
            let entry = MapEntry { function, variable: Some(value.clone()), ..MapEntry::default() };
            let map = Map { nodes: [(node.name.clone(), entry)].into(), ..Map::default() };
            match matched(&alone, &map, &names.named) {
                Ok(mut found) if found.len() == 1 => return found.remove(0).target,
                Ok(_) => {}
                Err(error) => why = error.message,
            }
        }
        Target::Unmapped(format!("it is loaded with `{value}` in {function}: {why}"))
    }
}

fn words(loaded: &BTreeSet<LoadedValue>) -> String {
    let one = |(function, value): &LoadedValue| match value {
        Some(value) => format!("`{value}` in {function}"),
        None => format!("what the text of {function} does not tell"),
    };
    loaded.iter().map(one).collect::<Vec<_>>().join(" and ")
}

/// What a program loads into each place.
fn loads(program: &Program) -> BTreeMap<u64, BTreeSet<LoadedValue>> {
    let mut found: BTreeMap<u64, BTreeSet<LoadedValue>> = BTreeMap::new();
    let mut texts: BTreeMap<incise_ir::FileId, String> = BTreeMap::new();
    for (id, function) in program.functions.iter().filter(|(_, each)| each.is_definition() && !each.model) {
        for (_, instruction) in function.instructions.iter() {
            let Op::Call(call) = &instruction.op else { continue };
            let Callee::Direct(callee) = call.callee else { continue };
            if !loads_signal(&program.functions[callee].name) {
                continue;
            }
            let Some(place) = call.arguments.get(1).and_then(|place| number(program, *place)) else {
                continue;
            };
            let at = instruction.location.map(|at| program.locations[at]);
            let value = at.and_then(|at| {
                let text = texts.entry(at.file).or_insert_with(|| {
                    let bytes = std::fs::read(program.files[at.file].path()).unwrap_or_default();
                    String::from_utf8_lossy(&bytes).into_owned()
                });
                loaded_value(text_at(text, &at)?)
            });
            found.entry(place).or_default().insert((name(program, id), value));
        }
    }
    found
}

fn name(program: &Program, function: FunctionId) -> String {
    program.functions[function].name.clone()
}

fn number(program: &Program, operand: Operand) -> Option<u64> {
    let Operand::Constant(constant) = operand else { return None };
    match program.constants[constant].kind {
        ConstantKind::Integer(number) => u64::try_from(number).ok(),
        ConstantKind::Zero => Some(0),
        _ => None,
    }
}

/// The text from a place on.
fn text_at<'t>(text: &'t str, at: &Location) -> Option<&'t str> {
    let lines = (at.line as usize).checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    text.get(start + (at.column as usize).checked_sub(1)?..)
}
