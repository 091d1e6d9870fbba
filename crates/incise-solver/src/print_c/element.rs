//! Elements of several bytes, read from an array of bytes at a symbolic index: `(int[]){10, 20, 30}[i]` in place of
//! four bytes put together.

use super::parts::MOST_ELEMENTS;
use super::precedence::PRIMARY;
use super::{Printer, Sign, Text, cast};
use crate::concrete;
use crate::expr::{ArrayId, ArrayKind, BinaryOp, ExprId, ExprKind};

/// A read of consecutive bytes.
struct Element {
    array: ArrayId,
    /// The number of bytes, a power of two.
    size: u32,
    /// The index of the element, before it was extended and multiplied.
    index: ExprId,
    signed: bool,
    /// So many elements further on.
    plus: i128,
}

impl Printer<'_> {
    /// The element that a concatenation reads, if its bytes are those of one element of an array without stores.
    pub(super) fn wide_element(&mut self, e: ExprId, hint: Sign) -> Option<Text> {
        let element = self.find_element(e)?;
        let signed = hint != Sign::Unsigned;
        let name = self.wide_array(&element, signed)?;
        let index = self.signed(element.index, element.signed);
        let index = match element.plus {
            0 => index.text,
            plus => {
                let sign = if plus < 0 { '-' } else { '+' };
                format!("{} {sign} {}", cast(&index, 64, true).text, plus.unsigned_abs())
            }
        };
        let sign = if signed { Sign::Signed } else { Sign::Unsigned };
        Some(Text::new(format!("{name}[{index}]"), PRIMARY, sign, element.size * 8))
    }

    fn find_element(&self, e: ExprId) -> Option<Element> {
        let parts = self.parts(e);
        let size = parts.len() as u32;
        if !matches!(size, 2 | 4 | 8) || self.exprs.width(e) != size * 8 {
            return None;
        }
        let read = |part: ExprId| match *self.exprs.kind(part) {
            ExprKind::Select(array, at) => Some((array, self.split_constant(at))),
            _ => None,
        };
        let (array, (index, lowest)) = read(parts.last()?.0)?;
        for &(part, low) in &parts {
            let (same_array, (same_index, distance)) = read(part)?;
            if same_array != array || same_index != index || distance != lowest + i128::from(low / 8) {
                return None;
            }
        }
        let (inner, signed) = match *self.exprs.kind(index) {
            ExprKind::ZeroExtend(inner) => (inner, false),
            ExprKind::SignExtend(inner) => (inner, true),
            _ => return None,
        };
        let ExprKind::Concat(index, zeros) = *self.exprs.kind(inner) else { return None };
        let scaled = self.exprs.as_constant(zeros) == Some(0) && 1 << self.exprs.width(zeros).min(8) == size;
        let aligned = lowest.rem_euclid(i128::from(size)) == 0;
        (scaled && aligned).then(|| Element { array, size, index, signed, plus: lowest / i128::from(size) })
    }

    /// `x` and `c` of `x + c`.
    fn split_constant(&self, e: ExprId) -> (ExprId, i128) {
        if let ExprKind::Binary(BinaryOp::Add, x, constant) = *self.exprs.kind(e)
            && let Some(constant) = self.exprs.as_constant(constant)
        {
            return (x, concrete::signed(constant, 64));
        }
        (e, 0)
    }

    /// The elements of an array, or its name if they are those of an input in order.
    fn wide_array(&mut self, element: &Element, signed: bool) -> Option<String> {
        let (size, width) = (element.size as usize, element.size * 8);
        let mut printed = Vec::new();
        let count = match self.exprs.array_kind(element.array) {
            ArrayKind::Bytes(bytes) if bytes.len().is_multiple_of(size) => {
                for bytes in bytes.chunks(size).take(MOST_ELEMENTS) {
                    let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte));
                    printed.push(self.number(value, width, signed, false, false).text);
                }
                bytes.len() / size
            }
            ArrayKind::Cells(cells) if cells.len().is_multiple_of(size) => {
                let whole: Vec<ExprId> = cells.chunks(size).map_while(|cells| self.whole(cells)).collect();
                if whole.len() * size == cells.len()
                    && let Some(name) = self.name_of(&whole)
                {
                    return Some(name);
                }
                for cells in cells.chunks(size).take(MOST_ELEMENTS) {
                    printed.push(self.cells_together(cells, signed)?);
                }
                cells.len() / size
            }
            _ => return None,
        };
        if count > MOST_ELEMENTS {
            printed.push("...".to_string());
        }
        let sign = if signed { "" } else { "unsigned " };
        let name = match size {
            2 => "short",
            4 => "int",
            _ => "long",
        };
        Some(format!("({sign}{name}[]){{{}}}", printed.join(", ")))
    }

    /// Cells that are the bytes of one expression, or constant, as one element.
    fn cells_together(&mut self, cells: &[ExprId], signed: bool) -> Option<String> {
        if let Some(whole) = self.whole(cells) {
            return Some(self.signed(whole, signed).text);
        }
        let mut value = 0;
        for &cell in cells.iter().rev() {
            value = value << 8 | self.exprs.as_constant(cell)?;
        }
        Some(self.number(value, cells.len() as u32 * 8, signed, false, false).text)
    }

    /// The expression of which these are all bytes, from the lowest.
    fn whole(&self, cells: &[ExprId]) -> Option<ExprId> {
        let mut found = None;
        for (at, &cell) in cells.iter().enumerate() {
            match *self.exprs.kind(cell) {
                ExprKind::Extract { of, low } if low as usize == 8 * at && *found.get_or_insert(of) == of => {
                }
                _ => return None,
            }
        }
        found.filter(|&whole| self.exprs.width(whole) as usize == 8 * cells.len())
    }
}
