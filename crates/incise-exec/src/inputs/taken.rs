//! What inputs are taken to be (`incise-reading`), in the engine: how the objects of pointer inputs are made, and the
//! conditions that hold before the first instruction.
//!
//! The conditions are no part of path conditions: they are the same for every path. A reading that contradicts itself
//! would leave no input, and so prove everything: what cannot hold beside the rest is left out.

use crate::engine::code::Source;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::input::{Counted, InputObject};
use crate::inputs::maker::InputMaker;
use crate::inputs::shape::Shape;
use crate::memory::extent::{Assumed, Before, MOST_BYTES};
use crate::memory::{AddressTarget, Memory, ObjectKind, Slot};
use crate::result::InputOrigin;
use incise_reading::{Unit, What, has_call, split_container};
use incise_solver::{Answer, BinaryOp, CompareOp, ExprId, SymbolKind};
use std::rc::Rc;

/// Objects of given inputs are made as large as they are said to be up to so many bytes: more than a number of 16 bits
/// counts.
pub(crate) const SHOWN_BYTES: u64 = 1 << 17;

/// So many elements there are before where a pointer leads that another one may come before.
const BEFORE: u64 = 2;

/// How the object of a pointer input is made.
pub(crate) struct Made {
    /// What is in it.
    pub(crate) shape: Shape,
    /// The elements before the one that the pointer points to.
    pub(crate) before: u64,
    /// Of what the engine chose the size.
    pub(crate) assumed: Option<Assumed>,
    /// The number of elements, if inputs tell it.
    pub(crate) count: Option<ExprId>,
}

impl Made {
    /// Of a size that is given.
    fn exactly(shape: Shape) -> Self {
        Self { shape, before: 0, assumed: None, count: None }
    }
}

impl InputMaker<'_> {
    /// How the object is made that a pointer input leads to. `whole` is the pointer to its start.
    pub(crate) fn made(&mut self, path: &str, whole: &str, element: Shape) -> Made {
        let several = |element: Shape, count| Shape::Array { element: Box::new(element), count };
        let exactly = self.config.inputs.reading.of(path).find_map(|what| match what {
            What::Elements { least, most: Some(most) } if least == most => Some(*least),
            _ => None,
        });
        let given = || self.tracing.as_ref()?.array_length(whole, element.size());
        if let Some(count) = self.array_length(path).or(exactly).or_else(given) {
            return Made::exactly(several(element, count));
        }
        if let Some((member, header, inner)) = flexible(&element) {
            let input = format!("{whole}->{member}");
            let made = self.sizes().elements(&input, true);
            let endless = self.config.inputs.endless;
            let counted = self.is_counted(&input) && !endless;
            let count = counted.then(|| self.element_count(&input, made));
            let assumed = Assumed { input, header, element: inner, before: Before::default(), made, endless };
            let shape = with_elements(element, made);
            return Made { shape, before: 0, assumed: Some(assumed), count };
        }
        let part = path != whole;
        let array = self.tells_size(path) && !part;
        let mut made = self.sizes().elements(path, array);
        let endless = self.config.inputs.endless && (array || made > 1);
        let counted = self.is_counted(path) && !endless && !part;
        let count = counted.then(|| self.element_count(path, made));
        // What is given may be more than what an exploration takes. What is too large is refused, and not made.
        let concrete = self.tracing.as_ref().is_some_and(|tracing| tracing.concrete);
        if let (true, Some(count)) = (concrete, count.and_then(|count| self.exprs.as_constant(count)))
            && count * u128::from(element.size()) <= u128::from(SHOWN_BYTES)
        {
            made = made.max(count as u64);
        }
        let before = match self.is_only_compared(path) {
            // The other one may come first.
            true if counted => BEFORE,
            _ if counted || endless => 0,
            _ => self.sizes().before(path),
        };
        let size = element.size();
        let known = Before {
            bytes: if element.has_pointers() { before * size } else { 0 },
            numbers: self.sizes().numbers_before(path),
        };
        let shape = match made + before {
            1 if !array => element,
            all => several(element, all),
        };
        let (input, header) = (path.to_owned(), before * size);
        let assumed = Assumed { input, header, element: size, before: known, made, endless };
        Made { shape, before, assumed: Some(assumed), count }
    }

    /// Whether another pointer is read to be the end of what this one begins.
    fn read_end(&self, path: &str) -> bool {
        let reading = &self.config.inputs.reading;
        let form = reading.form(path);
        let begins = |what: &What| matches!(what, What::EndOf { begin } if *begin == form);
        reading.parts.iter().any(|taken| begins(&taken.what))
    }

    /// Whether another pointer was asked whether it comes before this one, and nothing shows that it is an end.
    pub(crate) fn is_only_compared(&self, path: &str) -> bool {
        self.sizes().has_end(path) && !self.read_end(path)
    }

    fn sizes(&self) -> &crate::inputs::sizes::Sizes {
        &self.config.inputs.sizes
    }

    /// Whether something tells how many elements a pointer leads to.
    pub(crate) fn tells_size(&self, path: &str) -> bool {
        self.config.inputs.reading.of(path).any(What::tells_size)
            || self.read_end(path)
            || self.sizes().has_end(path)
    }

    /// Whether the number of elements is an input: it can be too small then.
    fn is_counted(&self, path: &str) -> bool {
        // What calls return is made on the way, when it is too late to assume anything.
        (self.config.inputs.any_size || self.tells_size(path)) && !has_call(path)
    }

    /// The number of elements as an input.
    pub(crate) fn element_count(&mut self, path: &str, made: u64) -> ExprId {
        let name = count_name(path);
        if let Some(tracing) = self.tracing.as_deref_mut() {
            let symbol = self.exprs.symbol(&name, 64, SymbolKind::Unsigned);
            if let Some(symbol) = self.exprs.as_symbol(symbol) {
                tracing.suggest(symbol, u128::from(made));
            }
        }
        self.leaf_symbol(&name, 64, SymbolKind::Unsigned)
    }

    /// The bytes of an object by the number of its elements.
    pub(crate) fn size_of_count(&mut self, assumed: &Assumed, count: ExprId) -> ExprId {
        let element = self.exprs.constant(u128::from(assumed.element), 64);
        let header = self.exprs.constant(u128::from(assumed.header), 64);
        let bytes = self.exprs.binary(BinaryOp::Mul, count, element);
        self.exprs.binary(BinaryOp::Add, bytes, header)
    }

    /// A pointer to the end of what another one leads to, if it is taken to be that and the other one is there.
    pub(crate) fn end_pointer(&mut self, state: &State, path: &str) -> Option<ExprId> {
        let begin = self.begin_of(path)?;
        let object = pointee(state, &begin)?;
        // In an array without an end there is no number of elements, but an end all the same.
        let element = match (object.count, state.memory.object(object.slot?)) {
            (Some(counted), _) => counted.element,
            (None, Some(object)) if object.is_endless() => object.assumed.as_ref()?.element,
            _ => return None,
        };
        let base = match self.made.addresses.get(&begin) {
            Some(&address) => address,
            None => self.exprs.base(Memory::address(object.slot?)),
        };
        let distance = self.leaf_symbol(&distance_name(path, &begin), 64, SymbolKind::Unsigned);
        // What was only compared need not be the end, and what is compared with need not be the begin.
        if self.is_only_compared(&begin) {
            self.sink.needs.ordered.insert((path.to_owned(), begin.clone()));
        }
        let element = self.exprs.constant(u128::from(element), 64);
        let offset = self.exprs.binary(BinaryOp::Mul, distance, element);
        let end = self.exprs.binary(BinaryOp::Add, base, offset);
        self.made.ends.push((path.to_owned(), begin.clone()));
        if self.is_never_null(&begin) {
            return Some(end);
        }
        let present = self.leaf_symbol(&begin, 1, SymbolKind::Pointer);
        let null = self.exprs.constant(0, 64);
        Some(self.exprs.ite(present, end, null))
    }

    /// What a pointer input is the end of.
    fn begin_of(&self, path: &str) -> Option<String> {
        let read = self.config.inputs.reading.facts(path).into_iter().find_map(|taken| match taken.what {
            What::EndOf { begin } => Some(begin),
            _ => None,
        });
        read.or_else(|| self.sizes().begin_of(path).map(str::to_owned))
    }

    /// Whether a pointer input is taken not to be null.
    pub(crate) fn is_never_null(&self, path: &str) -> bool {
        let inputs = &self.config.inputs;
        !inputs.null_pointers || inputs.reading.is_not_null(path) && !inputs.told
    }

    /// The address of another input's object instead of a pointer's own, where a symbol says so.
    pub(crate) fn may_be_same(&mut self, state: &State, path: &str, own: ExprId) -> ExprId {
        let read = self.config.inputs.reading.facts(path).into_iter().filter_map(|taken| match taken.what {
            What::MaySame { other } => Some(other),
            _ => None,
        });
        let mut others: Vec<String> = read.collect();
        for other in self.sizes().same_as(path) {
            if !others.iter().any(|known| known == other) {
                others.push(other.to_owned());
            }
        }
        let mut address = own;
        for other in others {
            let Some(theirs) = self.address_named(&other) else { continue };
            let same = self.leaf_symbol(&format!("{path} == {other}"), 1, SymbolKind::Bool);
            address = self.exprs.ite(same, theirs, address);
        }
        let address = self.may_be_given_back(state, path, address);
        self.may_overlap(state, path, address)
    }

    /// An address in another input's object instead of a pointer's own, where a symbol says so.
    fn may_overlap(&mut self, state: &State, path: &str, own: ExprId) -> ExprId {
        let read = self.config.inputs.reading.facts(path).into_iter().filter_map(|taken| match taken.what {
            What::MayOverlap { other } => Some(other),
            _ => None,
        });
        let mut address = own;
        for other in read.collect::<Vec<_>>() {
            let Some(slot) = self.slot_named(&other) else {
                // Nothing is proved of what was not looked at.
                self.sink.concretised.insert(format!(
                    "{path} is taken not to lead into what {other} leads to, which is made after it"
                ));
                continue;
            };
            let Some(object) = state.memory.object(slot).cloned() else { continue };
            let element = object.assumed.as_ref().map_or(1, |assumed| assumed.element);
            let within = self.leaf_symbol(&format!("{path} overlaps {other}"), 1, SymbolKind::Bool);
            let distance = self.leaf_symbol(&distance_name(path, &other), 64, SymbolKind::Unsigned);
            let stride = self.exprs.constant(u128::from(element), 64);
            let offset = self.exprs.binary(BinaryOp::Mul, distance, stride);
            let base = self.exprs.base(Memory::address(slot));
            let theirs = self.exprs.binary(BinaryOp::Add, base, offset);
            address = self.exprs.ite(within, theirs, address);
            self.made.overlaps.push((path.to_owned(), other));
        }
        address
    }

    /// Where another pointer input leads, or the address of a variable.
    fn address_named(&mut self, other: &str) -> Option<ExprId> {
        match self.made.addresses.get(other) {
            Some(&address) => Some(address),
            None => self.slot_named(other).map(|slot| self.exprs.base(Memory::address(slot))),
        }
    }

    /// The object of another pointer input, or the variable that its address names.
    fn slot_named(&self, other: &str) -> Option<Slot> {
        let Some(variable) = other.strip_prefix('&') else { return self.made.pointees.get(other).copied() };
        let named =
            |global: &incise_ir::Global| global.source_name.as_deref().unwrap_or(&global.name) == variable;
        let found = self.program.globals.iter().find(|(_, global)| named(global));
        found.and_then(|(id, _)| self.constants.globals.get(incise_ir::Id::index(id)).copied())
    }

    /// Two pointers are compared. If they can be addresses of different input objects, the answer rests on the
    /// assumption that they are different, which is noted.
    pub(crate) fn note_compared(&mut self, state: &State, op: CompareOp, left: Source, right: Source) {
        let (ones, others) = (self.leads(state, left), self.leads(state, right));
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        // Where one of the pointers can be what the other is, that they are the same is looked at already.
        let is_among = |all: &[(u64, ExprId)], address: u64| {
            equality && all.iter().any(|&(each, _)| Memory::are_together(each, address))
        };
        for &(one, first) in &ones {
            for &(other, second) in &others {
                if Memory::are_apart(one, other)
                    && !is_among(&ones, other)
                    && !is_among(&others, one)
                    && let (Some(one), Some(other)) = (input_at(state, one), input_at(state, other))
                    && one.0 != other.0
                    && !self.is_standard_stream(one.0, other.0)
                    && !(equality && (is_string_of_main(state, one.0) || is_string_of_main(state, other.0)))
                {
                    // The later one may lead to what was there before.
                    let (later, earlier) = if one.0 > other.0 { (one.1, other.1) } else { (other.1, one.1) };
                    if !later.starts_with('&')
                        && self.is_new(op, &later, &earlier)
                        && self.is_possible(state, first, second)
                    {
                        self.note_apart(op, later, earlier);
                    }
                }
            }
        }
    }

    /// The addresses that a pointer can be, but for offsets, and when it is each.
    fn leads(&mut self, state: &State, source: Source) -> Vec<(u64, ExprId)> {
        match state.get(source) {
            Value::Word(address) => vec![(*address, self.exprs.boolean(true))],
            Value::Symbolic(expr) => self.addresses(*expr),
            _ => Vec::new(),
        }
    }

    /// Whether both can hold on this path.
    fn is_possible(&mut self, state: &State, first: ExprId, second: ExprId) -> bool {
        let both = self.exprs.and(first, second);
        self.exprs.as_constant(both) == Some(1)
            || self.solver.evaluate(self.exprs, both, &state.model) == 1
            || !matches!(self.solver.check(self.exprs, &state.constraints, both, &state.model), Answer::Unsat)
    }

    /// Whether nothing is known yet of two pointers that are compared.
    fn is_new(&self, op: CompareOp, later: &str, earlier: &str) -> bool {
        let pair = (later.to_owned(), earlier.to_owned());
        if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
            return !self.sink.needs.ordered.contains(&pair);
        }
        let reading = self.config.inputs.reading.of(later);
        let read =
            reading.into_iter().any(|what| matches!(what, What::MaySame { other } if *other == earlier));
        let known = self.config.inputs.sizes.same_as(later).any(|other| other == earlier);
        !read && !known && !self.sink.needs.same.contains(&pair)
    }

    fn note_apart(&mut self, op: CompareOp, later: String, earlier: String) {
        let needs = &mut self.sink.needs;
        match op {
            CompareOp::Eq | CompareOp::Ne => needs.same.insert((later, earlier)),
            _ => needs.ordered.insert((later, earlier)),
        };
    }

    /// The addresses that a pointer can be, but for offsets, as far as it shows, and when it is each.
    fn addresses(&mut self, pointer: ExprId) -> Vec<(u64, ExprId)> {
        let (mut found, mut work) = (Vec::new(), vec![(pointer, self.exprs.boolean(true))]);
        while let Some((expr, when)) = work.pop() {
            if let Some(address) = self.exprs.as_constant(expr) {
                found.push((address as u64, when));
            } else if let Some((base, _)) = self.exprs.split_base(expr) {
                found.push((base, when));
            } else if let Some((condition, then, otherwise)) = self.exprs.split_ite(expr) {
                let negated = self.exprs.not(condition);
                let (holds, fails) = (self.exprs.and(when, condition), self.exprs.and(when, negated));
                work.extend([(then, holds), (otherwise, fails)]);
            }
            if found.len() + work.len() > 16 {
                break;
            }
        }
        found
    }

    /// Makes a state one of those in which the inputs are as they are taken to be. For inputs that are given, says
    /// whether they are.
    pub(crate) fn assume_reading(&mut self, state: &mut State) -> bool {
        let mut natural = true;
        for condition in self.conditions(state) {
            match self.exprs.as_constant(condition) {
                Some(1) => continue,
                Some(_) => {
                    natural = false;
                    continue;
                }
                None => {}
            }
            if let Some(tracing) = self.tracing.as_deref_mut() {
                tracing.taken.push(condition);
                continue;
            }
            if self.solver.evaluate(self.exprs, condition, &state.model) == 0 {
                match self.solver.check(self.exprs, &state.constraints, condition, &state.model) {
                    Answer::Sat(model) => state.model = model,
                    Answer::Unsat | Answer::Unknown(_) => continue,
                }
            }
            // Seeds have no values yet; those that are not so are left out once they have.
            state.constraints.push(self.exprs, condition);
        }
        natural
    }

    /// What holds of the inputs as they are taken.
    fn conditions(&mut self, state: &State) -> Vec<ExprId> {
        let mut conditions = Vec::new();
        if self.config.inputs.told {
            self.not_null_conditions(state, &mut conditions);
        }
        for input in state.inputs.to_vec() {
            if let Some(counted) = input.count {
                self.plausible(counted, &mut conditions);
            }
        }
        for (end, begin) in std::mem::take(&mut self.made.ends) {
            self.is_end(state, &end, &begin, &mut conditions);
            self.made.ends.push((end, begin));
        }
        for input in state.inputs.to_vec() {
            if let (Some(counted), Some(name)) = (input.count, &input.counted_name) {
                for taken in self.config.inputs.reading.facts(name) {
                    self.counted_condition(state, input, counted, &taken.what, &mut conditions);
                }
            }
        }
        self.sizes_of_endless(state, &mut conditions);
        for name in self.number_names(state) {
            for taken in self.config.inputs.reading.facts(&name) {
                self.number_condition(state, &name, &taken.what, &mut conditions);
            }
        }
        self.scalar_conditions(state, &mut conditions);
        for (path, other) in std::mem::take(&mut self.made.overlaps) {
            self.overlap_condition(state, &path, &other, &mut conditions);
            self.made.overlaps.push((path, other));
        }
        conditions
    }

    /// Of pointers that may be null although they are taken not to be: that they are not.
    fn not_null_conditions(&mut self, state: &State, conditions: &mut Vec<ExprId>) {
        for leaf in state.inputs.to_vec().iter().flat_map(|input| &input.leaves) {
            let symbols: Vec<_> = self.exprs.symbols_of(leaf.expr).collect();
            for symbol in symbols {
                let info = self.exprs.symbol_info(symbol);
                if info.kind == SymbolKind::Pointer && self.config.inputs.reading.is_not_null(&info.name) {
                    conditions.push(self.exprs.symbol_expr(symbol));
                }
            }
        }
    }

    /// The names of the numbers among the inputs of which something may be taken.
    fn number_names(&self, state: &State) -> Vec<String> {
        let about_number =
            |what: &What| matches!(what, What::Range { .. } | What::AtMost { .. } | What::Below { .. });
        if !self.config.inputs.reading.parts.iter().any(|taken| about_number(&taken.what)) {
            return Vec::new();
        }
        // Inputs that are given have no symbols, but they were made with their names.
        if let Some(tracing) = self.tracing.as_ref().filter(|tracing| tracing.concrete) {
            return tracing.symbols.iter().map(|(name, _)| name.clone()).collect();
        }
        let mut names = Vec::new();
        for input in state.inputs.to_vec() {
            for leaf in &input.leaves {
                match self.exprs.as_constant(leaf.expr) {
                    Some(_) => names.push(input.name.clone()),
                    None => names.extend(
                        self.exprs
                            .symbols_of(leaf.expr)
                            .map(|symbol| self.exprs.symbol_info(symbol).name.clone()),
                    ),
                }
            }
        }
        names
    }

    /// What holds of the number of elements of an input.
    fn counted_condition(
        &mut self,
        state: &State,
        object: &InputObject,
        counted: Counted,
        what: &What,
        conditions: &mut Vec<ExprId>,
    ) {
        match what {
            What::Text => self.ends(object, counted, conditions),
            What::Elements { least, most } => {
                let least = self.exprs.constant(u128::from(*least), 64);
                conditions.push(self.exprs.compare(CompareOp::Uge, counted.count, least));
                if let Some(most) = most {
                    let most = self.exprs.constant(u128::from(*most), 64);
                    conditions.push(self.exprs.compare(CompareOp::Ule, counted.count, most));
                }
            }
            What::Room { number, unit, more } => {
                let Some(number) = self.room(state, number, conditions) else { return };
                let more = self.exprs.constant(*more as u128, 64);
                let wanted = self.exprs.binary(BinaryOp::Add, number, more);
                let element = self.exprs.constant(u128::from(counted.element), 64);
                let there = match unit {
                    Unit::Elements => counted.count,
                    Unit::Bytes => self.exprs.binary(BinaryOp::Mul, counted.count, element),
                };
                conditions.push(self.exprs.compare(CompareOp::Sle, wanted, there));
            }
            _ => {}
        }
    }

    /// An array without an end has no number of elements. But a number of elements or bytes that there is room for is
    /// none that does not fit into memory, so that it counts bytes without wrapping around. So many bytes there are.
    fn sizes_of_endless(&mut self, state: &State, conditions: &mut Vec<ExprId>) {
        if !self.config.inputs.endless {
            return;
        }
        self.made.rooms.clear();
        for input in state.inputs.to_vec() {
            let object = input.slot.and_then(|slot| state.memory.object(slot));
            let Some(assumed) = object.and_then(|object| object.assumed.clone()).filter(|each| each.endless)
            else {
                continue;
            };
            for taken in self.config.inputs.reading.facts(&assumed.input) {
                let What::Room { number, unit, more } = taken.what else { continue };
                let Some(number) = self.room(state, &number, conditions) else { continue };
                let bytes = match unit {
                    Unit::Elements => assumed.element.max(1),
                    Unit::Bytes => 1,
                };
                let most = self.exprs.constant(u128::from(MOST_BYTES / bytes), 64);
                conditions.push(self.exprs.compare(CompareOp::Sle, number, most));
                let [more, bytes] = [more as u64, bytes].map(|bits| self.exprs.constant(bits.into(), 64));
                let there = self.exprs.binary(BinaryOp::Add, number, more);
                let there = self.exprs.binary(BinaryOp::Mul, there, bytes);
                self.made.rooms.push((assumed.input.clone(), there));
            }
        }
    }

    /// What holds of a number.
    fn number_condition(&mut self, state: &State, name: &str, what: &What, conditions: &mut Vec<ExprId>) {
        match what {
            What::Range { low, high } => {
                let Some(number) = self.number(state, name) else { return };
                let (low, high) =
                    (self.exprs.constant(*low as u128, 64), self.exprs.constant(*high as u128, 64));
                conditions.push(self.exprs.compare(CompareOp::Sge, number, low));
                conditions.push(self.exprs.compare(CompareOp::Sle, number, high));
            }
            What::AtMost { number } | What::Below { number } => {
                let both = self.number(state, name).zip(self.number(state, number));
                let Some((one, other)) = both else { return };
                let op = if matches!(what, What::Below { .. }) { CompareOp::Slt } else { CompareOp::Sle };
                conditions.push(self.exprs.compare(op, one, other));
            }
            _ => {}
        }
    }

    /// A pointer into another object points to an element of it, or behind the last.
    fn overlap_condition(&mut self, state: &State, path: &str, other: &str, conditions: &mut Vec<ExprId>) {
        let slot = self.slot_named(other);
        let Some(object) = slot.and_then(|slot| state.memory.object(slot).cloned()) else { return };
        let element = object.assumed.as_ref().map_or(1, |assumed| assumed.element).max(1);
        let distance = self.leaf_symbol(&distance_name(path, other), 64, SymbolKind::Unsigned);
        let most = self.exprs.constant(u128::from(object.size / element), 64);
        conditions.push(self.exprs.compare(CompareOp::Ule, distance, most));
    }

    /// The end of an array is not beyond its last element.
    fn is_end(&mut self, state: &State, end: &str, begin: &str, conditions: &mut Vec<ExprId>) {
        let Some(object) = pointee(state, begin).cloned() else { return };
        let distance = self.leaf_symbol(&distance_name(end, begin), 64, SymbolKind::Unsigned);
        let Some(counted) = object.count else {
            let most = self.exprs.constant(u128::from(MOST_BYTES >> 8), 64);
            return conditions.push(self.exprs.compare(CompareOp::Ule, distance, most));
        };
        // Not before the first element that was made.
        let before = self.exprs.constant(u128::from(counted.header / counted.element.max(1)), 64);
        let from_first = self.exprs.binary(BinaryOp::Add, distance, before);
        let most = self.exprs.binary(BinaryOp::Add, counted.count, before);
        // Who is dereferenced is not behind the last one.
        let inside = self.is_only_compared(begin) && self.config.inputs.reading.is_not_null(end);
        let op = if inside { CompareOp::Ult } else { CompareOp::Ule };
        conditions.push(self.exprs.compare(op, from_first, most));
    }

    /// An object has at least one element if nothing tells otherwise, and no more than fit into memory.
    fn plausible(&mut self, counted: Counted, conditions: &mut Vec<ExprId>) {
        let most = self.exprs.constant(u128::from(MOST_BYTES / counted.element.max(1)), 64);
        conditions.push(self.exprs.compare(CompareOp::Ule, counted.count, most));
        if !counted.told {
            let one = self.exprs.constant(1, 64);
            conditions.push(self.exprs.compare(CompareOp::Uge, counted.count, one));
        }
    }

    /// A number that counts things in memory is not larger than memory.
    fn is_size(&mut self, number: ExprId, unsigned: bool, conditions: &mut Vec<ExprId>) {
        let most = self.exprs.constant(u128::from(MOST_BYTES), 64);
        conditions.push(self.exprs.compare(CompareOp::Sle, number, most));
        // As an unsigned number of 64 bits it is a size, and not negative.
        if unsigned {
            let zero = self.exprs.constant(0, 64);
            conditions.push(self.exprs.compare(CompareOp::Sge, number, zero));
        }
    }

    /// A number that counts things in memory, or a product of such: none is larger than memory, and of several all are
    /// so small that their product does not wrap around.
    fn room(&mut self, state: &State, number: &str, conditions: &mut Vec<ExprId>) -> Option<ExprId> {
        /// The bits of a product that is a number with a sign.
        const BITS: u32 = 62;
        let (numbers, named): (Vec<&str>, Vec<&str>) =
            incise_reading::factors(number).partition(|factor| factor.parse::<u64>().is_ok());
        let mut constant: u64 = 1;
        for number in numbers {
            constant = constant.checked_mul(number.parse().ok()?)?;
        }
        let mut product = self.exprs.constant(u128::from(constant), 64);
        let bits = (BITS.saturating_sub(u64::BITS - constant.leading_zeros())) / named.len().max(1) as u32;
        for factor in &named {
            let (factor, unsigned) = self.number_and_sign(state, factor)?;
            self.is_size(factor, unsigned, conditions);
            if named.len() > 1 || constant > 1 {
                let most = self.exprs.constant(1 << bits, 64);
                let least = self.exprs.constant(u128::from((-1i64 << bits) as u64), 64);
                conditions.push(self.exprs.compare(CompareOp::Sle, factor, most));
                conditions.push(self.exprs.compare(CompareOp::Sge, factor, least));
            }
            product = self.exprs.binary(BinaryOp::Mul, product, factor);
        }
        Some(product)
    }

    /// The last element of a string is zero.
    fn ends(&mut self, object: &InputObject, counted: Counted, conditions: &mut Vec<ExprId>) {
        let one = self.exprs.constant(1, 64);
        conditions.push(self.exprs.compare(CompareOp::Uge, counted.count, one));
        for leaf in &object.leaves {
            let Some(offset) = leaf.offset.checked_sub(counted.header) else { continue };
            if u64::from(leaf.bytes) != counted.element {
                continue;
            }
            let number = self.exprs.constant(u128::from(offset / counted.element + 1), 64);
            let other = self.exprs.compare(CompareOp::Ne, counted.count, number);
            let zero = self.exprs.constant(0, self.exprs.width(leaf.expr));
            let last = self.exprs.eq(leaf.expr, zero);
            conditions.push(self.exprs.or(other, last));
        }
    }

    /// A number among the inputs, in 64 bits.
    fn number(&mut self, state: &State, path: &str) -> Option<ExprId> {
        Some(self.number_and_sign(state, path)?.0)
    }

    /// A number among the inputs, in 64 bits, and whether it is unsigned.
    fn number_and_sign(&mut self, state: &State, path: &str) -> Option<(ExprId, bool)> {
        if let Some(tracing) = self.tracing.as_ref().filter(|tracing| tracing.concrete) {
            let &(_, symbol) = tracing.symbols.iter().find(|(name, _)| name == path)?;
            let (bits, info) = (state.model.value(symbol), self.exprs.symbol_info(symbol));
            if info.width > 64 || matches!(info.kind, SymbolKind::Pointer | SymbolKind::Float(_)) {
                return None;
            }
            let bits = match info.kind {
                SymbolKind::Signed | SymbolKind::Char => {
                    crate::engine::value::sign_extend(bits, info.width) as u128
                }
                _ => bits,
            };
            let unsigned = matches!(info.kind, SymbolKind::Unsigned);
            return Some((self.exprs.constant(bits & u128::from(u64::MAX), 64), unsigned));
        }
        for input in state.inputs.to_vec() {
            for leaf in &input.leaves {
                let named = self.exprs.symbols_of(leaf.expr).find(|&symbol| {
                    let info = self.exprs.symbol_info(symbol);
                    info.name == path && !matches!(info.kind, SymbolKind::Pointer | SymbolKind::Float(_))
                });
                let Some(symbol) = named else { continue };
                let (kind, width) = {
                    let info = self.exprs.symbol_info(symbol);
                    (info.kind, info.width)
                };
                let expr = self.exprs.symbol_expr(symbol);
                let wide = (width <= 64).then(|| match kind {
                    SymbolKind::Signed | SymbolKind::Char => self.exprs.sext(expr, 64),
                    _ => self.exprs.zext(expr, 64),
                });
                return wide.map(|wide| (wide, matches!(kind, SymbolKind::Unsigned)));
            }
            // What is given has no symbol; what was made of one has still its name.
            if input.name == path
                && let [leaf] = input.leaves.as_slice()
                && let Some(bits) = self.exprs.as_constant(leaf.expr)
            {
                let signed = matches!(
                    input.shape,
                    Shape::Scalar {
                        kind: crate::inputs::shape::ScalarKind::Signed
                            | crate::inputs::shape::ScalarKind::Character,
                        ..
                    }
                );
                let width = self.exprs.width(leaf.expr).min(64);
                let bits = if signed { crate::engine::value::sign_extend(bits, width) as u128 } else { bits };
                let unsigned = matches!(
                    input.shape,
                    Shape::Scalar { kind: crate::inputs::shape::ScalarKind::Unsigned, .. }
                );
                return Some((self.exprs.constant(bits & u128::from(u64::MAX), 64), unsigned));
            }
        }
        None
    }
}

/// The object that a pointer input leads to.
fn pointee<'s>(state: &'s State, path: &str) -> Option<&'s Rc<InputObject>> {
    let name = format!("*{path}");
    state.inputs.iter_newest_first().find(|input| input.name == name)
}

/// Whether an object is an argument of `main` or a variable of its environment: the system lays each out by itself.
fn is_string_of_main(state: &State, slot: Slot) -> bool {
    let of_main = |origin: &InputOrigin| {
        matches!(origin, InputOrigin::Argument { .. } | InputOrigin::Environment { .. })
    };
    state.inputs.iter_newest_first().any(|input| input.slot == Some(slot) && of_main(&input.origin))
}

/// The input object or variable at an address: its slot, and the pointer that leads to it.
fn input_at(state: &State, address: u64) -> Option<(Slot, String)> {
    let AddressTarget::Live(slot, object, _) = state.memory.target(address) else { return None };
    match object.info.kind {
        ObjectKind::Input | ObjectKind::BeyondDepth => {
            let path = object.info.name.strip_prefix('*').unwrap_or(&object.info.name);
            Some((slot, split_container(path).map_or(path, |(pointer, _, _)| pointer).to_owned()))
        }
        // A literal has no name of its own.
        ObjectKind::Global if !object.info.name.contains(' ') => {
            Some((slot, format!("&{}", object.info.name)))
        }
        _ => None,
    }
}

/// How the names of numbers of elements begin, and no other name.
pub(crate) const COUNT: &str = "elements(";

/// What the number of elements is called that a pointer leads to.
pub(crate) fn count_name(path: &str) -> String {
    format!("{COUNT}{path})")
}

fn distance_name(end: &str, begin: &str) -> String {
    format!("{end} - {begin}")
}

/// The flexible array member of a struct: its name, where it begins, and the bytes of an element.
fn flexible(shape: &Shape) -> Option<(String, u64, u64)> {
    let Shape::Struct { members, .. } = shape else { return None };
    let last = members.last()?;
    let Shape::Array { element, count: 0 } = &last.shape else { return None };
    (element.size() > 0).then(|| (last.name.clone(), last.offset_bits / 8, element.size()))
}

/// A struct with so many elements in its flexible array member.
fn with_elements(shape: Shape, elements: u64) -> Shape {
    let Shape::Struct { bytes, mut members, other } = shape else { return shape };
    let mut size = bytes;
    if let Some(last) = members.last_mut()
        && let Shape::Array { element, count } = &mut last.shape
    {
        *count = elements;
        let end = last.offset_bits / 8 + element.size() * elements;
        last.bits = element.size() * elements * 8;
        size = size.max(end);
    }
    Shape::Struct { bytes: size, members, other }
}
