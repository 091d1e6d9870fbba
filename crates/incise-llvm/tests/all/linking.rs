//! Several modules become one program.

use incise_ir::{ConstantKind, Linkage, Program, verify};
use incise_llvm::{LinkError, ModuleText, link};

fn modules<'a>(texts: &[&'a str]) -> Vec<ModuleText<'a>> {
    const NAMES: [&str; 3] = ["a.c", "b.c", "c.c"];
    texts.iter().zip(NAMES).map(|(text, name)| ModuleText { name, text: text.as_bytes() }).collect()
}

fn linked(texts: &[&str]) -> Program {
    let program = link(&modules(texts)).unwrap_or_else(|error| panic!("{error}"));
    verify(&program).unwrap_or_else(|error| panic!("{error}"));
    program
}

fn initial_value(program: &Program, name: &str) -> Option<u128> {
    let global = program.global_named(name)?;
    match program.constants[program.globals[global].initializer?].kind {
        ConstantKind::Integer(value) => Some(value),
        _ => None,
    }
}

/// What `f` returns as a constant.
fn returned(program: &Program, name: &str) -> String {
    let id = program.function_named(name).expect("the function is there");
    let (_, last) = program.functions[id].instructions.iter().next_back().expect("it has a body");
    program.instruction_text(id, last)
}

#[test]
fn declarations_find_their_definitions_in_either_order() {
    let user = "declare i32 @f()\n@x = external global [0 x i32]\ndefine ptr @main() { %r = call i32 @f() ret ptr @x }";
    let library = "define i32 @f() { ret i32 3 }\n@x = global [2 x i32] [i32 1, i32 2]";
    for texts in [[user, library], [library, user]] {
        let program = linked(&texts);
        assert_eq!((program.functions.len(), program.globals.len()), (2, 1));
        assert!(program.function_named("f").is_some_and(|id| program.functions[id].is_definition()));
        let global = &program.globals[program.global_named("x").unwrap()];
        assert_eq!(program.types.size_of(global.ty), 8, "the type is that of the definition");
    }
}

#[test]
fn internal_symbols_stay_apart() {
    let first = "@s = internal global i32 1\ndefine internal i32 @h() { ret i32 1 }\ndefine ptr @f() { %r = call i32 @h() ret ptr @s }";
    let second = "@s = internal global i32 2\ndefine internal i32 @h() { ret i32 2 }\ndefine ptr @g() { %r = call i32 @h() ret ptr @s }\n@only = internal global i32 3";
    let program = linked(&[first, second]);
    assert_eq!((program.functions.len(), program.globals.len()), (4, 3));
    assert!(
        !program.symbols.contains_key("s") && !program.symbols.contains_key("h"),
        "which one is meant is not clear"
    );
    assert_eq!(initial_value(&program, "only"), Some(3), "an internal name that is alone is found");
}

#[test]
fn an_external_symbol_is_found_before_internal_ones_of_its_name() {
    let program = linked(&["@x = internal global i32 1", "@x = global i32 2"]);
    assert_eq!(initial_value(&program, "x"), Some(2));
    assert_eq!(program.globals.len(), 2);
}

#[test]
fn weak_definitions_give_way() {
    let weak = "define weak i32 @f() { ret i32 1 }\n@x = linkonce_odr global i32 1\n@y = weak global i32 1";
    let strong = "define i32 @f() { ret i32 2 }\n@x = global i32 2\n@y = external global i32";
    for texts in [[weak, strong], [strong, weak]] {
        let program = linked(&texts);
        assert_eq!(returned(&program, "f"), "ret i32 2");
        assert_eq!((initial_value(&program, "x"), initial_value(&program, "y")), (Some(2), Some(1)));
        let linkage = program.globals[program.global_named("x").unwrap()].linkage;
        assert_eq!(linkage, Linkage::External);
    }
}

#[test]
fn of_common_symbols_the_largest_is_taken() {
    let (small, large) = ("@x = common global i32 0", "@x = common global [8 x i32] zeroinitializer");
    for texts in [[small, large], [large, small]] {
        let program = linked(&texts);
        assert_eq!(program.types.size_of(program.globals[program.global_named("x").unwrap()].ty), 32);
    }
}

#[test]
fn two_strong_definitions_are_an_error_that_names_both_files() {
    let result = link(&modules(&["define void @f() { ret void }", "define void @f() { ret void }"]));
    assert_eq!(result.unwrap_err().to_string(), "'f' is defined both in a.c and in b.c");
}

#[test]
fn a_function_is_no_variable() {
    let result = link(&modules(&["@f = external global i32", "define void @f() { ret void }"]));
    assert!(matches!(result, Err(LinkError::KindMismatch { function, .. }) if function == "b.c"));
}

#[test]
fn aliases_are_seen_by_other_modules() {
    let program = linked(&[
        "declare i32 @other()\ndefine i32 @main() { %r = call i32 @other() ret i32 %r }",
        "@other = alias i32 (), ptr @middle\n@middle = internal alias i32 (), ptr @real\ndefine i32 @real() { ret i32 5 }",
    ]);
    let main = program.function_named("main").unwrap();
    let (_, call) = program.functions[main].instructions.iter().next().unwrap();
    assert_eq!(program.instruction_text(main, call), "%r = call i32 @real()");
    assert_eq!(program.function_named("other"), program.function_named("real"));
}

#[test]
fn aliases_in_a_circle_are_an_error() {
    let result = link(&modules(&["@a = alias i32, ptr @b\n@b = alias i32, ptr @a"]));
    assert!(matches!(result, Err(LinkError::Alias { .. })));
}

#[test]
fn a_weak_reference_is_null_unless_something_defines_it() {
    let user = "declare extern_weak i32 @maybe()\ndefine i1 @f() { %c = icmp ne ptr @maybe, null ret i1 %c }";
    let program = linked(&[user]);
    let f = program.function_named("f").unwrap();
    let first = |program: &Program| {
        let (_, first) = program.functions[f].instructions.iter().next().unwrap();
        program.instruction_text(f, first)
    };
    assert_eq!(first(&program), "%c = icmp ne ptr null, null");
    let program = linked(&[user, "define i32 @maybe() { ret i32 1 }"]);
    assert_eq!(first(&program), "%c = icmp ne ptr @maybe, null");
}

#[test]
fn block_addresses_reach_functions_that_come_later() {
    let program = linked(&["@t = global ptr blockaddress(@f, %there)
        define void @f() {
          br label %there
        there:
          ret void
        }"]);
    assert_eq!(
        program.global_text(program.global_named("t").unwrap()).to_string(),
        "@t = global ptr blockaddress(@f, %there)"
    );
}
