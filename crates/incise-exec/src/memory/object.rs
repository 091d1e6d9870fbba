//! Objects: what `malloc`, a variable or a string literal is, as pages of bytes that forks share.
//!
//! A page holds concrete bytes. Where some of them are symbolic or were never written it has an overlay of cells beside
//! them. An object that was written at a symbolic index becomes one array expression.

use crate::engine::mixed::Mixed;
use crate::engine::value::Value;
use incise_ir::{DebugTypeId, Id, TypeId};
use incise_solver::{ArrayId, ExprId, Exprs};
use std::cell::Cell as StdCell;
use std::rc::Rc;

/// The bytes of a page.
pub const PAGE: u64 = 256;

/// What kind of object it is: decides who may free it and how messages name it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A global variable.
    Global,
    /// A local variable.
    Stack,
    /// From the heap.
    Heap,
    /// What a pointer input points to.
    Input,
    /// The unknown function that an input points to.
    Callback,
    /// Stands for an input object beyond the pointer depth: touching it ends the path at that limit.
    BeyondDepth,
}

/// What does not change during an object's life; shared by all forks and by all objects of one place.
#[derive(Debug)]
pub struct ObjectInfo {
    pub kind: ObjectKind,
    /// The variable's name, or what else people call it.
    pub name: String,
    pub ty: Option<TypeId>,
    pub debug_type: Option<DebugTypeId>,
    pub(crate) read_only: bool,
    /// Whether no other thread can come by its address.
    pub(crate) private: bool,
}

impl ObjectInfo {
    /// Adds what makes a difference to whoever accesses the object.
    pub(crate) fn mix(&self, mixed: &mut Mixed) {
        let kind = match self.kind {
            ObjectKind::Global => 0,
            ObjectKind::Stack => 1,
            ObjectKind::Heap => 2,
            ObjectKind::Input => 3,
            ObjectKind::Callback => 4,
            ObjectKind::BeyondDepth => 5,
        };
        let flags = u64::from(self.read_only) | u64::from(self.private) << 1 | kind << 2;
        mixed.word(flags);
        mixed.option(self.ty.map(|ty| ty.index() as u64));
        mixed.bytes(self.name.as_bytes());
    }
}

/// One byte that is not simply concrete.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cell {
    /// Look at the page's bytes.
    Concrete,
    /// Never written.
    Uninitialised,
    /// Byte number `byte` (0 is the lowest) of an expression.
    Part { expr: ExprId, byte: u8 },
}

#[derive(Clone)]
struct Overlay {
    cells: Box<[Cell]>,
    /// How many cells are not concrete: at zero the overlay goes.
    count: u32,
}

/// Bytes that lie together.
#[derive(Clone)]
pub struct Page {
    bytes: Box<[u8]>,
    overlay: Option<Box<Overlay>>,
}

impl Page {
    /// Of zeros.
    pub fn zeroed(len: usize) -> Self {
        Self { bytes: vec![0; len].into(), overlay: None }
    }

    pub(crate) fn uninitialised(len: usize) -> Self {
        let overlay = Overlay { cells: vec![Cell::Uninitialised; len].into(), count: len as u32 };
        Self { bytes: vec![0; len].into(), overlay: Some(Box::new(overlay)) }
    }

    fn set_cell(&mut self, index: usize, cell: Cell) {
        let len = self.bytes.len();
        let overlay = self
            .overlay
            .get_or_insert_with(|| Box::new(Overlay { cells: vec![Cell::Concrete; len].into(), count: 0 }));
        if overlay.cells[index] == Cell::Concrete {
            overlay.count += 1;
        }
        overlay.cells[index] = cell;
    }

    fn set_byte(&mut self, index: usize, byte: u8) {
        self.bytes[index] = byte;
        if let Some(overlay) = &mut self.overlay
            && overlay.cells[index] != Cell::Concrete
        {
            overlay.cells[index] = Cell::Concrete;
            overlay.count -= 1;
            if overlay.count == 0 {
                self.overlay = None;
            }
        }
    }

    fn mix(&self, exprs: &Exprs, mixed: &mut Mixed, symbolic: &mut Vec<ExprId>) {
        mixed.bytes(&self.bytes);
        let Some(overlay) = &self.overlay else { return mixed.word(0) };
        mixed.word(1);
        for cell in &overlay.cells {
            match *cell {
                Cell::Concrete => mixed.word(0),
                Cell::Uninitialised => mixed.word(1),
                Cell::Part { expr, byte } => {
                    mixed.words([2 + u64::from(byte), exprs.structural_hash(expr)]);
                    symbolic.push(expr);
                }
            }
        }
    }

    fn cell(&self, index: usize) -> Cell {
        self.overlay.as_ref().map_or(Cell::Concrete, |overlay| overlay.cells[index])
    }
}

#[derive(Clone)]
enum Contents {
    Pages(Pages),
    Array(ArrayId),
}

/// The pages of an object. Most objects have one.
#[derive(Clone)]
enum Pages {
    One(Rc<Page>),
    Many(Rc<Vec<Rc<Page>>>),
}

/// An object in memory.
#[derive(Clone)]
pub struct Object {
    /// What it is.
    pub info: Rc<ObjectInfo>,
    /// The bytes that there are.
    pub size: u64,
    /// If the program asked for a symbolic number of bytes, or inputs tell how many there are: that number. It is at
    /// most `size` unless the size was chosen by the engine.
    pub symbolic_size: Option<ExprId>,
    /// If the engine chose the size: what it is chosen for.
    pub assumed: Option<Rc<crate::memory::extent::Assumed>>,
    /// How often something was written to it, if it is an array without an end.
    pub version: u64,
    /// Whether the path wrote to it.
    pub written: bool,
    contents: Contents,
    /// The contents as an array expression, once it was asked for; gone with the next write.
    array: StdCell<Option<ArrayId>>,
}

/// One byte as read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Byte {
    /// This one.
    Concrete(u8),
    /// One that was never written.
    Uninitialised,
    /// A byte of an expression.
    Part {
        /// The expression.
        expr: ExprId,
        /// Which byte, the lowest first.
        byte: u8,
    },
}

impl Object {
    /// An object of `size` bytes that share `page` (of `PAGE` bytes, or of `size` if that is less).
    pub fn filled(info: Rc<ObjectInfo>, size: u64, page: Rc<Page>, tail: Option<Rc<Page>>) -> Self {
        let contents = if size <= PAGE {
            Pages::One(page)
        } else {
            let mut pages = vec![page; (size / PAGE) as usize];
            pages.extend(tail);
            Pages::Many(Rc::new(pages))
        };
        Self {
            info,
            size,
            symbolic_size: None,
            assumed: None,
            version: 0,
            written: false,
            contents: Contents::Pages(contents),
            array: StdCell::new(None),
        }
    }

    /// Adds what makes a difference to whoever accesses the object, and the expressions in it to those that are known.
    /// False if that cannot be told: two objects of which it is so may be different all the same.
    pub(crate) fn mix(&self, exprs: &Exprs, mixed: &mut Mixed, symbolic: &mut Vec<ExprId>) -> bool {
        let Contents::Pages(pages) = &self.contents else { return false };
        if self.assumed.is_some() {
            return false;
        }
        self.info.mix(mixed);
        mixed.words([self.size, self.version]);
        mixed.option(self.symbolic_size.map(|size| exprs.structural_hash(size)));
        symbolic.extend(self.symbolic_size);
        let pages = match pages {
            Pages::One(page) => std::slice::from_ref(page),
            Pages::Many(pages) => pages,
        };
        mixed.word(pages.len() as u64);
        pages.iter().for_each(|page| page.mix(exprs, mixed, symbolic));
        true
    }

    /// Whether it holds the same bytes as another.
    pub(crate) fn is_same_bytes(&self, other: &Self) -> bool {
        let same = |one: &Page, two: &Page| {
            let cells = |page: &Page| page.overlay.as_ref().map(|overlay| overlay.cells.clone());
            one.bytes == two.bytes && cells(one) == cells(two)
        };
        match (&self.contents, &other.contents) {
            (Contents::Pages(Pages::One(one)), Contents::Pages(Pages::One(two))) => same(one, two),
            (Contents::Pages(Pages::Many(one)), Contents::Pages(Pages::Many(two))) => {
                one.len() == two.len() && one.iter().zip(two.iter()).all(|(one, two)| same(one, two))
            }
            (Contents::Array(one), Contents::Array(two)) => one == two,
            _ => false,
        }
    }

    /// Whether it is an array without an end.
    #[inline]
    pub fn is_endless(&self) -> bool {
        self.assumed.as_ref().is_some_and(|assumed| assumed.endless)
    }

    #[inline]
    fn page(&self, offset: u64) -> Option<(&Page, usize)> {
        match &self.contents {
            Contents::Pages(Pages::One(page)) => Some((page, offset as usize)),
            Contents::Pages(Pages::Many(pages)) => {
                Some((pages.get((offset / PAGE) as usize)?, (offset % PAGE) as usize))
            }
            Contents::Array(_) => None,
        }
    }

    fn page_mut(&mut self, offset: u64) -> Option<(&mut Page, usize)> {
        match &mut self.contents {
            Contents::Pages(Pages::One(page)) => Some((Rc::make_mut(page), offset as usize)),
            Contents::Pages(Pages::Many(pages)) => {
                let page = Rc::make_mut(pages).get_mut((offset / PAGE) as usize)?;
                Some((Rc::make_mut(page), (offset % PAGE) as usize))
            }
            Contents::Array(_) => None,
        }
    }

    /// The little-endian word of `bytes` (at most 8) bytes at `offset`, if all are concrete and on one page.
    #[inline]
    pub fn read_word(&self, offset: u64, bytes: u64) -> Option<u64> {
        let (page, start) = self.page(offset)?;
        let slice = page.bytes.get(start..start + bytes as usize)?;
        if let Some(overlay) = &page.overlay
            && overlay.cells[start..start + bytes as usize].iter().any(|cell| *cell != Cell::Concrete)
        {
            return None;
        }
        Some(match *slice {
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => slice.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        })
    }

    /// Whether one of some bytes is that of an expression, and not only one that was never written.
    pub(crate) fn is_symbolic_at(&self, offset: u64, bytes: u64) -> bool {
        match self.page(offset) {
            None => matches!(self.contents, Contents::Array(_)),
            Some((page, start)) => page.overlay.as_ref().is_some_and(|overlay| {
                let cells = overlay.cells.iter().skip(start).take(bytes as usize);
                cells.into_iter().any(|cell| matches!(cell, Cell::Part { .. }))
            }),
        }
    }

    /// All bytes, if they are concrete and on one page.
    pub fn concrete_bytes(&self) -> Option<&[u8]> {
        match &self.contents {
            Contents::Pages(Pages::One(page)) if page.overlay.is_none() => {
                page.bytes.get(..self.size as usize)
            }
            _ => None,
        }
    }

    /// Writes the low `bytes` (at most 8) bytes of `word` at `offset`; false if the fast way does not apply.
    #[inline]
    pub(crate) fn write_word(&mut self, offset: u64, bytes: u64, word: u64) -> bool {
        let Some((page, start)) = self.page_mut(offset) else { return false };
        let end = start + bytes as usize;
        if end > page.bytes.len() {
            return false;
        }
        let source = word.to_le_bytes();
        if page.overlay.is_some() {
            for (index, &byte) in source.iter().enumerate().take(bytes as usize) {
                page.set_byte(start + index, byte);
            }
        } else {
            page.bytes[start..end].copy_from_slice(&source[..bytes as usize]);
        }
        self.written = true;
        self.array.set(None);
        true
    }

    /// The byte at `offset`; an object that became an array gives a selection from it.
    pub fn read_byte(&self, exprs: &mut Exprs, offset: u64) -> Byte {
        match self.page(offset) {
            Some((page, index)) => match page.cell(index) {
                Cell::Concrete => Byte::Concrete(page.bytes[index]),
                Cell::Uninitialised => Byte::Uninitialised,
                Cell::Part { expr, byte } => Byte::Part { expr, byte },
            },
            None => {
                let Contents::Array(array) = self.contents else { return Byte::Uninitialised };
                let index = exprs.constant(u128::from(offset), 64);
                let byte = exprs.select(array, index);
                match exprs.as_constant(byte) {
                    Some(bits) => Byte::Concrete(bits as u8),
                    None => Byte::Part { expr: byte, byte: 0 },
                }
            }
        }
    }

    /// Writes one byte.
    pub(crate) fn write_byte(&mut self, exprs: &mut Exprs, offset: u64, byte: Byte) {
        self.written = true;
        self.array.set(None);
        if let Contents::Array(array) = self.contents {
            let index = exprs.constant(u128::from(offset), 64);
            let value = match byte {
                Byte::Concrete(byte) => exprs.constant(u128::from(byte), 8),
                Byte::Part { expr, byte } => exprs.extract(expr, u32::from(byte) * 8, 8),
                // Copying what was never written leaves what was there: any value will do.
                Byte::Uninitialised => return,
            };
            self.contents = Contents::Array(exprs.array_store(array, index, value));
        } else if let Some((page, index)) = self.page_mut(offset) {
            match byte {
                Byte::Concrete(byte) => page.set_byte(index, byte),
                Byte::Uninitialised => page.set_cell(index, Cell::Uninitialised),
                Byte::Part { expr, byte } => page.set_cell(index, Cell::Part { expr, byte }),
            }
        }
    }

    /// Writes a scalar of `width` bits over its bytes.
    pub fn write_scalar(&mut self, exprs: &mut Exprs, offset: u64, width: u32, value: &Value) {
        let bytes = u64::from(width.div_ceil(8));
        if let Value::Word(word) = value
            && bytes <= 8
            && self.write_word(offset, bytes, *word)
        {
            return;
        }
        let part = |index: u64| match value {
            Value::Word(word) => Byte::Concrete((word >> (8 * index.min(7))) as u8 * u8::from(index < 8)),
            Value::Wide(wide) => Byte::Concrete((**wide >> (8 * index)) as u8),
            Value::Symbolic(expr) => Byte::Part { expr: *expr, byte: index as u8 },
            Value::Aggregate(_) | Value::Undefined => Byte::Uninitialised,
        };
        // An expression of a width that is not whole bytes is stored zero-extended.
        if let Value::Symbolic(expr) = value
            && !width.is_multiple_of(8)
        {
            let whole = exprs.zext(*expr, bytes as u32 * 8);
            let whole = Value::from_expr(exprs, whole);
            return self.write_scalar(exprs, offset, bytes as u32 * 8, &whole);
        }
        for index in 0..bytes {
            self.write_byte(exprs, offset + index, part(index));
        }
    }

    /// The contents as an array expression. `fresh` gives the expression of a byte that was never written, which it
    /// then is.
    pub fn as_array(
        &mut self,
        exprs: &mut Exprs,
        mut fresh: impl FnMut(&mut Exprs, u64) -> ExprId,
    ) -> ArrayId {
        if let Contents::Array(array) = self.contents {
            return array;
        }
        if let Some(array) = self.array.get() {
            return array;
        }
        let written = self.written;
        let mut bytes = Vec::with_capacity(self.size as usize);
        let mut cells = Vec::new();
        for offset in 0..self.size {
            let cell = match self.read_byte(exprs, offset) {
                Byte::Concrete(byte) if cells.is_empty() => {
                    bytes.push(byte);
                    continue;
                }
                Byte::Concrete(byte) => exprs.constant(u128::from(byte), 8),
                Byte::Part { expr, byte } => exprs.extract(expr, u32::from(byte) * 8, 8),
                Byte::Uninitialised => {
                    let expr = fresh(exprs, offset);
                    self.write_byte(exprs, offset, Byte::Part { expr, byte: 0 });
                    expr
                }
            };
            if cells.is_empty() {
                cells = bytes.iter().map(|&byte| exprs.constant(u128::from(byte), 8)).collect();
            }
            cells.push(cell);
        }
        self.written = written;
        let array =
            if cells.is_empty() { exprs.array_of_bytes(&bytes) } else { exprs.array_of_cells(&cells) };
        self.array.set(Some(array));
        array
    }

    /// The contents, if they are an array expression since a write at a symbolic index.
    pub fn array_contents(&self) -> Option<ArrayId> {
        match self.contents {
            Contents::Array(array) => Some(array),
            Contents::Pages(_) => None,
        }
    }

    /// Where the bytes of two objects of one size are not the same; `None` if one of them is an array expression.
    pub fn differing(&self, other: &Self) -> Option<Vec<u64>> {
        let mut offsets = Vec::new();
        let mut compare = |start: u64, one: &Rc<Page>, other: &Rc<Page>| {
            if Rc::ptr_eq(one, other) {
                return;
            }
            for index in 0..one.bytes.len().min(other.bytes.len()) {
                let (mine, theirs) = (one.cell(index), other.cell(index));
                if mine != theirs || mine == Cell::Concrete && one.bytes[index] != other.bytes[index] {
                    offsets.push(start + index as u64);
                }
            }
        };
        match (&self.contents, &other.contents) {
            (Contents::Pages(Pages::One(one)), Contents::Pages(Pages::One(other))) => compare(0, one, other),
            (Contents::Pages(Pages::Many(ones)), Contents::Pages(Pages::Many(others))) => {
                for (index, (one, other)) in ones.iter().zip(others.iter()).enumerate() {
                    compare(index as u64 * PAGE, one, other);
                }
            }
            _ => return None,
        }
        Some(offsets)
    }

    /// The same with a cell for each byte, if it was an array expression and is not large.
    pub(crate) fn in_cells(&self, exprs: &mut Exprs) -> Option<Self> {
        let mut object = self.clone();
        if let Contents::Array(_) = self.contents {
            if self.size > PAGE {
                return None;
            }
            let page = Page::uninitialised(self.size as usize);
            object.contents = Contents::Pages(Pages::One(Rc::new(page)));
            for offset in 0..self.size {
                let byte = self.read_byte(exprs, offset);
                object.write_byte(exprs, offset, byte);
            }
            object.written = self.written;
        }
        Some(object)
    }

    /// Makes the object an array expression, after a write at a symbolic index.
    pub(crate) fn set_array(&mut self, array: ArrayId) {
        self.contents = Contents::Array(array);
        self.array.set(None);
        self.written = true;
    }
}
