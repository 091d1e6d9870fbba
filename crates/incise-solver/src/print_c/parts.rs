//! Parts of values: extractions, concatenations, elements of arrays.

use super::precedence::{BIT_AND, BIT_OR, BIT_XOR, PRIMARY, SHIFT, UNARY};
use super::{Printer, Sign, Text, cast};
use crate::concrete::mask;
use crate::expr::{ArrayId, ArrayKind, ExprId, ExprKind};

/// Elements of an array printed before it is cut.
pub(super) const MOST_ELEMENTS: usize = 16;

/// The bits of one expression that stay in place, with others set and inverted.
struct Masked {
    of: ExprId,
    kept: u128,
    set: u128,
    inverted: u128,
}

impl Printer<'_> {
    pub(super) fn extraction(&mut self, of: ExprId, low: u32, width: u32, hint: Sign) -> Text {
        let whole = self.exprs.width(of);
        if low == 0 {
            let inner = self.natural(of, hint);
            if matches!(width, 8 | 16 | 32 | 64) {
                return cast(&inner, width, hint == Sign::Signed);
            }
            let text = format!("{} & {:#x}", inner.at(BIT_AND), mask(width));
            return Text::new(text, BIT_AND, Sign::Unsigned, whole);
        }
        if low + width == whole {
            let inner = self.signed(of, hint == Sign::Signed);
            return Text::new(format!("{} >> {low}", inner.at(SHIFT)), SHIFT, inner.sign, whole);
        }
        let inner = self.natural(of, Sign::Unsigned);
        let bits = if width == 1 { "1".to_string() } else { format!("{:#x}", mask(width)) };
        let text = format!("{} >> {low} & {bits}", inner.at(SHIFT));
        Text::new(text, BIT_AND, Sign::Unsigned, whole)
    }

    /// A value whose bits are those of one expression in place, or constant: `x & c`, `x | c`, `x ^ c`.
    pub(super) fn masked(&mut self, e: ExprId, hint: Sign) -> Option<Text> {
        let masked = self.find_masked(e)?;
        let width = self.exprs.width(e);
        if self.exprs.width(masked.of) != width {
            return None;
        }
        let mut text = self.natural(masked.of, hint);
        let unsigned = text.unsigned;
        let lost = mask(width) & !masked.kept & !masked.set;
        if lost != 0 {
            let kept = masked.kept | masked.inverted;
            let shown = if (!kept & mask(width)).count_ones() < kept.count_ones() && width <= 64 {
                format!("~{:#x}", !kept & mask(width))
            } else {
                format!("{kept:#x}")
            };
            let sign = if kept >> (width - 1) & 1 == 0 { Sign::Either } else { text.sign };
            text = Text::new(format!("{} & {shown}", text.at(BIT_AND)), BIT_AND, sign, width);
        }
        if masked.inverted != 0 {
            text = Text::new(
                format!("{} ^ {:#x}", text.at(BIT_XOR), masked.inverted),
                BIT_XOR,
                text.sign,
                width,
            );
        }
        if masked.set != 0 {
            text = Text::new(format!("{} | {:#x}", text.at(BIT_OR), masked.set), BIT_OR, text.sign, width);
        }
        text.unsigned |= unsigned;
        // A constant with the highest bit is an unsigned one, or an int that does not reach it.
        if (masked.set | masked.inverted) >> (width - 1) & 1 == 1 && text.sign != Sign::Unsigned {
            if width < 32 {
                return Some(cast(&text, width, true));
            }
            text = Text { sign: Sign::Unsigned, unsigned: true, ..text };
        }
        Some(text)
    }

    fn find_masked(&self, e: ExprId) -> Option<Masked> {
        let mut found: Option<ExprId> = None;
        let (mut kept, mut set, mut inverted) = (0, 0, 0);
        for (part, low) in self.parts(e) {
            let width = self.exprs.width(part);
            let window = mask(width) << low;
            if let Some(value) = self.exprs.as_constant(part) {
                set |= value << low;
                continue;
            }
            let (inner, not) = match *self.exprs.kind(part) {
                ExprKind::Not(inner) => (inner, true),
                _ => (part, false),
            };
            match *self.exprs.kind(inner) {
                ExprKind::Extract { of, low: from }
                    if from == low && found.is_none_or(|known| known == of) =>
                {
                    found = Some(of)
                }
                _ => return None,
            }
            if not { inverted |= window } else { kept |= window }
        }
        Some(Masked { of: found?, kept: kept | inverted, set, inverted })
    }

    /// The parts of nested concatenations and zero extensions, with their positions, from the highest. Zeros of
    /// extensions are left out.
    pub(super) fn parts(&self, e: ExprId) -> Vec<(ExprId, u32)> {
        let mut parts = Vec::new();
        let mut rest = e;
        loop {
            match *self.exprs.kind(rest) {
                ExprKind::ZeroExtend(inner) => rest = inner,
                ExprKind::Concat(high, low) => {
                    parts.push((high, self.exprs.width(low)));
                    rest = low;
                }
                _ => {
                    parts.push((rest, 0));
                    return parts;
                }
            }
        }
    }

    pub(super) fn concatenation(&mut self, e: ExprId, hint: Sign) -> Text {
        if let Some(masked) = self.masked(e, hint) {
            return masked;
        }
        if let Some(element) = self.wide_element(e, hint) {
            return element;
        }
        let width = self.exprs.width(e);
        let mut texts = Vec::new();
        for (part, low) in self.parts(e) {
            if let Some(value) = self.exprs.as_constant(part) {
                if value != 0 {
                    texts.push(self.number(value << low, width, false, false, false));
                }
                continue;
            }
            let text = self.signed(part, false);
            if low == 0 {
                texts.push(text);
                continue;
            }
            // A part that C promotes to an int may be shifted out of it.
            let text = if text.width.max(32) < width { cast(&text, width, false) } else { text };
            texts.push(Text::new(format!("{} << {low}", text.at(SHIFT)), SHIFT, Sign::Unsigned, width));
        }
        match texts.len() {
            0 => Text::new("0".to_string(), PRIMARY, Sign::Either, width),
            1 => Text { width, sign: Sign::Unsigned, ..texts.remove(0) },
            _ => {
                let joined: Vec<String> = texts.iter().map(|text| text.at(BIT_OR)).collect();
                Text::new(joined.join(" | "), BIT_OR, Sign::Unsigned, width)
            }
        }
    }

    pub(super) fn element(&mut self, array: ArrayId, index: ExprId) -> Text {
        let name = self.array(array);
        let index = self.signed(index, false).text;
        Text::new(format!("{name}[{index}]"), PRIMARY, Sign::Unsigned, 8)
    }

    fn array(&mut self, array: ArrayId) -> String {
        let (mut stores, mut current) = (Vec::new(), array);
        while let ArrayKind::Store { array: before, index, value } = self.exprs.array_kind(current) {
            if stores.len() == MOST_ELEMENTS {
                stores.push("...".to_string());
                current = before;
                break;
            }
            let (index, value) = (self.signed(index, false).text, self.natural(value, Sign::Unsigned).text);
            stores.push(format!("[{index}] = {value}"));
            current = before;
        }
        while let ArrayKind::Store { array: before, .. } = self.exprs.array_kind(current) {
            current = before;
        }
        let base = match self.exprs.array_kind(current) {
            ArrayKind::Bytes(bytes) => bytes_literal(bytes),
            ArrayKind::Cells(cells) => self.cells(cells),
            ArrayKind::Store { .. } => "...".to_string(),
        };
        if stores.is_empty() {
            return base;
        }
        stores.reverse();
        format!("{{{base}, {}}}", stores.join(", "))
    }

    /// The name of an input array if the cells are its elements in order, else the cells.
    fn cells(&mut self, cells: &[ExprId]) -> String {
        if let Some(name) = self.name_of(cells) {
            return name;
        }
        let mut printed: Vec<String> =
            cells.iter().take(MOST_ELEMENTS).map(|&cell| self.natural(cell, Sign::Unsigned).text).collect();
        if cells.len() > MOST_ELEMENTS {
            printed.push("...".to_string());
        }
        format!("(unsigned char[]){{{}}}", printed.join(", "))
    }

    /// The name of the input array of which these are the elements in order.
    pub(super) fn name_of(&self, elements: &[ExprId]) -> Option<String> {
        let name = |at: usize, element: ExprId| {
            let symbol = self.exprs.symbol_info(self.exprs.as_symbol(element)?);
            symbol.name.strip_suffix(&format!("[{at}]")).map(str::to_string)
        };
        let first = name(0, *elements.first()?)?;
        let same =
            elements.iter().enumerate().all(|(at, &element)| name(at, element).as_ref() == Some(&first));
        same.then_some(first)
    }

    pub(super) fn bits_of_float(&mut self, e: ExprId, width: u32) -> Text {
        let text = match super::float::format_of(self.exprs.kind(e)) {
            Some(format) => format!("bits({})", self.float(e, format).text),
            None => "...".to_string(),
        };
        Text::new(text, if width > 0 { PRIMARY } else { UNARY }, Sign::Unsigned, width)
    }
}

/// A string if all bytes can be read, else numbers.
fn bytes_literal(bytes: &[u8]) -> String {
    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    if !text.is_empty() && text.iter().all(|byte| matches!(byte, b' '..=b'~') && !b"\"\\".contains(byte)) {
        let shown: String = text.iter().take(64).map(|&byte| byte as char).collect();
        return if text.len() > 64 { format!("\"{shown}...\"") } else { format!("\"{shown}\"") };
    }
    let mut printed: Vec<String> = bytes.iter().take(MOST_ELEMENTS).map(u8::to_string).collect();
    if bytes.len() > MOST_ELEMENTS {
        printed.push("...".to_string());
    }
    format!("(unsigned char[]){{{}}}", printed.join(", "))
}
