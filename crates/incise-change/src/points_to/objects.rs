//! The objects of a program, and the places in them that pointers point to.
//!
//! What an object holds is kept by *cells*: aligned words of eight bytes, so that a pointer that is read as bytes, as a
//! number or through another member of a union is the same pointer. Cells that repeat in a large array are one cell.
//! Where a pointer points is a *location*: an object and a distance from its start, which is one number, or all numbers
//! with the same rest (`array[i].next`), or anything.

use incise_ir::{FunctionId, GlobalId, InstructionId, Program, Type, TypeId, ValueId};
use rustc_hash::FxHashMap;

/// An object of a program, or all objects that one place in it makes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);

impl ObjectId {
    pub(crate) fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("a program has fewer than 2^32 objects"))
    }

    /// Its position among the objects of the program.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "o{}", self.0)
    }
}

/// What an object is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKind {
    /// A global variable.
    Global(GlobalId),
    /// A variable of a function, in all its calls: that of an `alloca`, or the copy behind a parameter that is passed
    /// by value.
    Local(FunctionId, ValueId),
    /// What a call of an allocating function makes, each time.
    Heap(FunctionId, InstructionId),
    /// A function.
    Function(FunctionId),
    /// The arguments of a function that come after its parameters, in all its calls.
    Arguments(FunctionId),
    /// All global variables that are never written and hold no addresses: nobody depends on which of them is read.
    Literals,
    /// What a parameter of `main` points to, directly or further on. The program has no other way to get there.
    Input(ValueId),
    /// What callers pass by one way that is declared alike, or what a call makes that nobody can see into.
    Passed(u32),
}

/// An object and its cells.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) kind: ObjectKind,
    /// Its size in bytes, if it is known and always the same.
    pub(crate) size: Option<u64>,
    /// Whether it is never written.
    pub(crate) constant: bool,
    /// How words are cells.
    cells: Cells,
    /// How many cells there are.
    pub(crate) count: u32,
    /// How many locations with a known distance there are.
    exact: u32,
    /// If it is an array of unknown length: the bytes of its elements.
    pub(crate) element: Option<u64>,
}

/// How the words of an object are cells.
#[derive(Debug)]
enum Cells {
    /// Each word is a cell.
    Words,
    /// Words at this distance are one cell.
    Repeat(u32),
    /// The cell of each word.
    Table(Box<[u32]>),
    /// The words of an object of unknown size; all from [`WORDS`] on are one cell.
    Open {
        /// Whether that last cell was ever asked for.
        beyond: bool,
    },
}

/// Objects of more words have cells that stand for several.
const WORDS: u32 = 128;

/// Structs of more words are not taken apart.
const TABLE_WORDS: u64 = 1 << 12;

/// A pointer that points to more distances of one object points anywhere in it.
const EXACT_LOCATIONS: u32 = 64;

/// Where a pointer points.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Location {
    pub(crate) object: ObjectId,
    /// The distance from the start of the object; with a modulus, its rest.
    pub(crate) offset: i64,
    /// Zero if the distance is the offset itself, one if it is anything.
    pub(crate) modulus: u64,
}

/// The number of a location.
pub(crate) type LocationNumber = u32;

/// Memory of which nothing is known but that code outside of the program may know it: inputs, and what such code made.
pub(crate) const OUTSIDE: LocationNumber = 0;
/// An address that was made from a number: it may be that of anything whose address was taken.
pub(crate) const UNKNOWN: LocationNumber = 1;
/// The first number of a location in an object.
const FIRST: LocationNumber = 2;

/// What is added to a pointer.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shift {
    /// A constant.
    By(i64),
    /// A constant and any multiple of a number.
    Stride(i64, u64),
}

impl Shift {
    /// Anything.
    pub(crate) const ANY: Self = Self::Stride(0, 1);
}

/// A change of how the words of an object are cells: these cells are one from now on.
pub(crate) type Merge = (u32, u32);

/// All objects and locations.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    list: Vec<Object>,
    by_kind: FxHashMap<ObjectKind, ObjectId>,
    locations: Vec<Location>,
    numbers: FxHashMap<Location, LocationNumber>,
}

impl Objects {
    /// Adds an object of a type.
    pub(crate) fn add_typed(&mut self, program: &Program, kind: ObjectKind, ty: TypeId) -> ObjectId {
        let size = program.types.size_of(ty);
        if size == 0 {
            // An array that is declared without its length.
            return self.add_sized(kind, None);
        }
        let (cells, count) = typed_cells(program, ty);
        self.add(Object { kind, size: Some(size), constant: false, cells, count, exact: 0, element: None })
    }

    /// Adds an object that is only known by its size.
    pub(crate) fn add_sized(&mut self, kind: ObjectKind, size: Option<u64>) -> ObjectId {
        let words = size.map(|size| size.div_ceil(8).max(1)).filter(|&words| words <= u64::from(WORDS));
        let (cells, count) = match words {
            Some(words) => (Cells::Words, words as u32),
            None => (Cells::Open { beyond: false }, WORDS + 1),
        };
        self.add(Object { kind, size, constant: false, cells, count, exact: 0, element: None })
    }

    /// Adds an array of unknown length, whose elements are not told apart.
    pub(crate) fn add_repeating(&mut self, kind: ObjectKind, element: Option<u64>) -> ObjectId {
        let element =
            element.filter(|&size| size.is_multiple_of(8) && (8..=8 * u64::from(WORDS)).contains(&size));
        let Some(size) = element else { return self.add_single(kind) };
        let words = (size / 8) as u32;
        let cells = Cells::Repeat(words);
        self.add(Object { kind, size: None, constant: false, cells, count: words, exact: 0, element })
    }

    /// The start of any element of an array of unknown length.
    pub(crate) fn any_element(&mut self, object: ObjectId) -> LocationNumber {
        match self.get(object).element {
            Some(modulus) => self.number(Location { object, offset: 0, modulus }),
            None => self.anywhere(object),
        }
    }

    /// Adds an object whose parts are not told apart.
    pub(crate) fn add_single(&mut self, kind: ObjectKind) -> ObjectId {
        let cells = Cells::Repeat(1);
        self.add(Object { kind, size: None, constant: false, cells, count: 1, exact: 0, element: None })
    }

    fn add(&mut self, object: Object) -> ObjectId {
        let id = ObjectId::from_index(self.list.len());
        self.by_kind.insert(object.kind, id);
        self.list.push(object);
        id
    }

    /// Makes an object stand for another one.
    pub(crate) fn stand_for(&mut self, object: ObjectId, kind: ObjectKind) {
        self.by_kind.insert(kind, object);
    }

    /// Whether what an object holds never changes and holds no addresses.
    pub(crate) fn is_harmless(&self, id: ObjectId) -> bool {
        matches!(self.get(id).kind, ObjectKind::Literals | ObjectKind::Function(_))
    }

    pub(crate) fn set_constant(&mut self, id: ObjectId) {
        self.list[id.index()].constant = true;
    }

    pub(crate) fn get(&self, id: ObjectId) -> &Object {
        &self.list[id.index()]
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.list.len()).map(ObjectId::from_index)
    }

    /// One past the last number of a location.
    pub(crate) fn location_end(&self) -> LocationNumber {
        FIRST + self.locations.len() as LocationNumber
    }

    /// The object of a kind, if it has one.
    pub(crate) fn find(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.by_kind.get(&kind).copied()
    }

    /// The location of a number; `None` for those outside of all objects.
    pub(crate) fn location(&self, number: LocationNumber) -> Option<Location> {
        Some(self.locations[number.checked_sub(FIRST)? as usize])
    }

    /// The start of an object.
    pub(crate) fn start(&mut self, object: ObjectId) -> LocationNumber {
        self.number(Location { object, offset: 0, modulus: 0 })
    }

    /// The whole of an object.
    pub(crate) fn anywhere(&mut self, object: ObjectId) -> LocationNumber {
        self.number(Location { object, offset: 0, modulus: 1 })
    }

    fn number(&mut self, location: Location) -> LocationNumber {
        if let Some(&number) = self.numbers.get(&location) {
            return number;
        }
        if location.modulus == 0 {
            let object = &mut self.list[location.object.index()];
            if object.exact == EXACT_LOCATIONS {
                return self.anywhere(location.object);
            }
            object.exact += 1;
        }
        let number = FIRST + self.locations.len() as LocationNumber;
        self.locations.push(location);
        self.numbers.insert(location, number);
        number
    }

    /// The location that is made by adding to one. An object of unknown size may get to know the size of its elements.
    pub(crate) fn shift(
        &mut self,
        number: LocationNumber,
        shift: Shift,
        merges: &mut Vec<Merge>,
    ) -> LocationNumber {
        let Some(location) = self.location(number) else { return number };
        let object = self.get(location.object);
        if matches!(object.kind, ObjectKind::Function(_)) || location.modulus == 1 {
            return number;
        }
        let (by, stride) = match shift {
            Shift::By(by) => (by, 0),
            Shift::Stride(by, stride) => (by, stride),
        };
        let Some(offset) = location.offset.checked_add(by) else { return self.anywhere(location.object) };
        let modulus = gcd(location.modulus, stride);
        if modulus == 0 {
            return self.number(Location { offset, ..location });
        }
        // An element that is as large as the whole object is the only one.
        if object.size.is_some_and(|size| size != 0 && modulus >= size) {
            let offset = offset.rem_euclid(i64::try_from(modulus).unwrap_or(i64::MAX));
            return self.number(Location { offset, modulus: 0, ..location });
        }
        if !modulus.is_multiple_of(8) || modulus > u64::from(WORDS) * 8 {
            return self.anywhere(location.object);
        }
        self.repeat(location.object, (modulus / 8) as u32, merges);
        let offset = offset.rem_euclid(modulus as i64);
        self.number(Location { offset, modulus, ..location })
    }

    /// Makes one cell of all words at a distance, where words are not told apart without end.
    fn repeat(&mut self, id: ObjectId, distance: u32, merges: &mut Vec<Merge>) {
        let object = &mut self.list[id.index()];
        let (from, to) = match object.cells {
            Cells::Words | Cells::Table(_) => return,
            Cells::Repeat(known) => (known, gcd(known.into(), distance.into()) as u32),
            // What lies beyond could be at any place of an element.
            Cells::Open { beyond: true } => (object.count, 1),
            Cells::Open { beyond: false } => (object.count - 1, distance),
        };
        if from != to {
            object.cells = Cells::Repeat(to);
            merges.extend((to..from).map(|cell| (cell, cell % to)));
        }
    }

    /// Adds the cells of an object that an access of `size` bytes at a location touches.
    pub(crate) fn touched(&mut self, location: Location, size: u64, found: &mut Vec<u32>) {
        let object = &mut self.list[location.object.index()];
        if location.modulus == 1 {
            return found.extend(0..object.live_cells());
        }
        // What lies outside of the object cannot be accessed.
        let limit = object.size.unwrap_or(u64::MAX);
        let Some(mut start) = u64::try_from(location.offset).ok().filter(|&start| start < limit) else {
            return;
        };
        let last_word = object.size.map_or(u64::from(WORDS), |size| size.saturating_sub(1) / 8);
        loop {
            let end = start.saturating_add(size.max(1)).min(limit) - 1;
            let mut words = start / 8..=(end / 8).min(last_word);
            if let Cells::Repeat(distance) = object.cells {
                // One turn meets them all.
                words = start / 8..=(end / 8).min(start / 8 + u64::from(distance));
            }
            found.extend(words.map(|word| object.cell(word)));
            // Words of an object that repeat are the same cells from then on.
            let once = location.modulus == 0 || matches!(object.cells, Cells::Repeat(_));
            start = start.saturating_add(location.modulus);
            if once || start >= limit {
                break;
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    /// The cell of a word of an object.
    pub(crate) fn cell(&mut self, id: ObjectId, word: u64) -> u32 {
        self.list[id.index()].cell(word)
    }
}

impl Object {
    fn cell(&mut self, word: u64) -> u32 {
        match &mut self.cells {
            Cells::Words => word.min(u64::from(self.count - 1)) as u32,
            Cells::Repeat(distance) => (word % u64::from(*distance)) as u32,
            Cells::Table(table) => table.get(word as usize).copied().unwrap_or(0),
            Cells::Open { beyond } => {
                *beyond |= word >= u64::from(WORDS);
                word.min(u64::from(WORDS)) as u32
            }
        }
    }

    /// How many cells there are, those aside that others stand for.
    fn live_cells(&self) -> u32 {
        match &self.cells {
            Cells::Repeat(distance) => *distance,
            // Who reads or writes anywhere does so in each part of an element, so what lies beyond says nothing new.
            _ => self.count,
        }
    }

    /// How many words it has at most.
    pub(crate) fn words(&self) -> u64 {
        match (&self.cells, self.size) {
            (Cells::Repeat(distance), None) => u64::from(*distance).max(u64::from(WORDS)),
            (_, None) => u64::from(self.count),
            (_, Some(size)) => size.div_ceil(8),
        }
    }
}

pub(crate) fn gcd(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// The cells of an object of a type, and how many there are.
fn typed_cells(program: &Program, ty: TypeId) -> (Cells, u32) {
    let types = &program.types;
    let words = types.size_of(ty).div_ceil(8).max(1);
    if words <= u64::from(WORDS) {
        return (Cells::Words, words as u32);
    }
    let mut element = ty;
    while let Type::Array { element: inner, .. } = types.get(element) {
        element = *inner;
    }
    let size = types.size_of(element);
    if element != ty && size != 0 && size <= 8 * u64::from(WORDS) {
        // Elements that are no whole words do not hold aligned pointers at constant distances.
        let distance = if size.is_multiple_of(8) { (size / 8) as u32 } else { 1 };
        return (Cells::Repeat(distance), distance);
    }
    if matches!(types.get(ty), Type::Struct { .. }) && words <= TABLE_WORDS {
        let mut table = vec![0; words as usize];
        let mut count = 0;
        fill(program, ty, 0, &mut table, &mut count);
        return (Cells::Table(table.into()), count.max(1));
    }
    (Cells::Repeat(1), 1)
}

/// Gives cells to the words of a struct; the elements of an array share theirs. Types nest to a bounded depth.
fn fill(program: &Program, ty: TypeId, start: u64, table: &mut [u32], count: &mut u32) {
    let types = &program.types;
    let mut fresh = |start: u64, size: u64, table: &mut [u32]| {
        let words = start as usize / 8..(start + size).div_ceil(8) as usize;
        // A word that starts inside of another field belongs to that one.
        let shared = !start.is_multiple_of(8);
        for (index, word) in words.enumerate() {
            if let Some(cell) = table.get_mut(word)
                && !(index == 0 && shared)
            {
                *cell = *count;
                *count += 1;
            }
        }
    };
    match types.get(ty) {
        Type::Struct { fields, .. } => {
            for (index, &field) in fields.iter().enumerate() {
                if let Some(offset) = types.offset_of(ty, index as u64) {
                    fill(program, field, start + offset, table, count);
                }
            }
        }
        Type::Array { element, length } if *length > 0 => {
            let (size, whole) = (types.size_of(*element), types.size_of(ty));
            if start.is_multiple_of(8) && size.is_multiple_of(8) {
                fill(program, *element, start, table, count);
                let (first, period) = ((start / 8) as usize, (size / 8) as usize);
                for word in first + period..(first + (whole / 8) as usize).min(table.len()) {
                    table[word] = table[word - period];
                }
            } else {
                // Numbers and characters: the array is one cell, with what shares a word with its ends.
                let first = (start / 8) as usize;
                if start.is_multiple_of(8) {
                    table[first] = *count;
                    *count += 1;
                }
                for word in first + 1..((start + whole).div_ceil(8) as usize).min(table.len()) {
                    table[word] = table[first];
                }
            }
        }
        _ => fresh(start, types.size_of(ty), table),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incise_ir::Id;

    fn heap(objects: &mut Objects, size: Option<u64>) -> ObjectId {
        let kind = ObjectKind::Heap(FunctionId::from_index(0), InstructionId::from_index(objects.len()));
        objects.add_sized(kind, size)
    }

    fn cells(objects: &mut Objects, number: LocationNumber, size: u64) -> Vec<u32> {
        let mut found = Vec::new();
        let location = objects.location(number).expect("it is in an object");
        objects.touched(location, size, &mut found);
        found
    }

    #[test]
    fn elements_of_known_size_are_words_at_a_distance() {
        let mut objects = Objects::default();
        let object = heap(&mut objects, Some(96));
        let start = objects.start(object);
        let mut merges = Vec::new();
        let field = objects.shift(start, Shift::Stride(8, 24), &mut merges);
        assert_eq!(cells(&mut objects, field, 8), [1, 4, 7, 10]);
        let next = objects.shift(field, Shift::By(8), &mut merges);
        assert_eq!(cells(&mut objects, next, 4), [2, 5, 8, 11]);
        let again = objects.shift(next, Shift::Stride(16, 24), &mut merges);
        assert_eq!(
            objects.location(again).map(|location| location.offset),
            Some(8),
            "32 is the second field"
        );
        let mixed = objects.shift(field, Shift::Stride(0, 12), &mut merges);
        assert_eq!(cells(&mut objects, mixed, 8).len(), 12, "anywhere");
        let only = objects.shift(start, Shift::Stride(8, 96), &mut merges);
        assert_eq!(cells(&mut objects, only, 8), [1]);
        assert!(merges.is_empty());
        let outside = objects.shift(start, Shift::By(-8), &mut merges);
        assert_eq!(cells(&mut objects, outside, 8), [0u32; 0]);
        let back = objects.shift(outside, Shift::By(8), &mut merges);
        assert_eq!(back, start);
    }

    #[test]
    fn an_object_of_unknown_size_learns_the_size_of_its_elements() {
        let mut objects = Objects::default();
        let object = heap(&mut objects, None);
        let start = objects.start(object);
        let mut merges = Vec::new();
        let field = objects.shift(start, Shift::Stride(8, 24), &mut merges);
        assert_eq!(merges.len(), 125, "128 words are three cells");
        assert_eq!(cells(&mut objects, field, 8), [1]);
        merges.clear();
        let far = objects.shift(start, Shift::By(24 * 1_000 + 16), &mut merges);
        assert_eq!(cells(&mut objects, far, 8), [2]);
        let odd = objects.shift(start, Shift::Stride(0, 16), &mut merges);
        assert_eq!((cells(&mut objects, odd, 8), merges), (vec![0], vec![(1, 0), (2, 0)]));
    }

    #[test]
    fn too_many_distances_are_anywhere() {
        let mut objects = Objects::default();
        let object = heap(&mut objects, None);
        let mut at = objects.start(object);
        for _ in 0..100 {
            at = objects.shift(at, Shift::By(8), &mut Vec::new());
        }
        assert_eq!(at, objects.anywhere(object));
    }
}
