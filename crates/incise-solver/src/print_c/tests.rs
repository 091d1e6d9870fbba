use crate::expr::BinaryOp::{Add, And, LShr, Mul, SDiv, Shl, UDiv, Xor};
use crate::expr::{BinaryOp, CompareOp, ExprId, Exprs, FloatBinary, FloatCompare, FloatFormat, SymbolKind};

struct Case {
    e: Exprs,
}

impl Case {
    fn new() -> Self {
        Case { e: Exprs::new() }
    }

    fn int(&mut self, name: &str) -> ExprId {
        self.e.symbol(name, 32, SymbolKind::Signed)
    }

    fn unsigned(&mut self, name: &str) -> ExprId {
        self.e.symbol(name, 32, SymbolKind::Unsigned)
    }

    fn char(&mut self, name: &str) -> ExprId {
        self.e.symbol(name, 8, SymbolKind::Char)
    }

    fn number(&mut self, value: i128, width: u32) -> ExprId {
        self.e.constant(value as u128, width)
    }

    fn with(&mut self, op: BinaryOp, a: ExprId, value: i128) -> ExprId {
        let width = self.e.width(a);
        let constant = self.number(value, width);
        self.e.binary(op, a, constant)
    }

    fn compared(&mut self, op: CompareOp, a: ExprId, value: i128) -> ExprId {
        let width = self.e.width(a);
        let constant = self.number(value, width);
        self.e.compare(op, a, constant)
    }

    #[track_caller]
    fn check(&self, e: ExprId, expected: &str) {
        assert_eq!(self.e.display_c(e), expected);
    }
}

#[test]
fn comparisons_with_constants() {
    let mut c = Case::new();
    let (a, u) = (c.int("a"), c.unsigned("u"));
    for (op, value, expected) in [
        (CompareOp::Slt, 5, "a < 5"),
        (CompareOp::Sge, 5, "a >= 5"),
        (CompareOp::Sgt, 4, "a >= 5"),
        (CompareOp::Sgt, 0, "a > 0"),
        (CompareOp::Sle, 0, "a <= 0"),
        (CompareOp::Sle, 4, "a < 5"),
        (CompareOp::Slt, -5, "a < -5"),
        (CompareOp::Eq, 3, "a == 3"),
        (CompareOp::Ne, -3, "a != -3"),
        (CompareOp::Ult, 10, "(unsigned)a < 10u"),
        (CompareOp::Uge, 0x10000000, "(unsigned)a >= 0x10000000u"),
    ] {
        let compared = c.compared(op, a, value);
        c.check(compared, expected);
    }
    let compared = c.compared(CompareOp::Ult, u, 10);
    c.check(compared, "u < 10");
    let compared = c.compared(CompareOp::Slt, u, 10);
    c.check(compared, "(int)u < 10");
    let b = c.int("b");
    let less = c.e.compare(CompareOp::Slt, a, b);
    c.check(less, "a < b");
    let below = c.e.compare(CompareOp::Ult, a, u);
    c.check(below, "(unsigned)a < u");
    let equal = c.e.eq(b, a);
    c.check(equal, "a == b");
}

#[test]
fn characters() {
    let mut c = Case::new();
    let s = c.char("s[0]");
    let wide = c.e.sext(s, 32);
    let dash = c.compared(CompareOp::Eq, wide, b'-' as i128);
    c.check(dash, "s[0] == '-'");
    let end = c.compared(CompareOp::Ne, wide, 0);
    c.check(end, "s[0] != 0");
    let quote = c.compared(CompareOp::Eq, s, b'\'' as i128);
    c.check(quote, "s[0] == '\\''");
    let digit = c.compared(CompareOp::Sge, wide, b'0' as i128);
    c.check(digit, "s[0] >= '0'");
    let value = c.with(BinaryOp::Sub, wide, b'0' as i128);
    c.check(value, "s[0] - '0'");
    let small = c.compared(CompareOp::Ult, value, 10);
    c.check(small, "(unsigned char)(s[0] - '0') < 10u");
    let high = c.compared(CompareOp::Eq, s, -1);
    c.check(high, "s[0] == -1");
}

#[test]
fn connectives_take_negations_in() {
    let mut c = Case::new();
    let (a, b) = (c.int("a"), c.int("b"));
    let (p, q) = (c.compared(CompareOp::Slt, a, 3), c.compared(CompareOp::Eq, b, 0));
    let both = c.e.and(p, q);
    c.check(both, "a < 3 && b == 0");
    let neither = c.e.not(both);
    c.check(neither, "a >= 3 || b != 0");
    let r = c.compared(CompareOp::Eq, a, 9);
    let mixed = c.e.or(both, r);
    c.check(mixed, "a < 3 && b == 0 || a == 9");
    let nested = c.e.and(neither, r);
    c.check(nested, "(a >= 3 || b != 0) && a == 9");
    let differ = c.e.binary(Xor, p, q);
    c.check(differ, "(a < 3) != (b == 0)");
    let choice = c.e.ite(r, a, b);
    let compared = c.compared(CompareOp::Slt, choice, 4);
    c.check(compared, "(a == 9 ? a : b) < 4");
}

#[test]
fn equalities_with_several_numbers_are_in_the_order_of_the_numbers() {
    let mut c = Case::new();
    let (a, u) = (c.int("a"), c.unsigned("u"));
    for (symbol, values, expected) in [
        (a, [11, 3, -5, 100], "a == -5 || a == 3 || a == 11 || a == 100"),
        (u, [11, 0xffff_fff0, 3, 20], "u == 3 || u == 11 || u == 20 || u == 0xfffffff0"),
    ] {
        let mut any = Exprs::FALSE;
        for value in values {
            let equal = c.compared(CompareOp::Eq, symbol, value);
            any = c.e.or(any, equal);
        }
        c.check(any, expected);
        let none = c.e.not(any);
        c.check(none, &expected.replace("==", "!=").replace("||", "&&"));
    }
    // Conditions of several expressions stay as they were.
    let (one, other) = (c.compared(CompareOp::Eq, a, 10), c.compared(CompareOp::Eq, u, 9));
    let either = c.e.or(one, other);
    c.check(either, "a == 10 || u == 9");
}

#[test]
fn arithmetic_has_no_more_parentheses_than_needed() {
    let mut c = Case::new();
    let (a, b) = (c.int("a"), c.int("b"));
    let product = c.with(Mul, a, 10);
    let sum = c.e.binary(Add, product, b);
    c.check(sum, "a * 10 + b");
    let minus = c.with(Add, sum, -48);
    c.check(minus, "a * 10 + b - 48");
    let plain = c.e.add(a, b);
    let scaled = c.with(Mul, plain, 3);
    c.check(scaled, "(a + b) * 3");
    let negative = c.e.neg(a);
    c.check(negative, "-a");
    let quotient = c.with(SDiv, a, 7);
    c.check(quotient, "a / 7");
    let quotient = c.with(UDiv, a, 7);
    c.check(quotient, "(unsigned)a / 7u");
    for (op, value, expected) in [
        (SDiv, 2, "a / 2"),
        (SDiv, 8, "a / 8"),
        (BinaryOp::SRem, 2, "a % 2"),
        (BinaryOp::SRem, 16, "a % 16"),
        (BinaryOp::SRem, 10, "a % 10"),
    ] {
        let result = c.with(op, a, value);
        c.check(result, expected);
    }
    let inverse = c.e.not(a);
    c.check(inverse, "~a");
    let u = c.unsigned("u");
    let wide = c.e.zext(u, 64);
    let inverse = c.e.not(wide);
    c.check(inverse, "~(unsigned long)u");
    let shifted = c.e.binary(Shl, a, b);
    c.check(shifted, "a << (unsigned)b");
}

#[test]
fn parts_of_values() {
    let mut c = Case::new();
    let (a, u) = (c.int("a"), c.unsigned("u"));
    let byte = c.e.extract(u, 8, 8);
    c.check(byte, "u >> 8 & 0xff");
    let low = c.e.trunc(a, 8);
    c.check(low, "(char)a");
    let masked = c.with(And, a, 0xff00);
    c.check(masked, "a & 0xff00");
    let flags = c.with(BinaryOp::Or, u, 4);
    c.check(flags, "u | 0x4");
    let cleared = c.with(And, u, !0x70);
    c.check(cleared, "u & ~0x70");
    let shifted = c.with(LShr, u, 3);
    c.check(shifted, "u >> 3");
    let set = c.with(And, u, 1);
    let tested = c.compared(CompareOp::Ne, set, 0);
    c.check(tested, "u & 0x1");
    let wide = c.e.sext(a, 64);
    let next = c.with(Add, wide, 1);
    c.check(next, "(long)a + 1");
}

#[test]
fn arrays() {
    let mut c = Case::new();
    let i = c.e.symbol("i", 64, SymbolKind::Unsigned);
    let table = c.e.array_of_bytes(b"0123456789abcdef\0");
    let read = c.e.select(table, i);
    c.check(read, "\"0123456789abcdef\"[i]");
    let cells: Vec<ExprId> = (0..4).map(|at| c.char(&format!("s[{at}]"))).collect();
    let s = c.e.array_of_cells(&cells);
    let read = c.e.select(s, i);
    c.check(read, "s[i]");
    let j = c.e.symbol("j", 64, SymbolKind::Unsigned);
    let zero = c.number(0, 8);
    let stored = c.e.array_store(s, j, zero);
    let read = c.e.select(stored, i);
    c.check(read, "{s, [j] = 0}[i]");
}

#[test]
fn elements_of_several_bytes_are_read_as_one() {
    let mut c = Case::new();
    let (i, x) = (c.int("i"), c.int("x"));
    let wide = c.e.sext(i, 64);
    let scaled = c.with(Mul, wide, 4);
    let read = |c: &mut Case, array, plus: i128| {
        let mut value = None;
        for byte in 0..4 {
            let at = c.with(Add, scaled, plus + byte);
            let byte = c.e.select(array, at);
            value = Some(value.map_or(byte, |low| c.e.concat(byte, low)));
        }
        value.unwrap()
    };
    let bytes: Vec<u8> = [10i32, -20, 30].iter().flat_map(|number| number.to_le_bytes()).collect();
    let table = c.e.array_of_bytes(&bytes);
    let value = read(&mut c, table, 0);
    c.check(value, "(int[]){10, -20, 30}[i]");
    let sum = c.e.add(value, x);
    let above = c.compared(CompareOp::Sgt, sum, 4);
    c.check(above, "x + (int[]){10, -20, 30}[i] >= 5");
    let value = read(&mut c, table, 8);
    c.check(value, "(int[]){10, -20, 30}[(long)i + 2]");
    let value = read(&mut c, table, -4);
    c.check(value, "(int[]){10, -20, 30}[(long)i - 1]");
    // In the middle of an element, the bytes are not one.
    let value = read(&mut c, table, 2);
    assert!(c.e.display_c(value).contains(" << 24 | "));
    let inputs: Vec<ExprId> = (0..3).map(|at| c.int(&format!("a[{at}]"))).collect();
    let bytes_of = |c: &mut Case, elements: &[ExprId]| -> Vec<ExprId> {
        elements.iter().flat_map(|&e| [0, 8, 16, 24].map(|low| c.e.extract(e, low, 8))).collect()
    };
    let cells = bytes_of(&mut c, &inputs);
    let array = c.e.array_of_cells(&cells);
    let value = read(&mut c, array, 0);
    c.check(value, "a[i]");
    let seven = c.number(7, 32);
    let cells = bytes_of(&mut c, &[seven, x, inputs[2]]);
    let array = c.e.array_of_cells(&cells);
    let value = read(&mut c, array, 0);
    c.check(value, "(int[]){7, x, a[2]}[i]");
}

#[test]
fn floats() {
    let mut c = Case::new();
    let double = FloatFormat::Double;
    let [x, y] = ["x", "y"].map(|name| c.e.symbol(name, 64, SymbolKind::Float(double)));
    let half = c.e.constant(0.5f64.to_bits() as u128, 64);
    let sum = c.e.float_binary(FloatBinary::Add, double, x, half);
    let product = c.e.float_binary(FloatBinary::Mul, double, sum, y);
    let less = c.e.float_compare(FloatCompare::Lt, double, product, half);
    c.check(less, "(x + 0.5) * y < 0.5");
    let not = c.e.not(less);
    c.check(not, "!((x + 0.5) * y < 0.5)");
    let nan = c.e.float_compare(FloatCompare::Unordered, double, x, x);
    c.check(nan, "isnan(x)");
    let negative = c.e.float_neg(double, x);
    let magnitude = c.e.float_abs(double, y);
    let below = c.e.float_compare(FloatCompare::Le, double, negative, magnitude);
    c.check(below, "-x <= fabs(y)");
    let a = c.int("a");
    let converted = c.e.int_to_float(true, double, a);
    let equal = c.e.float_compare(FloatCompare::Eq, double, converted, x);
    c.check(equal, "x == (double)a");
    let back = c.e.float_to_int(double, true, 32, x);
    let positive = c.compared(CompareOp::Sgt, back, 0);
    c.check(positive, "(int)x > 0");
}

#[test]
fn large_expressions_are_cut() {
    let mut c = Case::new();
    let (a, b) = (c.int("a"), c.int("b"));
    let mut deep = a;
    for _ in 0..100_000 {
        let product = c.e.binary(Mul, deep, b);
        deep = c.e.binary(Xor, product, a);
    }
    let text = c.e.display_c(deep);
    assert!(text.contains("...") && text.len() < 5_000);
    let mut shared = a;
    for _ in 0..200 {
        let product = c.e.binary(Mul, shared, shared);
        shared = c.e.binary(Xor, product, b);
    }
    let text = c.e.display_c(shared);
    assert!(text.contains("...") && text.len() < 5_000);
}
