//! What the reader makes of small texts: values, layouts, debug information, and the messages of broken texts.

use incise_ir::{ConstantKind, DebugType, Encoding, Function, FunctionId, Op, Program, Symbol, Type, verify};
use incise_llvm::{LinkError, ModuleText, link};
use incise_testing::is_blessing;

fn read(text: &str) -> Program {
    let program = link(&[ModuleText { name: "test.ll", text: text.as_bytes() }]);
    let program = program.unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    program
}

fn error(text: &str) -> String {
    match link(&[ModuleText { name: "test.ll", text: text.as_bytes() }]) {
        Ok(_) => panic!("this is accepted:\n{text}"),
        Err(error) => error.to_string(),
    }
}

fn function<'a>(program: &'a Program, name: &str) -> (FunctionId, &'a Function) {
    let id = program.function_named(name).unwrap_or_else(|| panic!("there is no {name}"));
    (id, &program.functions[id])
}

/// The instructions of a function in their text form.
fn instructions(program: &Program, name: &str) -> Vec<String> {
    let (id, function) = function(program, name);
    function.instructions.iter().map(|(_, instruction)| program.instruction_text(id, instruction)).collect()
}

/// Every construct that the reader knows, in its text form. `make bless` takes what is read as right.
#[test]
fn exotic_syntax_is_read_as_blessed() {
    let program = read(include_str!("../seeds/exotic.ll"));
    let text = program.to_string();
    let blessed = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/seeds/exotic.txt");
    if is_blessing() {
        std::fs::write(blessed, &text).expect("the text is written");
    }
    let expected = std::fs::read_to_string(blessed).expect("there is a blessed text");
    for (number, (found, expected)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "line {}", number + 1);
    }
    assert_eq!(text.lines().count(), expected.lines().count());
    let names: Vec<_> = program.constructors.iter().map(|&id| program.functions[id].name.as_str()).collect();
    assert_eq!(names, ["early", "late"], "constructors run by priority");
    assert!(function(&program, "stop").1.no_return && !function(&program, "callee").1.no_return);
    assert!(matches!(program.symbols.get("another"), Some(Symbol::Global(_))));
    assert!(matches!(program.symbols.get("inside"), Some(Symbol::Alias(_))));
    assert_eq!(program.symbols.get("again"), program.symbols.get("another"));
    assert!(!program.symbols.contains_key("maybe"), "a weak reference that nothing defines is null");
}

#[test]
fn orderings_of_atomic_accesses_are_kept() {
    let program = read(
        r#"define i32 @f(ptr %p) {
           %a = load atomic volatile i32, ptr %p syncscope("singlethread") acquire, align 4
           store atomic i32 %a, ptr %p release, align 4
           %b = atomicrmw xchg ptr %p, i32 1 acq_rel, align 4
           %c = cmpxchg weak ptr %p, i32 0, i32 1 seq_cst monotonic, align 4
           fence seq_cst
           %d = load i32, ptr %p
           ret i32 %d
         }"#,
    );
    let text = instructions(&program, "f").join("\n");
    for words in [
        "atomic acquire volatile",
        "atomic release",
        "atomicrmw acq_rel xchg",
        "weak seq_cst monotonic",
        "fence seq_cst",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    assert_eq!(text.matches("atomic ").count(), 2, "{text}");
    // One without is not understood, and matters only to a path that comes to it.
    let bare = read("define void @f(ptr %p) {\n fence\n ret void\n}");
    let text = instructions(&bare, "f").join("\n");
    assert!(text.contains("unsupported"), "{text}");
}

#[test]
fn values_without_names_are_numbered_as_llvm_does() {
    // The parameters are 0 and 1, the entry block is 2.
    let program = read(
        "define i32 @f(i32, i32) {
           add i32 %0, %1
           br label %4
         4:
           mul i32 %3, 2
           ret i32 %5
         }",
    );
    let found = instructions(&program, "f");
    assert_eq!(found, ["%v2 = add i32 %v0, %v1", "br label %4", "%v3 = mul i32 %v2, 2", "ret i32 %v3"]);
}

#[test]
fn references_go_forward_to_blocks_and_values() {
    let program = read(
        "define i32 @f(i1 %c) {
         start:
           br i1 %c, label %last, label %middle
         last:
           %x = phi i32 [ 7, %start ], [ %y, %middle ]
           ret i32 %x
         middle:
           %y = add i32 1, 2
           br label %last
         }",
    );
    let (_, function) = function(&program, "f");
    let labels: Vec<_> = function.blocks.iter().map(|(_, block)| block.label.as_str()).collect();
    assert_eq!(labels, ["start", "last", "middle"], "blocks keep the order of the text");
    assert_eq!(instructions(&program, "f")[1], "%x = phi [ i32 7, %start ], [ i32 %y, %middle ]");
}

#[test]
fn an_unknown_instruction_takes_only_itself_down() {
    let program = read(
        "define i32 @f(i32 %a) {
           %b = frobnicate i32 %a, { 1,
              2 }, !dbg !0
           %c = add i32 %b, 1
           ret i32 %c
         }
         !0 = !DILocation(line: 7, column: 3, scope: !1)
         !1 = !DISubprogram(name: \"f\", file: !2)
         !2 = !DIFile(filename: \"f.c\", directory: \"\")",
    );
    let (_, function) = function(&program, "f");
    let first = &function.instructions.as_slice()[0];
    assert!(matches!(&first.op, Op::Unsupported(text) if text.starts_with("frobnicate")));
    assert_eq!(
        first.location.map(|location| program.position(location).to_string()),
        Some("f.c:7".to_owned())
    );
    assert_eq!(instructions(&program, "f")[1], "%c = add i32 %b, 1");
}

#[test]
fn address_arithmetic_follows_the_layout_of_types() {
    let program = read(
        "%inner = type { i8, i32, [3 x i16] }
         %outer = type { i64, %inner, <{ i8, i64 }> }
         define void @f(ptr %p, i32 %i, i64 %j) {
           %a = getelementptr %outer, ptr %p, i64 2, i32 1, i32 2, i64 %j
           %b = getelementptr %outer, ptr %p, i64 -1, i32 2, i32 1
           %c = getelementptr inbounds [4 x %inner], ptr %p, i32 %i, i8 -1
           %d = getelementptr i8, ptr %p, i32 %i
           %e = getelementptr x86_fp80, ptr %p, i64 1
           ret void
         }",
    );
    let found = instructions(&program, "f");
    // inner: 0, 4, 8 of 16 bytes; outer: 0, 8, 24 of 40 bytes.
    assert_eq!(found[0], "%a = address %p + 96 + i64 %j * 2");
    assert_eq!(found[1], "%b = address %p + -15");
    assert_eq!(found[2], "%c = address inbounds %p + -16 + i32 %i * 64");
    assert_eq!(found[3], "%d = address %p + i32 %i * 1");
    assert_eq!(found[4], "%e = address %p + 16");
}

#[test]
fn the_alignment_of_wide_integers_follows_the_data_layout() {
    let text = |layout: &str| {
        format!("target datalayout = \"{layout}\"\n@g = global {{ i8, i128 }} zeroinitializer\n")
    };
    let size = |layout: &str| {
        let program = read(&text(layout));
        program.types.size_of(program.globals.as_slice()[0].ty)
    };
    assert_eq!(size("e-m:e-i64:64-f80:128-n8:16:32:64-S128"), 24);
    assert_eq!(size("e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"), 32);
}

#[test]
fn variables_and_their_types_come_from_debug_information() {
    let program = read(include_str!("../seeds/clang19_O0.ll"));
    let (_, first) = function(&program, "first");
    assert_eq!((first.line, program.files[first.file.unwrap()].name.as_ref()), (7, "seed.c"));
    let names: Vec<_> = first.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["n", "c", "total", "i"]);
    assert_eq!(first.variables[1].parameter, Some(2));
    assert!(first.variables.iter().all(|variable| variable.by_address && variable.storage.is_some()));
    assert_eq!(first.debug_signature.len(), 3);

    // const struct node *n
    let pointer = program.resolve_debug_type(first.debug_signature[1].unwrap()).unwrap();
    let DebugType::Pointer(Some(target)) = program.debug_types[pointer] else { panic!("n is a pointer") };
    assert!(matches!(program.debug_types[target], DebugType::Qualified { constant: true, .. }));
    let node = program.resolve_debug_type(target).unwrap();
    let DebugType::Composite { name, bits, members, union } = &program.debug_types[node] else {
        panic!("a struct")
    };
    assert_eq!((name.as_str(), *bits, *union), ("node", 192, false));
    let fields: Vec<_> = members
        .iter()
        .map(|member| (member.name.as_str(), member.offset_bits, member.bits, member.bit_field))
        .collect();
    assert_eq!(
        fields,
        [("value", 0, 5, true), ("flags", 5, 3, true), ("next", 64, 64, false), ("u", 128, 32, false)]
    );
    // The struct points to itself.
    let next = program.resolve_debug_type(members[2].ty).unwrap();
    assert_eq!(program.debug_types[next], DebugType::Pointer(Some(node)));

    let color = program.resolve_debug_type(first.debug_signature[2].unwrap()).unwrap();
    let expected = DebugType::Enumeration {
        name: "color".to_owned(),
        bits: 32,
        signed: false,
        enumerators: vec![("RED".to_owned(), 0), ("GREEN".to_owned(), 7)],
    };
    assert_eq!(program.debug_types[color], expected);

    let counter = &program.globals[program.global_named("counter").unwrap()];
    assert_eq!(counter.source_name.as_deref(), Some("counter"));
    let int = &program.debug_types[counter.debug_type.unwrap()];
    assert_eq!(*int, DebugType::Basic { name: "int".to_owned(), bits: 32, encoding: Encoding::Signed });
}

#[test]
fn old_and_new_debug_information_tell_the_same() {
    let (old, new) =
        (read(include_str!("../seeds/clang15_O0.ll")), read(include_str!("../seeds/clang19_O0.ll")));
    let variables = |program: &Program, name: &str| -> Vec<(String, Option<u32>, bool)> {
        let (_, function) = function(program, name);
        let variables = function.variables.iter();
        variables
            .map(|variable| (variable.name.clone(), variable.parameter, variable.storage.is_some()))
            .collect()
    };
    for name in ["first", "make", "main"] {
        assert_eq!(variables(&old, name), variables(&new, name));
        assert!(!variables(&old, name).is_empty());
    }
    let calls = old.functions.iter().flat_map(|(_, function)| function.instructions.iter());
    let debug_calls = calls.filter(|(_, instruction)| match &instruction.op {
        Op::Call(call) => format!("{:?}", call.callee).contains("dbg"),
        _ => false,
    });
    assert_eq!(debug_calls.count(), 0, "debug information is no instruction");
}

#[test]
fn locations_go_through_inlined_calls() {
    let program = read(
        "define void @f() !dbg !3 {
           ret void, !dbg !0
         }
         !0 = !DILocation(line: 5, column: 2, scope: !4, inlinedAt: !1)
         !1 = distinct !DILocation(line: 9, column: 1, scope: !3)
         !2 = !DIFile(filename: \"f.c\", directory: \"/d\")
         !3 = distinct !DISubprogram(name: \"f\", file: !2, line: 8)
         !4 = distinct !DILexicalBlock(scope: !5)
         !5 = distinct !DISubprogram(name: \"g\", file: !6, line: 4)
         !6 = !DIFile(filename: \"g.h\", directory: \"/d\")",
    );
    let (_, function) = function(&program, "f");
    let location = program.locations[function.instructions.as_slice()[0].location.unwrap()];
    assert_eq!((program.files[location.file].name.as_ref(), location.line, location.column), ("g.h", 5, 2));
    let outer = program.locations[location.inlined_at.unwrap()];
    assert_eq!((program.files[outer.file].name.as_ref(), outer.line), ("f.c", 9));
}

#[test]
fn debug_information_in_circles_comes_to_an_end() {
    let program = read(
        "define void @f() !dbg !3 {
           ret void, !dbg !0
         }
         !0 = !DILocation(line: 5, scope: !3, inlinedAt: !1)
         !1 = !DILocation(line: 6, scope: !3, inlinedAt: !0)
         !2 = !DISubroutineType(types: !5)
         !3 = distinct !DISubprogram(name: \"f\", scope: !4, type: !2, line: 8)
         !4 = !DILexicalBlock(scope: !4)
         !5 = !{!6}
         !6 = !DIDerivedType(tag: DW_TAG_typedef, name: \"t\", baseType: !6)",
    );
    let (_, function) = function(&program, "f");
    assert_eq!(program.resolve_debug_type(function.debug_signature[0].unwrap()), None);
}

#[test]
fn broken_texts_say_where_and_what() {
    let cases = [
        ("define i32 @f() {\n  ret i32 1\n", "test.ll:3:1: the text ends before the '{' of line 1 is closed"),
        (
            "define i32 @f() {\n  %x = add i32 1, 2\n}",
            "test.ll:3:2: the block '' does not end in a terminator",
        ),
        ("define i32 @f() {\n  ret i32 %x\n}", "test.ll:2:11: '%x' is not defined"),
        ("define i32 @f(i64 %x) {\n  ret i32 %x\n}", "test.ll:2:11: '%x' has another type than this"),
        ("define void @f() {\n  br label %away\n}", "test.ll:2:13: the block '%away' is not defined"),
        (
            "define void @f() {\n  call void @g()\n  ret void\n}",
            "test.ll:2:13: '@g' is neither defined nor declared",
        ),
        ("@g = global i32", "test.ll:1:16: expected a constant, found the end of the file"),
        ("@g = global %t zeroinitializer", "test.ll:1:13: the type '%t' is not defined"),
        ("@g = global i32 0\n@g = global i32 1", "test.ll:2:1: '@g' is defined twice, first in line 1"),
        ("%t = type { %t }\n@g = global %t zeroinitializer", "test.ll:1:13: the type '%t' contains itself"),
        (
            "hello world",
            "test.ll:1:1: expected a definition of LLVM IR (define, declare, a global, a type, metadata...), found 'hello'",
        ),
        (
            "define void @f(i32* %p) {\n  ret void\n}",
            "test.ll:1:19: typed pointers ('i8*') are of LLVM 14 or older; LLVM 15 or newer is needed",
        ),
        ("@g = global [2 x i32] [i32 1]", "test.ll:1:23: this constant has fewer elements than its type"),
        ("@g = global [2 x i8] c\"abc\"", "test.ll:1:23: this string of 3 bytes does not fit its type"),
        ("@g = global i32 0, align 3", "test.ll:1:26: an alignment is a power of two up to 4294967296"),
        (
            "define void @f() {\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret void\n}",
            "test.ll:2:3: it uses the value of instruction 1 before it is defined",
        ),
        ("@s = constant [3 x i8] c\"ab", "test.ll:1:25: this string has no end"),
        (
            "BC\u{c0}",
            "test.ll:1:1: expected a definition of LLVM IR (define, declare, a global, a type, metadata...), found 'BC'",
        ),
        (
            "target triple = \"armv7-linux-gnueabihf\"",
            "test.ll:1:17: the target 'armv7-linux-gnueabihf' is not supported; compile for x86_64-linux-gnu or aarch64-linux-gnu (64-bit, little-endian, ELF)",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn nesting_has_a_limit_and_no_stack_overflow() {
    let deep = 100_000;
    let types = format!("@g = external global {}i8{}", "[1 x ".repeat(deep), "]".repeat(deep));
    let constants = format!("@g = global i8 {}", "add (i8 ".repeat(deep));
    let aggregates = format!("@g = global {{}} {}", "{ {} ".repeat(deep));
    let functions = format!("@g = external global i8{}", "()".repeat(deep));
    let mut chain = String::from("%t0 = type { i8 }\n");
    for number in 1..5_000 {
        chain.push_str(&format!("%t{number} = type {{ %t{} }}\n", number - 1));
    }
    let backwards = format!("{chain}@g = external global %t4999\n");
    let forwards: String =
        (0..5_000).map(|number| format!("@g{number} = external global %t{number}\n")).collect();
    for text in [types, functions, backwards, format!("{chain}{forwards}")] {
        let message = error(&text);
        assert!(message.contains("levels deep"), "{}", &message[..message.len().min(200)]);
    }
    for text in [constants, aggregates] {
        error(&text);
    }
}

#[test]
fn large_numbers_take_no_memory() {
    error("!4294967295 = !{}");
    error("define void @f() {\n  %4000000000 = add i32 1, 2\n  ret void\n}");
    let program = read("@g = external global [18446744073709551615 x i64]\n");
    assert_eq!(program.types.size_of(program.globals.as_slice()[0].ty), u64::MAX);
    let program = read("@g = global <4294967295 x i8> splat (i8 1)\n");
    let initializer = program.globals.as_slice()[0].initializer.unwrap();
    assert!(matches!(program.constants[initializer].kind, ConstantKind::Unsupported(_)));
}

#[test]
fn names_may_hold_anything_in_quotes() {
    let program = read(
        "@\"a b\" = global i32 1
         @\"\\01plain\" = global i32 2
         define i32 @\"f g\"(i32 %\"x y\") {
         \"the start\":
           ret i32 %\"x y\"
         }",
    );
    assert!(program.global_named("a b").is_some());
    assert!(program.global_named("plain").is_some(), "a leading \\01 only says that the name is not mangled");
    let (_, function) = function(&program, "f g");
    assert_eq!(function.parameters[0].name, "x y");
    assert_eq!(function.blocks.as_slice()[0].label, "the start");
}

#[test]
fn types_of_unknown_layout_are_opaque_as_a_whole() {
    let program = read(
        "%o = type opaque\n@g = external global { i32, [2 x %o] }\n@h = external global target(\"spirv.Image\", i32, 0)\n",
    );
    for (_, global) in program.globals.iter() {
        assert_eq!(*program.types.get(global.ty), Type::Opaque);
    }
}

#[test]
fn constants_that_we_do_not_know_do_not_stop_the_reader() {
    let program = read("@g = global ptr ptrauth (ptr @f, i32 0)\ndeclare void @f()\n");
    let initializer = program.globals.as_slice()[0].initializer.unwrap();
    assert!(matches!(program.constants[initializer].kind, ConstantKind::Unsupported(_)));
}

#[test]
fn a_module_of_another_target_names_the_file() {
    let result =
        link(&[ModuleText { name: "mac.ll", text: b"target triple = \"arm64-apple-macosx14.0.0\"" }]);
    assert!(matches!(result, Err(LinkError::Read(error)) if error.file == "mac.ll" && error.line == 1));
}
