//! The reading of a function: what it and the functions that it calls show, put together.

use crate::callbacks;
use crate::combine::combine;
use crate::flow::Flow;
use crate::model::{Evidence, Reading, Source, Taken, Unit, What};
use crate::places::{InputPlace, PlaceId, Places, pointee, size};
use crate::room::apart_in;
use crate::summary::{Claim, Fact, Summaries, Summary};
use crate::uses;
use incise_ir::{Callee, DebugType, FunctionId, Op, Program};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What the inputs of a function are taken to be, from what it does with them, what is declared of them and what
/// callers pass. Nothing is taken of variables that have their initial values, which are named by their symbols.
pub fn infer(program: &Program, entry: FunctionId, initial: &BTreeSet<String>) -> Reading {
    let summaries = &mut Summaries::default();
    let order = order(program, entry);
    for function in &order {
        let summary = uses::summarize(Flow::new(program, function.id, summaries), summaries);
        summaries.insert(function.id, summary);
    }
    again(program, &order, summaries);
    let mut reading = match summaries.take(entry) {
        Some(summary) => Assembly::new(program, &summary, initial).reading(),
        None => Reading::default(),
    };
    combine(program, entry, &mut reading);
    // Who uses less of a buffer than its length tells was given all of it.
    for taken in &mut reading.parts {
        if let What::Room { more, .. } = &mut taken.what {
            *more = (*more).max(0);
        }
    }
    reading
}

/// The most functions that are looked at, the nearest first.
const MOST: usize = 400;

/// A function that is looked at.
struct Looked {
    id: FunctionId,
    callees: Vec<FunctionId>,
}

/// Functions that call each other are looked at again, with what the first look showed, and so are those that call
/// them.
fn again(program: &Program, order: &[Looked], summaries: &mut Summaries) {
    let mut seen = BTreeSet::new();
    let mut dirty = BTreeSet::new();
    for function in order {
        seen.insert(function.id);
        if function.callees.iter().any(|callee| *callee == function.id || !seen.contains(callee)) {
            dirty.insert(function.id);
        }
    }
    for _ in 0..2 {
        let mut changed = BTreeSet::new();
        for function in order {
            let called = || function.callees.iter().any(|callee| changed.contains(callee));
            if !dirty.contains(&function.id) && !called() {
                continue;
            }
            let summary = uses::summarize(Flow::new(program, function.id, summaries), summaries);
            if summaries.insert(function.id, summary) {
                changed.insert(function.id);
            }
        }
        if changed.is_empty() {
            return;
        }
    }
}

/// The functions with a body that a function calls, each after those that it calls itself unless they call each other.
fn order(program: &Program, entry: FunctionId) -> Vec<Looked> {
    let near = near(program, entry);
    let callees = |function: FunctionId| near.get(&function).cloned().unwrap_or_default();
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([entry]);
    let mut stack: Vec<(FunctionId, usize)> =
        near.contains_key(&entry).then_some((entry, 0)).into_iter().collect();
    while let Some((function, next)) = stack.last_mut() {
        match near.get(function).and_then(|called| called.get(*next)).copied() {
            Some(callee) => {
                *next += 1;
                if seen.insert(callee) {
                    stack.push((callee, 0));
                }
            }
            None => {
                let id = *function;
                found.push(Looked { id, callees: callees(id) });
                stack.pop();
            }
        }
    }
    found
}

/// The functions that are called, call by call away from the first, with those of them that each one calls.
fn near(program: &Program, entry: FunctionId) -> BTreeMap<FunctionId, Vec<FunctionId>> {
    let mut found = BTreeMap::new();
    if !program.functions[entry].is_definition() {
        return found;
    }
    let mut work = VecDeque::from([entry]);
    let mut seen = BTreeSet::from([entry]);
    while let Some(function) = work.pop_front() {
        let called = callees(program, function);
        for &callee in &called {
            if seen.len() < MOST && seen.insert(callee) {
                work.push_back(callee);
            }
        }
        found.insert(function, called);
    }
    for called in found.values_mut() {
        called.retain(|callee| seen.contains(callee));
    }
    found
}

fn callees(program: &Program, function: FunctionId) -> Vec<FunctionId> {
    let mut found = BTreeSet::new();
    for (_, instruction) in program.functions[function].instructions.iter() {
        let call = match &instruction.op {
            Op::Call(call) => call,
            Op::Invoke { call, .. } => call,
            _ => continue,
        };
        if let Callee::Direct(callee) = call.callee {
            let called = &program.functions[callee];
            if called.is_definition() && !called.model {
                found.insert(callee);
            }
        }
    }
    found.into_iter().collect()
}

/// The facts of a function on their way to a reading.
struct Assembly<'a> {
    program: &'a Program,
    places: &'a Places,
    /// For each place, its facts in the order that they were found.
    facts: BTreeMap<PlaceId, Vec<&'a Fact>>,
}

impl<'a> Assembly<'a> {
    fn new(program: &'a Program, summary: &'a Summary, initial: &BTreeSet<String>) -> Self {
        let places = &summary.places;
        let is_known = |place: PlaceId| match places.info(places.root(place)).place {
            InputPlace::Global(global) => initial.contains(&program.globals[global].name),
            _ => false,
        };
        let mut facts: BTreeMap<PlaceId, Vec<&Fact>> = BTreeMap::new();
        for fact in &summary.facts {
            if places.is_input(fact.place) && !is_known(fact.place) {
                facts.entry(fact.place).or_default().push(fact);
            }
        }
        Self { program, places, facts }
    }

    fn reading(&self) -> Reading {
        let mut reading = Reading::default();
        let mut order: Vec<PlaceId> = self.facts.keys().copied().collect();
        order.sort_by_key(|&place| (self.root_order(place), place));
        for place in order {
            self.place(place, &mut reading);
        }
        for (from, to) in &self.places.repeats {
            reading.repeats.insert(from.clone(), to.clone());
        }
        reading
    }

    fn root_order(&self, place: PlaceId) -> (u32, u32) {
        match self.places.info(self.places.root(place)).place {
            InputPlace::Parameter(index) => (0, index),
            InputPlace::Struct(value) => (0, incise_ir::Id::index(value) as u32),
            InputPlace::Global(global) => (1, incise_ir::Id::index(global) as u32),
            _ => (2, 0),
        }
    }

    fn place(&self, place: PlaceId, reading: &mut Reading) {
        let Some(input) = self.places.name(place) else { return };
        let facts = &self.facts[&place];
        let mut add = |what: What, fact: &Fact| {
            let known = reading.parts.iter().any(|taken| taken.input == input && taken.what == what);
            if !known {
                reading.parts.push(Taken {
                    input: input.to_owned(),
                    what,
                    evidence: Evidence {
                        source: if fact.claim == Claim::Named { Source::Type } else { Source::Use },
                        words: fact.words.clone(),
                        place: fact.at.clone(),
                    },
                });
            }
        };
        let not_null = self.not_null(place);
        if let Some(fact) = not_null {
            add(What::NotNull, fact);
        }
        let find = |claim: Claim| facts.iter().find(|fact| fact.claim == claim);
        let text = find(Claim::Text).or_else(|| match self.rooms(place).is_empty() && !self.has_end(place) {
            true => find(Claim::Beginning),
            false => None,
        });
        if let Some(fact) = text {
            add(What::Text, fact);
        }
        // A string that is only read ends where it ends, whatever else is done with its start.
        let rooms = match text {
            Some(_) if self.is_read_only(place) => Vec::new(),
            _ => self.rooms(place),
        };
        for (what, fact) in &rooms {
            add(what.clone(), fact);
        }
        if text.is_none()
            && rooms.is_empty()
            && !self.has_end(place)
            && self.places.around(place).is_empty()
            && let Some((what, fact)) = self.elements(place)
        {
            add(what, fact);
        }
        if crate::streams::is_stream(self.program, self.places.info(place).ty) {
            let used = |read: bool| find(Claim::Stream { read });
            match (used(true), used(false)) {
                (Some(fact), _) => add(What::Stream { empty: false }, fact),
                (None, Some(fact)) => add(What::Stream { empty: true }, fact),
                (None, None) => {}
            }
        }
        let other_numbers = find(Claim::OtherNumbers);
        if let (Some(fact), None) = (find(Claim::Named), other_numbers) {
            add(What::Enumerator, fact);
        }
        for fact in facts {
            if let Some(what) = self.plain(place, &fact.claim) {
                add(what, fact);
            }
        }
        let checked = facts.iter().any(|fact| fact.claim == Claim::Checked);
        if checked && not_null.is_none() || other_numbers.is_some() {
            reading.checked.insert(input.to_owned());
        }
    }

    /// Why a pointer is not null.
    fn not_null(&self, place: PlaceId) -> Option<&'a Fact> {
        if !self.is_pointer(place) {
            return None;
        }
        let facts = &self.facts[&place];
        let find = |claim: Claim| facts.iter().copied().find(|fact| fact.claim == claim);
        let always = find(Claim::Dereferenced { always: true });
        let always = always.or_else(|| find(Claim::Asserted { always: true }));
        always.or_else(|| match find(Claim::Checked) {
            Some(_) => None,
            None => find(Claim::Asserted { always: false })
                .or_else(|| find(Claim::Dereferenced { always: false })),
        })
    }

    fn is_pointer(&self, place: PlaceId) -> bool {
        let info = self.places.info(place);
        let resolved = info.ty.and_then(|ty| self.program.resolve_debug_type(ty));
        !info.array
            && resolved.is_some_and(|id| matches!(self.program.debug_types[id], DebugType::Pointer(_)))
    }

    /// The lengths of what a pointer leads to: for each number the largest need, the nearest numbers first.
    fn rooms(&self, place: PlaceId) -> Vec<(What, &'a Fact)> {
        let mut found: Vec<(PlaceId, u64, i64, &Fact)> = Vec::new();
        for fact in &self.facts[&place] {
            let Claim::Room { number, unit, more } = fact.claim else { continue };
            match found.iter_mut().find(|known| known.0 == number && known.1 == unit) {
                Some(known) if known.2 < more => (known.2, known.3) = (more, fact),
                Some(_) => {}
                None => found.push((number, unit, more, fact)),
            }
        }
        found.sort_by_key(|room| apart_in(self.places, place, room.0));
        let element = self.element(place);
        let multiples = self.multiples(place, element);
        let rooms = found.into_iter().filter_map(|(number, unit, more, fact)| {
            let unit = match unit {
                unit if unit == element => Unit::Elements,
                1 => Unit::Bytes,
                _ => return None,
            };
            let number = self.places.name(number)?.to_owned();
            Some((What::Room { number, unit, more }, fact))
        });
        rooms.chain(multiples).chain(self.products(place, element)).collect()
    }

    /// The lengths that are products.
    fn products(&self, place: PlaceId, element: u64) -> Vec<(What, &'a Fact)> {
        let products = self.facts[&place].iter().filter_map(|fact| {
            let Claim::Product { numbers: [one, other], unit, more } = fact.claim else { return None };
            let named = [self.places.name(one)?, self.places.name(other)?].join(" * ");
            let (number, unit) = match unit {
                unit if unit == element => (named, Unit::Elements),
                1 => (named, Unit::Bytes),
                unit if element > 0 && unit % element == 0 => {
                    (crate::product::times(unit / element, &named), Unit::Elements)
                }
                _ => return None,
            };
            let more =
                if number.starts_with(|first: char| first.is_ascii_digit()) { more.max(0) } else { more };
            Some((What::Room { number, unit, more }, *fact))
        });
        let mut found: Vec<(What, &Fact)> = Vec::new();
        for (what, fact) in products {
            let What::Room { number, unit, more } = &what else { continue };
            let known = found.iter_mut().find(|(known, _)| {
                matches!(known, What::Room { number: one, unit: of, .. } if one == number && of == unit)
            });
            match known {
                Some((What::Room { more: most, .. }, _)) => *most = (*most).max(*more),
                _ => found.push((what, fact)),
            }
        }
        found
    }

    /// The lengths that count several elements.
    fn multiples(&self, place: PlaceId, element: u64) -> Vec<(What, &'a Fact)> {
        let mut found: Vec<(PlaceId, u64, i64, &Fact)> = Vec::new();
        for fact in &self.facts[&place] {
            let Claim::Multiple { number, unit, bytes } = fact.claim else { continue };
            match found.iter_mut().find(|known| known.0 == number && known.1 == unit) {
                Some(known) if known.2 < bytes => (known.2, known.3) = (bytes, fact),
                Some(_) => {}
                None => found.push((number, unit, bytes, fact)),
            }
        }
        let rooms = found.into_iter().filter_map(|(number, unit, bytes, fact)| {
            let factor = unit.checked_div(element).filter(|&factor| factor > 1)?;
            let more = -(-bytes).div_euclid(i64::try_from(element).ok()?);
            let number = crate::product::times(factor, self.places.name(number)?);
            Some((What::Room { number, unit: Unit::Elements, more }, fact))
        });
        rooms.collect()
    }

    /// Whether the type says that what a pointer leads to is not written.
    fn is_read_only(&self, place: PlaceId) -> bool {
        let mut at = pointee(self.program, self.places.info(place).ty);
        while let Some(id) = at {
            at = match &self.program.debug_types[id] {
                DebugType::Qualified { constant: true, .. } => return true,
                DebugType::Qualified { target, .. } | DebugType::Typedef { target, .. } => *target,
                _ => return false,
            };
        }
        false
    }

    /// The bytes of an element.
    fn element(&self, place: PlaceId) -> u64 {
        let info = self.places.info(place);
        size(self.program, pointee(self.program, info.ty))
    }

    fn has_end(&self, place: PlaceId) -> bool {
        self.facts.values().flatten().any(|fact| fact.claim == Claim::EndOf { begin: place })
    }

    /// A constant number of elements that a pointer leads to.
    fn elements(&self, place: PlaceId) -> Option<(What, &'a Fact)> {
        let element = self.element(place).max(1);
        let mut best: Option<(u64, &Fact)> = None;
        for fact in &self.facts[&place] {
            if let Claim::Bytes(bytes) = fact.claim
                && best.is_none_or(|known| known.0 < bytes)
            {
                best = Some((bytes, fact));
            }
        }
        let (bytes, fact) = best?;
        let least = bytes.div_ceil(element);
        (least > 1).then_some((What::Elements { least, most: None }, fact))
    }

    /// The claims that need no more than names.
    fn plain(&self, place: PlaceId, claim: &Claim) -> Option<What> {
        let name = |place: PlaceId| self.places.name(place).map(str::to_owned);
        Some(match *claim {
            Claim::EndOf { begin } => {
                let mutual = self.facts.get(&begin).is_some_and(|facts| {
                    facts.iter().any(|fact| fact.claim == Claim::EndOf { begin: place }) && begin < place
                });
                if mutual {
                    return None;
                }
                What::EndOf { begin: name(begin)? }
            }
            Claim::AtMost { number } => What::AtMost { number: name(number)? },
            Claim::Below { number } => What::Below { number: name(number)? },
            Claim::Range { low, high } => What::Range { low, high },
            Claim::MaySame { other } => What::MaySame { other: name(other)? },
            Claim::Allocated => What::Allocated,
            Claim::Enumerator => What::Enumerator,
            Claim::MemberOf(ref around) => {
                let target = pointee(self.program, self.places.info(place).ty);
                let member = crate::containers::member(self.program, around, target)?;
                What::MemberOf { whole: crate::containers::name(self.program, around.whole)?, member }
            }
            Claim::Called => What::Calls {
                functions: callbacks::in_tables(self.program, self.places, place).into_iter().collect(),
                unknown: true,
            },
            _ => return None,
        })
    }
}
