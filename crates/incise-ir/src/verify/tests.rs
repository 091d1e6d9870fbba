//! Each check of the verifier finds the fault that it is for.

use super::verify;
use crate::{
    ArithmeticFlags, BinaryOp, Block, BlockId, Constant, ConstantKind, Function, FunctionId, Id, Instruction,
    InstructionId, Linkage, Op, Operand, Parameter, Program, Type, ValueId, ValueInfo,
};

fn block(index: usize) -> BlockId {
    BlockId::from_index(index)
}

fn value(index: usize) -> Operand {
    Operand::Value(ValueId::from_index(index))
}

/// `int f(int x) { if (x + 1 == ...) ...; return x + 1 or 7; }`: three blocks, the last with a phi.
fn program() -> Program {
    let mut program = Program::new(16);
    let int = program.types.integer(32);
    let bit = program.types.integer(1);
    let one = Operand::Constant(program.constants.push(Constant { ty: int, kind: ConstantKind::Integer(1) }));
    let truth =
        Operand::Constant(program.constants.push(Constant { ty: bit, kind: ConstantKind::Integer(1) }));
    let parameter = Parameter {
        name: "x".to_owned(),
        ty: int,
        by_value: None,
        struct_return: false,
        non_null: false,
        dereferenceable: 0,
    };
    let mut function =
        Function { parameters: vec![parameter], ..Function::declaration("f", Linkage::External, int) };
    for _ in 0..3 {
        function.values.push(ValueInfo { ty: int, name: "".into() });
    }
    let add = Op::Binary { op: BinaryOp::Add, left: value(0), right: one, flags: ArithmeticFlags::default() };
    let ops = [
        (Op::ConditionalBranch { condition: truth, then: block(1), otherwise: block(2) }, None),
        (add, Some(1)),
        (Op::Branch(block(2)), None),
        (Op::Phi([(block(0), one), (block(1), value(1))].into()), Some(2)),
        (Op::Return(Some(value(2))), None),
    ];
    for (op, result) in ops {
        let result = result.map(ValueId::from_index);
        function.instructions.push(Instruction { op, result, location: None });
    }
    for (first, end) in [(0, 1), (1, 3), (3, 5)] {
        let (first, end) = (InstructionId::from_index(first), InstructionId::from_index(end));
        function.blocks.push(Block { label: String::new(), first, end });
    }
    program.functions.push(function);
    program
}

/// What the verifier says of the program after a change to its function.
fn fault(change: impl FnOnce(&mut Function)) -> String {
    let mut program = program();
    change(&mut program.functions[FunctionId::from_index(0)]);
    verify(&program).expect_err("the fault is found").to_string()
}

fn instruction(index: usize) -> InstructionId {
    InstructionId::from_index(index)
}

#[test]
fn a_right_program_verifies() {
    verify(&program()).expect("it is right");
}

#[test]
fn blocks_end_in_their_only_terminator() {
    let message = fault(|function| {
        function.instructions[instruction(2)].op = Op::Fence { ordering: crate::AtomicOrdering::Acquire }
    });
    assert!(message.contains("one terminator"), "{message}");
    let message = fault(|function| {
        function.instructions[instruction(1)].op = Op::Unreachable;
        function.instructions[instruction(1)].result = None;
    });
    assert!(message.contains("one terminator"), "{message}");
    let message = fault(|function| function.blocks[block(1)].end = instruction(2));
    assert!(message.contains("one terminator") || message.contains("does not follow"), "{message}");
    let message = fault(|function| function.instructions[instruction(2)].op = Op::Branch(block(9)));
    assert!(message.contains("does not exist"), "{message}");
    let message = fault(|function| function.instructions[instruction(2)].op = Op::Branch(block(0)));
    assert!(message.contains("entry block"), "{message}");
}

#[test]
fn values_are_defined_once_and_before_their_uses() {
    let message = fault(|function| function.instructions[instruction(4)].op = Op::Return(Some(value(1))));
    assert!(message.contains("before it is defined"), "{message}");
    let message =
        fault(|function| function.instructions[instruction(3)].result = Some(ValueId::from_index(1)));
    assert!(message.contains("twice"), "{message}");
    let message = fault(|function| function.instructions[instruction(4)].op = Op::Return(Some(value(7))));
    assert!(message.contains("defined nowhere"), "{message}");
}

#[test]
fn a_phi_has_a_value_for_each_way_in() {
    let only = |from: usize| Op::Phi([(block(from), value(0))].into());
    let message = fault(|function| function.instructions[instruction(3)].op = only(0));
    assert!(message.contains("no value for block 1"), "{message}");
    let three = Op::Phi([(block(0), value(0)), (block(1), value(0)), (block(2), value(0))].into());
    let message = fault(|function| function.instructions[instruction(3)].op = three);
    assert!(message.contains("cannot come"), "{message}");
    let early = Op::Phi([(block(0), value(1)), (block(1), value(1))].into());
    let message = fault(|function| function.instructions[instruction(3)].op = early);
    assert!(message.contains("not defined on its way"), "{message}");
}

#[test]
fn types_fit() {
    let message = fault(|function| function.instructions[instruction(1)].op = Op::FloatNegate(value(0)));
    assert!(message.contains("no float"), "{message}");
    let message = fault(|function| function.instructions[instruction(4)].op = Op::Return(None));
    assert!(message.contains("another type"), "{message}");
    let mut program = program();
    let pointer = program.types.pointer();
    program.functions[FunctionId::from_index(0)].parameters[0].ty = pointer;
    let message = verify(&program).expect_err("the fault is found").to_string();
    assert!(message.contains("parameter 0"), "{message}");
}

#[test]
fn constants_fit_their_types() {
    let mut program = program();
    let byte = program.types.integer(8);
    let kinds = [
        ConstantKind::Integer(256),
        ConstantKind::Null,
        ConstantKind::Float(1),
        ConstantKind::Bytes([1, 2].into()),
        ConstantKind::Aggregate([].into()),
    ];
    for kind in kinds {
        let mut broken = program.clone();
        broken.constants.push(Constant { ty: byte, kind });
        assert!(verify(&broken).is_err());
    }
    let array = program.types.intern(Type::Array { element: byte, length: 2 });
    program.constants.push(Constant { ty: array, kind: ConstantKind::Bytes([1, 2].into()) });
    verify(&program).expect("two bytes fit");
}
