//! What was found out about a function, in terms of its places, so that callers can use it for what they pass.

use crate::containers::Around;
use crate::flow::{Flow, Origin, Origins};
use crate::places::{InputPlace, PlaceId, Places, Wanted};
use incise_ir::{Call, FunctionId, SourcePosition};
use std::collections::{BTreeMap, BTreeSet};

/// Something that a function shows about a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Claim {
    /// It is a string.
    Text,
    /// It is a string if nothing tells its length: the beginning of one, with a length, is used.
    Beginning,
    /// It leads to `unit` bytes for each of `number` and `more`.
    Room { number: PlaceId, unit: u64, more: i64 },
    /// It leads to `unit` bytes for each of `number`, several elements, and so many bytes more.
    Multiple { number: PlaceId, unit: u64, bytes: i64 },
    /// It leads to `unit` bytes for each of a product, and `more`.
    Product { numbers: [PlaceId; 2], unit: u64, more: i64 },
    /// It leads to so many bytes.
    Bytes(u64),
    /// It is dereferenced: always, or on some way.
    Dereferenced { always: bool },
    /// It is compared with null.
    Checked,
    /// The function gives up if it is null: always, or on some way.
    Asserted { always: bool },
    /// It is the end of what another pointer leads to.
    EndOf { begin: PlaceId },
    /// It is a number that is at most another one.
    AtMost { number: PlaceId },
    /// It is a number below another one.
    Below { number: PlaceId },
    /// It is a number within bounds.
    Range { low: i128, high: i128 },
    /// It is compared with another pointer.
    MaySame { other: PlaceId },
    /// It goes back to `malloc`.
    Allocated,
    /// It is a stream, and what is in its file matters, or only what is written to it.
    Stream { read: bool },
    /// It is called.
    Called,
    /// It leads into a struct.
    MemberOf(Around),
    /// Every value but the enumerators of its type is given up on.
    Enumerator,
    /// It is used as one of its enumerators.
    Named,
    /// It may be other numbers than its enumerators.
    OtherNumbers,
}

/// A claim about a place, with its evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fact {
    pub(crate) place: PlaceId,
    pub(crate) claim: Claim,
    pub(crate) words: String,
    pub(crate) at: Option<SourcePosition>,
}

/// What was found out about a function.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) places: Places,
    pub(crate) facts: Vec<Fact>,
    pub(crate) returned: Origins,
    known: BTreeSet<(PlaceId, Claim)>,
}

impl Summary {
    /// Adds a fact unless it is known.
    pub(crate) fn add(&mut self, fact: Fact) {
        if self.known.insert((fact.place, fact.claim.clone())) {
            self.facts.push(fact);
        }
    }
}

/// What was found out about functions so far.
#[derive(Default)]
pub(crate) struct Summaries {
    known: BTreeMap<FunctionId, Summary>,
}

impl Summaries {
    pub(crate) fn get(&self, function: FunctionId) -> Option<&Summary> {
        self.known.get(&function)
    }

    /// Keeps a summary, and says whether it has more facts than the one before.
    pub(crate) fn insert(&mut self, function: FunctionId, summary: Summary) -> bool {
        let facts = summary.facts.len();
        self.known.insert(function, summary).is_none_or(|before| before.facts.len() < facts)
    }

    pub(crate) fn take(&mut self, function: FunctionId) -> Option<Summary> {
        self.known.remove(&function)
    }

    /// What a call returns, in terms of the caller's places.
    pub(crate) fn returned(&self, flow: &mut Flow<'_>, callee: FunctionId, call: &Call) -> Option<Origins> {
        let summary = self.get(callee)?;
        let mut found = Origins { list: Vec::new(), elsewhere: summary.returned.elsewhere };
        for origin in &summary.returned.list {
            let inside = translate(flow, &summary.places, call, origin.place);
            found.elsewhere |= inside.elsewhere;
            for passed in inside.list {
                found.add(passed.moved(origin.offset, origin.stride));
            }
        }
        Some(found)
    }
}

/// A place of a called function in terms of the caller's places.
pub(crate) fn translate(flow: &mut Flow<'_>, places: &Places, call: &Call, place: PlaceId) -> Origins {
    match places.info(place).place {
        InputPlace::Parameter(index) => match call.arguments.get(index as usize) {
            Some(&argument) => flow.operand_origins(argument),
            None => Origins::elsewhere(),
        },
        InputPlace::Global(global) => {
            let place = flow.places.global(flow.program, global);
            Origins::one(Origin::exact(place))
        }
        InputPlace::Local(_) | InputPlace::Struct(_) => Origins::elsewhere(),
        InputPlace::Whole { of, number } => {
            let back = places.around(of).get(usize::from(number)).map_or(0, |(around, _)| around.offset);
            let mut pointers = translate(flow, places, call, of);
            pointers.list.iter_mut().for_each(|origin| *origin = origin.moved(-(back as i64), 0));
            pointers
        }
        InputPlace::Content { of, offset, element } => {
            let mut pointers = translate(flow, places, call, of);
            let bytes = match places.info(of).place {
                InputPlace::Global(_) => 0,
                _ => crate::places::size(flow.program, places.leads_to(flow.program, of)),
            };
            let stride = if element { bytes } else { 0 };
            pointers.list.iter_mut().for_each(|origin| *origin = origin.moved(offset, stride));
            if places.info(place).array {
                return flow.arrays(&pointers);
            }
            let pointer = crate::places::is_pointer(flow.program, places.info(place).ty);
            flow.loaded(&pointers, if pointer { Wanted::Pointer } else { Wanted::Scalar })
        }
    }
}
