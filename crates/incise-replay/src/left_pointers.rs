//! Where the pointers lead that a native run leaves behind: addresses say nothing by themselves, but the driver tells
//! where each object and variable is.

use super::observation::Addresses;
use super::script::is_object;
use incise_ir::Program;
use incise_report::test::Expected;
use incise_report::{Input, LeftPointer, Origin, PointerTarget, TestCase, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The bytes of a `FILE`.
const STREAM_BYTES: u64 = 216;

/// A pointer that is looked at when a run has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Look {
    /// What it lies in: the number of one of the objects and variables that are written down, or the result.
    pub(super) within: Option<usize>,
    /// The bytes before it.
    pub(super) offset: u64,
    /// What it was predicted to lead to.
    predicted: Option<PointerTarget>,
}

impl Look {
    fn of(within: Option<usize>, pointer: &LeftPointer) -> Self {
        Self { within, offset: pointer.offset, predicted: pointer.target.clone() }
    }
}

/// Where a pointer leads.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Leads {
    Nowhere,
    /// Into an object or variable, so many bytes from its beginning.
    Into(String, u64),
    /// To text without a name.
    Text(Vec<u8>),
    /// To something else, on the heap perhaps.
    Elsewhere,
    /// To the end of one thing, where the next one begins.
    Unclear,
}

/// The pointers that a test predicts, within what is written down.
pub(super) fn looks(expected: &Expected) -> Vec<Look> {
    let mut looks = Vec::new();
    if let Some(result) = &expected.result
        && let Value::Pointer(_) = &result.value
        && result.bytes.len() == 8
    {
        let pointers = result.pointers.iter();
        looks.extend(pointers.map(|pointer| Look::of(None, pointer)));
    }
    let finals = expected.finals.iter().filter(|each| !matches!(each.origin, Origin::File(_)));
    for (number, each) in finals.enumerate() {
        let size = each.observed.bytes.len() as u64;
        let there = each.observed.pointers.iter().filter(|pointer| pointer.offset + 8 <= size);
        looks.extend(there.map(|pointer| Look::of(Some(number), pointer)));
    }
    looks
}

/// The symbols of variables and functions that looks are predicted to lead to.
pub(super) fn targets(program: &Program, looks: &[Look]) -> BTreeSet<String> {
    let targets = looks.iter().filter_map(|look| look.predicted.as_ref());
    targets.filter_map(|target| symbol(program, &target.name)).collect()
}

/// The symbol of the one variable or function that has a name in the source.
fn symbol(program: &Program, name: &str) -> Option<String> {
    let named = |global: &&incise_ir::Global| {
        !global.model && global.source_name.as_deref().unwrap_or(&global.name) == name
    };
    let variables = program.globals.iter().map(|(_, global)| global).filter(named);
    let functions = program.functions.iter().map(|(_, function)| &function.name).filter(|each| *each == name);
    let mut found = variables.map(|global| &global.name).chain(functions);
    match (found.next(), found.next()) {
        (Some(symbol), None) => Some(symbol.clone()),
        _ => None,
    }
}

/// What has an address in a native run.
pub(super) struct KnownPlaces<'a> {
    pub(super) program: &'a Program,
    pub(super) test: &'a TestCase,
    /// The place of each variable in the driver's table.
    pub(super) globals: &'a BTreeMap<String, u64>,
    pub(super) addresses: &'a Addresses,
}

/// The pointers that a run left, each with where it lies and where it leads.
#[derive(Clone, Debug, Default)]
pub(super) struct Left {
    pointers: Vec<(String, u64, Leads)>,
    /// Those that lead elsewhere than predicted, in words.
    pub(super) unexpected: Vec<String>,
}

impl Left {
    /// Reads the pointers of a run: `held` has the bytes that they lie in, with their names.
    pub(super) fn of(
        looks: &[Look],
        held: &dyn Fn(Option<usize>) -> Option<(String, Vec<u8>)>,
        known: &KnownPlaces<'_>,
    ) -> Self {
        let mut left = Self::default();
        for (number, look) in looks.iter().enumerate() {
            let Some((name, bytes)) = held(look.within) else { continue };
            let at = look.offset as usize;
            let Some(word) = bytes.get(at..at + 8).and_then(|word| word.try_into().ok()) else { continue };
            let there = known.addresses.looked_at.get(number).map_or(&[][..], Vec::as_slice);
            let leads = known.leads(u64::from_le_bytes(word), look.predicted.as_ref(), there);
            if known.contradicts(look.predicted.as_ref(), &leads) {
                let what = if name.is_empty() { "the result" } else { &name };
                let predicted =
                    look.predicted.as_ref().map_or_else(|| "null".to_owned(), |target| format!("&{target}"));
                left.unexpected
                    .push(format!("{what} was predicted to be {predicted}, and is {}", leads.words()));
            }
            left.pointers.push((name, look.offset, leads));
        }
        left
    }

    /// Whether a pointer that both runs left leads to different things.
    pub(super) fn differs_from(&self, other: &Self) -> bool {
        self.pointers.iter().any(|(name, offset, leads)| {
            let same = other.pointers.iter().find(|each| each.0 == *name && each.1 == *offset);
            same.is_some_and(|(_, _, others)| leads.differs_from(others))
        })
    }
}

impl Leads {
    fn differs_from(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unclear, _) | (_, Self::Unclear) => false,
            // What is on the heap has no name that both versions know.
            (Self::Elsewhere | Self::Text(_), Self::Elsewhere) | (Self::Elsewhere, Self::Text(_)) => false,
            (mine, theirs) => mine != theirs,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Nowhere => "null".to_owned(),
            Self::Into(name, 0) => format!("&{name}"),
            Self::Into(name, offset) => format!("&{name}+{offset}"),
            Self::Text(text) => incise_report::c_string(text),
            Self::Elsewhere | Self::Unclear => "something else".to_owned(),
        }
    }
}

impl KnownPlaces<'_> {
    fn leads(&self, address: u64, predicted: Option<&PointerTarget>, there: &[u8]) -> Leads {
        if address == 0 {
            return Leads::Nowhere;
        }
        // What is predicted counts first: an address beyond the end of one thing may be within another one.
        if let Some(PointerTarget { name, addend }) = predicted
            && self.places().any(|place| place.0 == *name && place.1.wrapping_add(*addend) == address)
        {
            return Leads::Into(name.clone(), *addend);
        }
        let text = predicted.is_some_and(|target| target.name.starts_with('"'));
        let mut inside = Vec::new();
        let mut behind = Vec::new();
        for (name, start, size) in self.places() {
            let Some(offset) = address.checked_sub(start) else { continue };
            if offset < size || offset == 0 {
                inside.push(Leads::Into(name, offset));
            } else if offset == size {
                behind.push(Leads::Into(name, offset));
            }
        }
        match (inside.len(), behind.len()) {
            (0, 0) if text => {
                let end = there.iter().position(|&byte| byte == 0).unwrap_or(there.len());
                Leads::Text(there[..end].to_vec())
            }
            (0, 0) => Leads::Elsewhere,
            (1, 0) => inside.swap_remove(0),
            (0, 1) => behind.swap_remove(0),
            _ => Leads::Unclear,
        }
    }

    /// Everything with a name: where it begins, and its bytes.
    fn places(&self) -> impl Iterator<Item = (String, u64, u64)> {
        let objects = self.test.inputs.iter().filter(|input| is_object(input));
        let size = |input: &Input| match input.origin {
            Origin::Stream(_) => STREAM_BYTES,
            _ => input.bytes.len() as u64,
        };
        let objects = objects
            .zip(&self.addresses.objects)
            .map(|(input, &start)| (input.name.clone(), start, size(input)));
        let globals = self.globals.iter().filter_map(|(symbol, &index)| {
            let start = *self.addresses.globals.get(index as usize)?;
            let global = self.program.global_named(symbol).map(|id| &self.program.globals[id]);
            let size = global.map_or(0, |global| self.program.types.size_of(global.ty));
            Some((symbol.clone(), start, size))
        });
        let beyond = self.addresses.beyond.iter().map(|(name, start)| (name.clone(), *start, 0));
        objects.chain(globals).chain(beyond).collect::<Vec<_>>().into_iter()
    }

    /// Whether a pointer leads elsewhere than was predicted. Of what is neither null nor an input nothing certain was
    /// said.
    fn contradicts(&self, predicted: Option<&PointerTarget>, leads: &Leads) -> bool {
        let Some(predicted) = predicted else { return *leads != Leads::Nowhere };
        let PointerTarget { name, addend } = predicted;
        let is_input = self.test.inputs.iter().any(|input| is_object(input) && input.name == *name);
        match leads {
            Leads::Nowhere => true,
            Leads::Unclear => false,
            leads => is_input && *leads != Leads::Into(name.clone(), *addend),
        }
    }
}
