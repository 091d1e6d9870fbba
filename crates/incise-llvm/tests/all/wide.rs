//! Integers of more than 128 bits are written out in words; a small interpreter checks what the words compute against
//! plain arithmetic on bits.

use incise_ir::{BinaryOp, CastOp, ConstantKind, Function, Id, Op, Operand, Program, ValueId, verify};
use incise_llvm::{ModuleText, link};
use std::collections::HashMap;

/// Runs a function of one block on bytes that its only parameter points to.
struct Interpreter<'a> {
    program: &'a Program,
    function: &'a Function,
    values: HashMap<ValueId, u128>,
    memory: Vec<u8>,
}

impl Interpreter<'_> {
    fn value(&self, operand: Operand) -> u128 {
        match operand {
            Operand::Value(value) => self.values[&value],
            Operand::Constant(constant) => match self.program.constants[constant].kind {
                ConstantKind::Integer(value) => value,
                _ => panic!("a constant that this interpreter does not know"),
            },
        }
    }

    fn bits(&self, operand: Operand) -> u32 {
        self.program.types.scalar_bits(self.program.operand_type(self.function, operand)).unwrap()
    }

    fn run(&mut self) -> Option<u128> {
        let mask = |value: u128, bits: u32| if bits == 128 { value } else { value & ((1 << bits) - 1) };
        let signed = |value: u128, bits: u32| (value << (128 - bits)) as i128 >> (128 - bits);
        for (_, instruction) in self.function.instructions.iter() {
            let result_bits = instruction
                .result
                .and_then(|value| self.program.types.scalar_bits(self.function.values[value].ty))
                .unwrap_or(0);
            let result = match &instruction.op {
                Op::Binary { op, left, right, .. } => {
                    let (bits, left, right) = (self.bits(*left), self.value(*left), self.value(*right));
                    match op {
                        BinaryOp::And => left & right,
                        BinaryOp::Or => left | right,
                        BinaryOp::Xor => left ^ right,
                        BinaryOp::Shl => left << right,
                        BinaryOp::LShr => left >> right,
                        BinaryOp::AShr => (signed(left, bits) >> right) as u128,
                        _ => panic!("an operation that this interpreter does not know"),
                    }
                }
                Op::Cast { op: CastOp::SignExtend, value } => {
                    signed(self.value(*value), self.bits(*value)) as u128
                }
                Op::Cast { value, .. } | Op::Freeze(value) => self.value(*value),
                Op::ElementPointer { base, offset, .. } => self.value(*base) + *offset as u128,
                Op::Load { ty, pointer, .. } => {
                    let (at, size) =
                        (self.value(*pointer) as usize, self.program.types.store_size(*ty) as usize);
                    self.memory[at..at + size]
                        .iter()
                        .rev()
                        .fold(0, |value, &byte| value << 8 | u128::from(byte))
                }
                Op::Store { value, pointer, .. } => {
                    let (at, size) = (self.value(*pointer) as usize, self.bits(*value).div_ceil(8) as usize);
                    let bytes = self.value(*value).to_le_bytes();
                    self.memory[at..at + size].copy_from_slice(&bytes[..size]);
                    continue;
                }
                Op::Return(value) => return value.map(|value| self.value(value)),
                other => panic!("{other:?}"),
            };
            self.values.insert(instruction.result.unwrap(), mask(result, result_bits));
        }
        None
    }
}

fn run(text: &str, memory: &[u8]) -> (Option<u128>, Vec<u8>) {
    let program = link(&[ModuleText { name: "wide.ll", text: text.as_bytes() }])
        .unwrap_or_else(|error| panic!("{error}"));
    verify(&program).unwrap();
    let function = &program.functions[program.function_named("f").unwrap()];
    let values = HashMap::from([(ValueId::from_index(0), 0)]);
    let mut interpreter = Interpreter { program: &program, function, values, memory: memory.to_vec() };
    let result = interpreter.run();
    (result, interpreter.memory)
}

fn memory(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|index| (index * 37 + 11) as u8 ^ (index as u8).rotate_left(3)).collect()
}

fn bit(memory: &[u8], index: usize) -> u128 {
    u128::from(memory[index / 8] >> (index % 8) & 1)
}

fn field(memory: &[u8], from: usize, length: usize) -> u128 {
    (0..length).rev().fold(0, |value, index| value << 1 | bit(memory, from + index))
}

/// The decimal digits of an integer of `width` bits that is all ones but for a field of zeros.
fn clear_mask(width: usize, from: usize, length: usize) -> String {
    let mut digits = vec![0u8];
    for index in (0..width).rev() {
        let mut carry = u8::from(!(from..from + length).contains(&index));
        for digit in digits.iter_mut() {
            let value = *digit * 2 + carry;
            (*digit, carry) = (value % 10, value / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect()
}

#[test]
fn fields_of_wide_integers_are_read() {
    for width in [136usize, 152, 192, 200, 256, 320] {
        let memory = memory(width / 8);
        for (from, length) in
            [(0, 5), (3, 61), (60, 10), (64, 64), (70, 33), (127, 2), (width - 9, 9), (100, 30)]
        {
            for (shift, extend) in [("ashr", "sext"), ("lshr", "zext")] {
                let (up, down) = (width - from - length, width - length);
                let text = format!(
                    "define i128 @f(ptr %p) {{
                       %1 = load i{width}, ptr %p, align 1
                       %2 = shl i{width} %1, {up}
                       %3 = {shift} i{width} %2, {down}
                       %4 = trunc i{width} %3 to i64
                       %5 = {extend} i64 %4 to i128
                       ret i128 %5
                     }}"
                );
                let raw = field(&memory, from, length);
                let negative = shift == "ashr" && raw >> (length - 1) & 1 == 1;
                let expected = if negative { raw | u128::MAX << length } else { raw };
                let (result, _) = run(&text, &memory);
                assert_eq!(result, Some(expected), "{width} {from} {length} {shift}");
            }
        }
    }
}

#[test]
fn fields_of_wide_integers_are_written() {
    for width in [136usize, 152, 200, 256] {
        let memory = memory(width / 8);
        for (from, length) in [(0, 5), (3, 30), (60, 10), (70, 31), (127, 2), (width - 9, 9)] {
            let mask = (1u64 << length) - 1;
            let keep = clear_mask(width, from, length);
            let text = format!(
                "define void @f(ptr %p) {{
                   %1 = load i{width}, ptr %p, align 1
                   %2 = zext i32 -1431655766 to i{width}
                   %3 = and i{width} %2, {mask}
                   %4 = shl i{width} %3, {from}
                   %5 = and i{width} %1, {keep}
                   %6 = or i{width} %5, %4
                   store i{width} %6, ptr %p, align 1
                   ret void
                 }}"
            );
            let (_, after) = run(&text, &memory);
            for index in 0..width {
                let inside = (from..from + length).contains(&index);
                let offset = index.wrapping_sub(from);
                let expected =
                    if inside { u128::from(0xAAAA_AAAAu32) >> offset & 1 } else { bit(&memory, index) };
                assert_eq!(bit(&after, index), expected, "{width} {from} {length}: bit {index}");
            }
        }
    }
}

#[test]
fn what_cannot_be_written_out_is_unsupported() {
    let text = "define i64 @f(ptr %p) {
        %1 = load i256, ptr %p
        %2 = mul i256 %1, 3
        %3 = trunc i256 %2 to i64
        ret i64 %3
      }";
    let program = link(&[ModuleText { name: "wide.ll", text: text.as_bytes() }]).unwrap();
    let function = &program.functions[program.function_named("f").unwrap()];
    let unsupported =
        function.instructions.iter().filter(|(_, instruction)| matches!(instruction.op, Op::Unsupported(_)));
    assert_eq!(unsupported.count(), 2);
}
