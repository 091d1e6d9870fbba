//! Inputs by the way that leads to them: parameters, globals, and what pointers and members lead to.
//!
//! A place is named by a C expression. Elements of an array share the place of the first (`*names` is every
//! `names[i]`), and a pointer to a struct that the way went through already leads back to it (`list->next->next` is
//! `list->next`): so there are finitely many, and a fact about one holds at every index and depth.

use crate::containers::{self, Around, container_of};
use crate::summary::Fact;
use incise_ir::{DebugMember, DebugType, DebugTypeId, Function, GlobalId, Program, ValueId};
use std::collections::BTreeMap;

/// A place of a table of places.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PlaceId(u32);

/// How a value is reached.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum InputPlace {
    /// The value of a parameter.
    Parameter(u32),
    /// The address of a global variable.
    Global(GlobalId),
    /// The address of a local variable.
    Local(ValueId),
    /// The address of a parameter that is a struct.
    Struct(ValueId),
    /// A pointer to the struct that another one leads into.
    Whole {
        /// The other one.
        of: PlaceId,
        /// Which of the structs that it may lead into.
        number: u8,
    },
    /// What is stored where a pointer leads.
    Content {
        /// The pointer.
        of: PlaceId,
        /// The bytes from the start of the element.
        offset: i64,
        /// Whether it may be in another element than the first.
        element: bool,
    },
}

/// What is known of a place.
#[derive(Clone, Debug)]
pub(crate) struct PlaceInfo {
    pub(crate) place: InputPlace,
    /// Its expression; `None` for what no input leads to, or what has no name.
    pub(crate) name: Option<String>,
    /// Its type in the source.
    pub(crate) ty: Option<DebugTypeId>,
    /// For an array that is a part of what a pointer leads to: its address is used like a pointer.
    pub(crate) array: bool,
    depth: u32,
}

/// The most steps that lead to a place.
const DEPTH: u32 = 8;

/// The places of a function.
#[derive(Default)]
pub(crate) struct Places {
    infos: Vec<PlaceInfo>,
    known: BTreeMap<(InputPlace, Wanted), PlaceId>,
    /// The structs that pointers lead into, and what shows it.
    around: BTreeMap<PlaceId, Vec<(Around, Fact)>>,
    /// Where pointers lead back: an expression, and that of what it leads back to.
    pub(crate) repeats: std::collections::BTreeSet<(String, String)>,
}

/// A part of a type.
pub(crate) struct PlacePart {
    /// How the part is written behind the whole: `.x.y`.
    pub(crate) way: String,
    /// How often an element of an array is taken at the end.
    pub(crate) stars: usize,
    /// The bytes to the part from the start of the element.
    pub(crate) offset: i64,
    pub(crate) ty: Option<DebugTypeId>,
    /// Whether an index was taken that may not be the first.
    pub(crate) element: bool,
    /// Whether a member of a union was taken because a pointer was asked for.
    chosen: bool,
}

/// What is asked for at a place. A union has a number and a pointer there, who loads it tells which.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Wanted {
    /// A number, or whatever is there.
    Scalar,
    /// A pointer.
    Pointer,
    /// An array that begins there, whose address stands for a pointer.
    Array,
}

impl Places {
    pub(crate) fn info(&self, id: PlaceId) -> &PlaceInfo {
        &self.infos[id.0 as usize]
    }

    pub(crate) fn name(&self, id: PlaceId) -> Option<&str> {
        self.info(id).name.as_deref()
    }

    fn insert(&mut self, place: InputPlace, wanted: Wanted, make: impl FnOnce() -> PlaceInfo) -> PlaceId {
        if let Some(&known) = self.known.get(&(place, wanted)) {
            return known;
        }
        let id = PlaceId(self.infos.len() as u32);
        self.infos.push(make());
        self.known.insert((place, wanted), id);
        id
    }

    pub(crate) fn parameter(&mut self, function: &Function, index: u32) -> PlaceId {
        let place = InputPlace::Parameter(index);
        self.insert(place, Wanted::Scalar, || {
            let (name, ty) = parameter(function, index);
            PlaceInfo { place, name, ty, array: false, depth: 0 }
        })
    }

    pub(crate) fn global(&mut self, program: &Program, global: GlobalId) -> PlaceId {
        let place = InputPlace::Global(global);
        self.insert(place, Wanted::Scalar, || {
            let global = &program.globals[global];
            // What a constant holds is known, so nothing is to be said about it.
            let open = !global.constant || global.initializer.is_none();
            let name = open.then(|| global.source_name.clone().unwrap_or_else(|| global.name.clone()));
            PlaceInfo { place, name, ty: global.debug_type, array: false, depth: 0 }
        })
    }

    pub(crate) fn local(&mut self, value: ValueId) -> PlaceId {
        let place = InputPlace::Local(value);
        self.insert(place, Wanted::Scalar, || PlaceInfo {
            place,
            name: None,
            ty: None,
            array: false,
            depth: 0,
        })
    }

    /// A parameter that is a struct and lives in the frame.
    pub(crate) fn structure(&mut self, value: ValueId, name: &str, ty: Option<DebugTypeId>) -> PlaceId {
        let place = InputPlace::Struct(value);
        let name = Some(name.to_owned());
        self.insert(place, Wanted::Scalar, || PlaceInfo { place, name, ty, array: false, depth: 0 })
    }

    /// What is stored `offset` bytes behind where a pointer leads, at any multiple of `stride`.
    pub(crate) fn content(
        &mut self,
        program: &Program,
        of: PlaceId,
        offset: i64,
        stride: u64,
        wanted: Wanted,
    ) -> Option<PlaceId> {
        let array = wanted == Wanted::Array;
        if self.info(of).depth >= DEPTH || self.info(of).array {
            return None;
        }
        let (of, offset) = self.in_whole(program, of, offset, stride);
        let info = self.info(of);
        let direct = matches!(info.place, InputPlace::Global(_) | InputPlace::Struct(_));
        let depth = info.depth;
        let pointee = self.leads_to(program, of);
        let part = part(program, pointee, offset, stride, wanted, direct)?;
        let of = if direct { of } else { self.ancestor(program, of, pointee) };
        let place = InputPlace::Content { of, offset: part.offset, element: part.element };
        let name = self.name(of).map(|base| written(base, &part, !direct, array));
        let ty = part.ty;
        // Only where it matters are there two places.
        let wanted = if wanted == Wanted::Pointer && !part.chosen { Wanted::Scalar } else { wanted };
        let id = self.insert(place, wanted, || PlaceInfo { place, name, ty, array, depth: depth + 1 });
        if !array {
            self.ancestor(program, id, self::pointee(program, ty));
        }
        Some(id)
    }

    /// The type of what is behind a place.
    pub(crate) fn leads_to(&self, program: &Program, of: PlaceId) -> Option<DebugTypeId> {
        let info = self.info(of);
        match info.place {
            InputPlace::Global(_) | InputPlace::Struct(_) | InputPlace::Whole { .. } => info.ty,
            _ => pointee(program, info.ty),
        }
    }

    /// The structs that a pointer leads into.
    pub(crate) fn around(&self, place: PlaceId) -> &[(Around, Fact)] {
        self.around.get(&place).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn set_around(&mut self, place: PlaceId, all: Vec<(Around, Fact)>) {
        self.around.insert(place, all);
    }

    /// What shows that pointers lead into structs.
    pub(crate) fn members(&self) -> Vec<Fact> {
        self.around.values().flatten().map(|(_, fact)| fact.clone()).collect()
    }

    /// What is beside the part of a struct that a pointer leads to is in that struct.
    fn in_whole(&mut self, program: &Program, of: PlaceId, offset: i64, stride: u64) -> (PlaceId, i64) {
        let own = size(program, self.leads_to(program, of)) as i64;
        if stride != 0 || (0..own).contains(&offset) {
            return (of, offset);
        }
        for (number, (around, _)) in self.around(of).to_vec().into_iter().enumerate() {
            let inside = offset.wrapping_add(around.offset as i64);
            if !(0..size(program, Some(around.whole)) as i64).contains(&inside) {
                continue;
            }
            let place = InputPlace::Whole { of, number: number as u8 };
            let (depth, pointee) = (self.info(of).depth, pointee(program, self.info(of).ty));
            let whole = containers::name(program, around.whole);
            let member = containers::member(program, &around, pointee);
            let name = match (self.name(of), whole, member) {
                (Some(of), Some(whole), Some(member)) => Some(container_of(of, &whole, &member)),
                _ => None,
            };
            let ty = Some(around.whole);
            let id =
                self.insert(place, Wanted::Scalar, || PlaceInfo { place, name, ty, array: false, depth });
            self.ancestor(program, id, ty);
            return (id, inside);
        }
        (of, offset)
    }

    /// The first place on the way to `of` that leads to a struct of the same type.
    fn ancestor(&mut self, program: &Program, of: PlaceId, pointee: Option<DebugTypeId>) -> PlaceId {
        let Some(wanted) = composite(program, pointee) else { return of };
        let mut best = of;
        let mut at = of;
        while let InputPlace::Content { of: above, .. } | InputPlace::Whole { of: above, .. } =
            self.info(at).place
        {
            let leads = match self.info(above).place {
                InputPlace::Global(_) | InputPlace::Struct(_) => None,
                _ => composite(program, self.leads_to(program, above)),
            };
            if leads == Some(wanted) {
                best = above;
            }
            at = above;
        }
        if best != of
            && let (Some(from), Some(to)) =
                (self.name(of).map(str::to_owned), self.name(best).map(str::to_owned))
        {
            self.repeats.insert((from, to));
        }
        best
    }

    /// The array around what is `offset` bytes behind where a pointer leads: its place, where it begins, and its length
    /// if that is known and not zero.
    pub(crate) fn array_at(
        &mut self,
        program: &Program,
        of: PlaceId,
        offset: i64,
    ) -> Option<(PlaceId, i64, Option<u64>)> {
        let (of, offset) = self.in_whole(program, of, offset, 0);
        let mut ty = self.leads_to(program, of);
        let mut start = 0;
        for _ in 0..32 {
            let id = program.resolve_debug_type(ty?)?;
            match &program.debug_types[id] {
                DebugType::Composite { .. } => {
                    let member = member_at(program, id, offset - start)?.0;
                    start += (member.offset_bits / 8) as i64;
                    ty = Some(member.ty);
                }
                DebugType::Array { counts, .. } => {
                    let count = counts.first().copied().flatten().filter(|&count| count > 0);
                    return Some((self.content(program, of, start, 0, Wanted::Array)?, start, count));
                }
                _ => return None,
            }
        }
        None
    }

    /// Whether a place is the value of an input: something that a fact can be about.
    pub(crate) fn is_input(&self, id: PlaceId) -> bool {
        let info = self.info(id);
        info.name.is_some() && matches!(info.place, InputPlace::Parameter(_) | InputPlace::Content { .. })
    }

    /// The parameter or variable that a way begins with.
    pub(crate) fn root(&self, mut id: PlaceId) -> PlaceId {
        while let InputPlace::Content { of, .. } | InputPlace::Whole { of, .. } = self.info(id).place {
            id = of;
        }
        id
    }
}

/// The name and the type of a parameter in the source.
fn parameter(function: &Function, index: u32) -> (Option<String>, Option<DebugTypeId>) {
    let declared = function.debug_signature.get(index as usize + 1).copied().flatten();
    let variable = function.variables.iter().find(|variable| variable.parameter == Some(index + 1));
    match variable {
        Some(variable) => (Some(variable.name.clone()), variable.ty.or(declared)),
        None => {
            let name = function.parameters.get(index as usize).map(|parameter| parameter.name.as_str());
            match name {
                Some(name) if !name.is_empty() && !name.bytes().all(|byte| byte.is_ascii_digit()) => {
                    (Some(name.to_owned()), declared)
                }
                _ => (Some(format!("arg{index}")), declared),
            }
        }
    }
}

/// The expression of a part of what an expression leads to.
fn written(base: &str, part: &PlacePart, arrow: bool, array: bool) -> String {
    let way = match part.way.strip_prefix('.') {
        Some(member) if arrow => format!("{base}->{member}"),
        _ => format!("{base}{}", part.way),
    };
    let mut stars = part.stars;
    if part.way.is_empty() && arrow && !array {
        stars += 1;
    }
    format!("{}{way}", "*".repeat(stars))
}

/// The type that a pointer type leads to.
pub(crate) fn pointee(program: &Program, ty: Option<DebugTypeId>) -> Option<DebugTypeId> {
    match &program.debug_types[program.resolve_debug_type(ty?)?] {
        DebugType::Pointer(target) => *target,
        DebugType::Array { element, .. } => Some(*element),
        _ => None,
    }
}

/// A type without typedefs, if it is a struct or a union.
pub(crate) fn composite(program: &Program, ty: Option<DebugTypeId>) -> Option<DebugTypeId> {
    let id = program.resolve_debug_type(ty?)?;
    matches!(program.debug_types[id], DebugType::Composite { .. }).then_some(id)
}

/// Whether a type of the source is that of pointers.
pub(crate) fn is_pointer(program: &Program, ty: Option<DebugTypeId>) -> bool {
    let id = ty.and_then(|ty| program.resolve_debug_type(ty));
    id.is_some_and(|id| matches!(program.debug_types[id], DebugType::Pointer(_)))
}

/// The bytes of a type of the source; 0 if they are not known.
pub(crate) fn size(program: &Program, ty: Option<DebugTypeId>) -> u64 {
    let mut times = 1u64;
    let mut ty = ty;
    for _ in 0..32 {
        let Some(id) = ty.and_then(|ty| program.resolve_debug_type(ty)) else { return 0 };
        match &program.debug_types[id] {
            DebugType::Basic { bits, .. }
            | DebugType::Enumeration { bits, .. }
            | DebugType::Composite { bits, .. } => return times.saturating_mul(bits.div_ceil(8)),
            DebugType::Pointer(_) => return times.saturating_mul(8),
            DebugType::Array { element, counts } => {
                for count in counts {
                    times = times.saturating_mul(count.unwrap_or(0));
                }
                ty = Some(*element);
            }
            _ => return 0,
        }
    }
    0
}

/// The part of a type at `offset`, or at any multiple of `stride` from there. `single` says that there is one of the
/// type, not an array of them.
fn part(
    program: &Program,
    ty: Option<DebugTypeId>,
    offset: i64,
    stride: u64,
    wanted: Wanted,
    single: bool,
) -> Option<PlacePart> {
    let array = wanted == Wanted::Array;
    let whole = size(program, ty);
    let mut found = PlacePart { way: String::new(), stars: 0, offset, ty, element: false, chosen: false };
    let mut rest = offset;
    let mut stride = stride;
    if !single {
        if whole == 0 {
            return (offset == 0 && stride == 0 && !array).then_some(found);
        }
        let behind = flexible(program, ty).is_some_and(|start| offset >= start);
        if stride > 0 && stride.is_multiple_of(whole) && !behind {
            stride = 0;
            found.element = true;
        }
        if !(0..whole as i64).contains(&offset) && !behind {
            found.element = true;
            rest = offset.rem_euclid(whole as i64);
            found.offset = rest;
        }
    }
    descend(program, &mut found, rest, stride, wanted)?;
    Some(found)
}

fn descend(
    program: &Program,
    found: &mut PlacePart,
    mut rest: i64,
    mut stride: u64,
    wanted: Wanted,
) -> Option<()> {
    let array = wanted == Wanted::Array;
    for _ in 0..32 {
        let id = program.resolve_debug_type(found.ty?)?;
        match &program.debug_types[id] {
            DebugType::Composite { .. } => {
                let (member, pointer) = member_at(program, id, rest)?;
                found.chosen |= wanted == Wanted::Pointer && pointer.is_some();
                let member = pointer.filter(|_| wanted == Wanted::Pointer).unwrap_or(member);
                if !member.name.is_empty() {
                    // Elements of an array of structs share the place of the first.
                    if found.stars > 0 {
                        found.stars -= 1;
                        found.way.push_str("->");
                    } else {
                        found.way.push('.');
                    }
                    found.way.push_str(&member.name);
                }
                rest -= (member.offset_bits / 8) as i64;
                found.ty = Some(member.ty);
            }
            DebugType::Array { element, counts } => {
                if array && rest == 0 && stride == 0 {
                    return Some(());
                }
                let bytes = size(program, Some(*element));
                if bytes == 0 {
                    return None;
                }
                found.element |= stride > 0 || rest >= bytes as i64;
                if stride.is_multiple_of(bytes) {
                    stride = 0;
                }
                found.offset -= rest - rest.rem_euclid(bytes as i64);
                rest = rest.rem_euclid(bytes as i64);
                found.stars += counts.len().max(1);
                found.ty = Some(*element);
            }
            _ => return (rest == 0 && stride == 0 && !array).then_some(()),
        }
    }
    None
}

/// Where the array without a length at the end of a struct begins.
pub(crate) fn flexible(program: &Program, ty: Option<DebugTypeId>) -> Option<i64> {
    let DebugType::Composite { members, union: false, .. } = &program.debug_types[composite(program, ty)?]
    else {
        return None;
    };
    let last = members.last()?;
    let id = program.resolve_debug_type(last.ty)?;
    let open = matches!(&program.debug_types[id], DebugType::Array { .. }) && size(program, Some(id)) == 0;
    open.then_some((last.offset_bits / 8) as i64)
}

/// The member of a struct at an offset. A flexible array begins where the last member ends, so members that have a size
/// go first. Of a union there may be another one that has a pointer there where the first has none.
fn member_at(
    program: &Program,
    composite: DebugTypeId,
    offset: i64,
) -> Option<(&DebugMember, Option<&DebugMember>)> {
    let DebugType::Composite { members, union, .. } = &program.debug_types[composite] else { return None };
    let inside = |member: &&DebugMember| {
        let start = (member.offset_bits / 8) as i64;
        let end = (member.offset_bits + member.bits).div_ceil(8) as i64;
        !member.bit_field && offset >= start && offset < end
    };
    let open = |member: &&DebugMember| {
        size(program, Some(member.ty)) == 0 && offset >= (member.offset_bits / 8) as i64
    };
    // Of a union the first of the largest members stands for it.
    let largest = members.iter().filter(inside).map(|member| member.bits).max();
    let sized = members.iter().find(|member| inside(member) && Some(member.bits) == largest);
    let member = sized.or_else(|| members.iter().find(open))?;
    let points = |member: &&DebugMember| {
        let inner = offset - (member.offset_bits / 8) as i64;
        points_at(program, member.ty, inner, 0)
    };
    if !union || points(&member) {
        return Some((member, None));
    }
    // As inputs are made: the first of the largest.
    let others = members.iter().filter(|member| inside(member) && points(member));
    let largest = others.clone().map(|member| member.bits).max();
    Some((member, others.into_iter().find(|member| Some(member.bits) == largest)))
}

/// Whether there is a pointer at an offset in a type.
fn points_at(program: &Program, ty: DebugTypeId, offset: i64, depth: u32) -> bool {
    let Some(id) = program.resolve_debug_type(ty).filter(|_| depth < 24) else { return false };
    match &program.debug_types[id] {
        DebugType::Pointer(_) => offset == 0,
        DebugType::Composite { members, .. } => members.iter().any(|member| {
            let inner = offset - (member.offset_bits / 8) as i64;
            !member.bit_field && inner >= 0 && points_at(program, member.ty, inner, depth + 1)
        }),
        DebugType::Array { element, .. } => {
            let (bytes, whole) = (size(program, Some(*element)) as i64, size(program, Some(id)) as i64);
            bytes > 0
                && (0..whole).contains(&offset)
                && points_at(program, *element, offset % bytes, depth + 1)
        }
        _ => false,
    }
}
