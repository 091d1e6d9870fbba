//! The scalar parts of visible things, with the names that C gives them.

use crate::inputs::shape::{ScalarKind, Shape};
use crate::memory::Byte;
use incise_ir::DebugTypeId;
use incise_solver::{ExprId, Exprs};

/// What a part is.
#[derive(Clone, Debug)]
pub enum PartKind {
    /// A number.
    Number(ScalarKind),
    /// A pointer.
    Pointer {
        /// What it points to.
        target: Option<DebugTypeId>,
        /// Whether that is a function.
        function: bool,
    },
}

/// A scalar part of something.
#[derive(Clone, Debug)]
pub struct ShapePart {
    /// As C calls it.
    pub name: String,
    /// Where it begins.
    pub offset_bits: u64,
    /// How wide it is.
    pub bits: u32,
    /// What it is.
    pub kind: PartKind,
}

impl ShapePart {
    /// The bytes that it has a share in.
    pub fn bytes(&self) -> std::ops::Range<usize> {
        let end = (self.offset_bits + u64::from(self.bits)).div_ceil(8);
        (self.offset_bits / 8) as usize..end as usize
    }
}

/// The parts of a thing of that shape, in order. What a pointer points to is named as the pointer's elements are.
pub fn parts(name: &str, shape: &Shape) -> Vec<ShapePart> {
    let mut found = Vec::new();
    let pointee = name.strip_prefix('*');
    match (shape, pointee) {
        (Shape::Struct { members, .. }, Some(pointer)) => {
            for member in members {
                let name = format!("{pointer}->{}", member.name);
                walk(name, &member.shape, member.offset_bits, bit_field(member), &mut found);
            }
        }
        (Shape::Array { .. }, Some(pointer)) => walk(pointer.to_owned(), shape, 0, None, &mut found),
        _ => walk(name.to_owned(), shape, 0, None, &mut found),
    }
    found
}

/// The same of something that is called by its own name.
pub(crate) fn parts_of(name: &str, shape: &Shape) -> Vec<ShapePart> {
    let mut found = Vec::new();
    walk(name.to_owned(), shape, 0, None, &mut found);
    found
}

/// Where there are pointers in a thing of that shape, and what they point to.
pub(crate) fn pointer_parts(shape: &Shape) -> Vec<(u64, Option<DebugTypeId>)> {
    let pointer = |part: ShapePart| match part.kind {
        PartKind::Pointer { target, .. } => Some((part.offset_bits / 8, target)),
        PartKind::Number(_) => None,
    };
    parts_of("", shape).into_iter().filter_map(pointer).collect()
}

fn bit_field(member: &crate::inputs::shape::Member) -> Option<u32> {
    member.bit_field.then_some(member.bits as u32)
}

/// Types nest only as deep as the source has them, and shapes stop well before that.
fn walk(name: String, shape: &Shape, offset_bits: u64, field: Option<u32>, found: &mut Vec<ShapePart>) {
    match shape {
        Shape::Scalar { bits, kind } => {
            let kind = PartKind::Number(kind.clone());
            found.push(ShapePart { name, offset_bits, bits: field.unwrap_or(*bits), kind });
        }
        Shape::Pointer { target, function } => {
            let kind = PartKind::Pointer { target: *target, function: *function };
            found.push(ShapePart { name, offset_bits, bits: 64, kind });
        }
        Shape::Struct { members, .. } => {
            for member in members {
                let inner = format!("{name}.{}", member.name);
                walk(inner, &member.shape, offset_bits + member.offset_bits, bit_field(member), found);
            }
        }
        Shape::Array { element, count } => {
            for index in 0..*count {
                let inner = format!("{name}[{index}]");
                walk(inner, element, offset_bits + index * element.size() * 8, None, found);
            }
        }
        Shape::Bytes(count) => {
            for index in 0..*count {
                let kind = PartKind::Number(ScalarKind::Unsigned);
                let inner = format!("((unsigned char *)&{name})[{index}]");
                found.push(ShapePart { name: inner, offset_bits: offset_bits + index * 8, bits: 8, kind });
            }
        }
    }
}

/// The expression of a part; `None` if it was never initialised, or its bytes are not there.
pub fn expression(exprs: &mut Exprs, bytes: &[Byte], part: &ShapePart) -> Option<ExprId> {
    let range = part.bytes();
    let cells = bytes.get(range.clone())?;
    let shift = (part.offset_bits % 8) as u32;
    if let Some(whole) = word(exprs, cells)
        && shift == 0
        && exprs.width(whole) == part.bits
    {
        return Some(whole);
    }
    let mut all: Option<ExprId> = None;
    for cell in cells {
        let byte = match *cell {
            Byte::Concrete(byte) => exprs.constant(u128::from(byte), 8),
            Byte::Part { expr, byte } => {
                let (low, width) = (u32::from(byte) * 8, exprs.width(expr));
                let share = exprs.extract(expr, low, 8.min(width - low));
                exprs.zext(share, 8)
            }
            Byte::Uninitialised => return None,
        };
        all = Some(match all {
            Some(low) if exprs.width(low) + 8 <= 128 => exprs.concat(byte, low),
            Some(_) => return None,
            None => byte,
        });
    }
    let all = all?;
    Some(exprs.extract(all, shift, part.bits.min(exprs.width(all) - shift)))
}

/// The expression that bytes make up, if it is one word, or concrete.
fn word(exprs: &mut Exprs, cells: &[Byte]) -> Option<ExprId> {
    let width = cells.len() as u32 * 8;
    if let Byte::Part { expr, byte: 0 } = *cells.first()?
        && exprs.width(expr) == width
    {
        let same = |(index, cell): (usize, &Byte)| same_byte(*cell, Byte::Part { expr, byte: index as u8 });
        return cells.iter().enumerate().all(same).then_some(expr);
    }
    let mut bits = 0u128;
    for (index, cell) in cells.iter().enumerate().take(16) {
        let Byte::Concrete(byte) = cell else { return None };
        bits |= u128::from(*byte) << (8 * index);
    }
    (width <= 128).then(|| exprs.constant(bits, width))
}

/// Whether two bytes are the same without asking.
pub fn same_byte(one: Byte, other: Byte) -> bool {
    match (one, other) {
        (Byte::Concrete(one), Byte::Concrete(other)) => one == other,
        (Byte::Part { expr, byte }, Byte::Part { expr: other, byte: at }) => expr == other && byte == at,
        (Byte::Uninitialised, Byte::Uninitialised) => true,
        _ => false,
    }
}

/// A shape for an object of that size: of several elements if there is room for more than one.
pub fn fitted(shape: Shape, size: u64) -> Shape {
    let one = shape.size();
    match one {
        0 => Shape::Bytes(size),
        one if size >= 2 * one => match shape {
            // An array of which more is there than was declared.
            Shape::Array { element, .. } if element.size() > 0 => {
                let count = size / element.size();
                Shape::Array { element, count }
            }
            element => Shape::Array { element: Box::new(element), count: size / one },
        },
        one if size < one => Shape::Bytes(size),
        _ => shape,
    }
}
