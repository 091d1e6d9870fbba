//! Unions of pointers and numbers among inputs.
//!
//! A tag beside a union usually says which of its members is there, and only the code knows how. So a word that may be
//! a pointer or a number is made as both: `held ? pointer : number`, where `held` is a symbol of its own. Who loads a
//! pointer from it means the pointer, who loads a number means the number, and the path goes on with that. Nothing is
//! left out by this: a number has any value, and a pointer leads where pointer inputs lead. Of several members with
//! pointers the first of the largest is made.

use crate::decisions::decider::Decider;
use crate::engine::machine::Exit;
use crate::engine::state::State;
use crate::inputs::input::{Filler, Leaf, PADDING};
use crate::inputs::parts::parts_of;
use crate::inputs::parts::pointer_parts;
use crate::inputs::shape::{Member, Shape};
use crate::memory::extent::UsedAs;
use crate::outcome::Outcome;
use incise_solver::{ExprId, Exprs, SymbolKind};

/// How the name of the symbol ends that says whether a pointer is there.
const HELD: &str = " is held";
/// The bytes of a pointer.
const WORD: u64 = 8;

/// Of the members of a union: the one that stands for it, the first of the largest, and one that has numbers where that
/// has pointers, or the other way round.
pub(crate) fn chosen(members: Vec<Member>) -> (Vec<Member>, Option<Box<Member>>) {
    let Some(largest) = members.iter().map(|member| member.bits).max() else { return (Vec::new(), None) };
    let Some(main) = members.iter().position(|member| member.bits == largest) else {
        return (Vec::new(), None);
    };
    let mine = pointers(&members[main]);
    let differs = |member: &Member| {
        let theirs = pointers(member);
        let number = |place: &u64| !theirs.contains(place) && place * 8 < member.bits;
        if mine.is_empty() { !theirs.is_empty() } else { mine.iter().any(number) }
    };
    let others = members.iter().enumerate().filter(|(index, member)| *index != main && differs(member));
    let other = others.max_by_key(|(index, member)| (member.bits, std::cmp::Reverse(*index)));
    let other = other.map(|(_, member)| Box::new(member.clone()));
    (members.into_iter().skip(main).take(1).collect(), other)
}

/// The members of which these bytes are: those of the union's other one if its pointers lead somewhere, or if what
/// would be pointers does not.
pub(crate) fn held<'a>(
    members: &'a [Member],
    other: Option<&'a Member>,
    bytes: &[u8],
    name_of: &dyn Fn(u64) -> String,
) -> std::slice::Iter<'a, Member> {
    let leads = |member: &Member| {
        let word = |place: u64| bytes.get(place as usize..).and_then(|rest| rest.first_chunk::<8>());
        let words = pointers(member).into_iter().filter_map(word).map(|word| u64::from_le_bytes(*word));
        let mut words = words.filter(|&word| word != 0).peekable();
        words.peek().is_some().then(|| words.all(|word| !name_of(word).starts_with("0x")))
    };
    let Some(other) = other else { return members.iter() };
    let main = members.first().map(leads);
    if main == Some(Some(false)) || main != Some(Some(true)) && leads(other) == Some(true) {
        return std::slice::from_ref(other).iter();
    }
    members.iter()
}

/// The places of pointers in a member, in bytes from the start of the union.
fn pointers(member: &Member) -> Vec<u64> {
    pointer_parts(&member.shape).into_iter().map(|(place, _)| member.offset_bits / 8 + place).collect()
}

impl Filler<'_, '_, '_> {
    /// Fills a union with what two of its members have.
    pub(super) fn union(&mut self, path: &str, members: &[Member], other: &Member, offset: u64) {
        let before = std::mem::take(&mut self.leaves);
        self.members(path, members, offset);
        let main = std::mem::take(&mut self.leaves);
        self.members(path, std::slice::from_ref(other), offset);
        let others = std::mem::replace(&mut self.leaves, before);
        let (mine, theirs): (Vec<u64>, Vec<u64>) =
            (members.iter().flat_map(pointers).collect(), pointers(other));
        let mut done = Vec::new();
        let words = mine.iter().map(|&place| (place, true)).chain(theirs.iter().map(|&place| (place, false)));
        for (place, is_main) in words {
            if mine.contains(&place) && theirs.contains(&place) {
                continue;
            }
            let (pointers, numbers) = if is_main { (&main, &others) } else { (&others, &main) };
            let at = offset + place;
            let pointer = pointers.iter().find(|leaf| leaf.offset == at && u64::from(leaf.bytes) == WORD);
            let named = if is_main { &members[0] } else { other };
            let name =
                member_path(path, &named.name, &named.shape, place.saturating_sub(named.offset_bits / 8));
            let number = self.number_at(&name, numbers, at);
            if let (Some(pointer), Some(number)) = (pointer, number) {
                let held = self.maker.leaf_symbol(&format!("{name}{HELD}"), 1, SymbolKind::Bool);
                let expr = self.maker.exprs.ite(held, pointer.expr, number);
                done.push(Leaf { offset: at, bytes: WORD as u32, expr });
            }
        }
        // What is no such word is as in the member that stands for the union, and then as in the other one.
        let mut taken: Vec<(u64, u64)> = done.iter().map(range).collect();
        for leaf in main.into_iter().chain(others) {
            let (start, end) = range(&leaf);
            if taken.iter().all(|&(from, to)| end <= from || start >= to) {
                taken.push((start, end));
                done.push(leaf);
            }
        }
        self.leaves.extend(done);
    }

    /// The number that leaves have in a word. Bytes between them are arbitrary.
    fn number_at(&mut self, name: &str, leaves: &[Leaf], start: u64) -> Option<ExprId> {
        let end = start + WORD;
        let inside = |leaf: &&Leaf| leaf.offset < end && leaf.offset + u64::from(leaf.bytes) > start;
        let mut parts: Vec<Leaf> = leaves.iter().filter(inside).copied().collect();
        parts.sort_by_key(|leaf| leaf.offset);
        let whole = |leaf: &Leaf| leaf.offset >= start && leaf.offset + u64::from(leaf.bytes) <= end;
        if parts.is_empty() || !parts.iter().all(whole) {
            return None;
        }
        let (mut at, mut number) = (start, None);
        for leaf in parts {
            number = self.with_padding(name, number, (at, leaf.offset));
            number = Some(self.appended(number, leaf.expr));
            at = leaf.offset + u64::from(leaf.bytes);
        }
        self.with_padding(name, number, (at, end))
    }

    fn with_padding(&mut self, name: &str, low: Option<ExprId>, (from, to): (u64, u64)) -> Option<ExprId> {
        if from >= to {
            return low;
        }
        let name = format!("{name}{PADDING}{from}>");
        let padding = self.maker.leaf_symbol(&name, (to - from) as u32 * 8, SymbolKind::Unsigned);
        Some(self.appended(low, padding))
    }

    fn appended(&mut self, low: Option<ExprId>, high: ExprId) -> ExprId {
        match low {
            Some(low) => self.maker.exprs.concat(high, low),
            None => high,
        }
    }
}

fn range(leaf: &Leaf) -> (u64, u64) {
    (leaf.offset, leaf.offset + u64::from(leaf.bytes))
}

/// What the pointer at a place in a member of a union is called.
fn member_path(path: &str, member: &str, shape: &Shape, place: u64) -> String {
    let name = match (member.is_empty(), path.ends_with("->")) {
        (true, _) => path.trim_end_matches("->").to_owned(),
        (false, true) => format!("{path}{member}"),
        (false, false) => format!("{path}.{member}"),
    };
    let part = parts_of(&name, shape).into_iter().find(|part| part.offset_bits == place * 8);
    part.map_or(name, |part| part.name)
}

/// The pointer of a union, if a symbol of that name says whether it is there.
pub(crate) fn held_pointer(symbol: &str) -> Option<&str> {
    symbol.strip_suffix(HELD)
}

/// A word of a union: whether the pointer is held, the pointer, and the number.
pub(crate) fn word_of_union(exprs: &Exprs, word: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
    let (held, pointer, number) = exprs.split_ite(word)?;
    let symbol = exprs.as_symbol(held)?;
    let symbol = exprs.symbol_info(symbol);
    (symbol.kind == SymbolKind::Bool && symbol.name.ends_with(HELD)).then_some((held, pointer, number))
}

impl Decider<'_> {
    /// A word of a union as it is meant by who loads it. Where the other one was meant before on this path, it is
    /// undecided what a program does with it.
    pub(crate) fn word_as_used(
        &mut self,
        state: &mut State,
        word: ExprId,
        used: UsedAs,
    ) -> Result<Option<ExprId>, Exit> {
        let Some((held, pointer, number)) = word_of_union(&self.exprs, word) else { return Ok(None) };
        let (meant, value) = match used {
            UsedAs::Pointer => (held, pointer),
            UsedAs::Number => (self.exprs.not(held), number),
        };
        if !self.possible(state, meant)? {
            let symbol = self.exprs.as_symbol(held).map(|symbol| self.exprs.symbol_info(symbol));
            let name = symbol.and_then(|symbol| held_pointer(&symbol.name)).unwrap_or_default();
            let message = format!("{name} is used as a pointer, and the same bytes as a number");
            return Err(Exit::End(Outcome::Undecided(message)));
        }
        self.grant(state, meant)?;
        Ok(Some(value))
    }
}
