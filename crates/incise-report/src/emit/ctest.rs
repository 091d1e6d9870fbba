//! The plain C program, and a `CMakeLists.txt` that builds it and registers each test with CTest.

use super::{File, plain};
use crate::test::c_program::INPUTS_FILE;
use std::fmt::Write;

/// The files.
pub(super) fn write(file: &File<'_>) -> Result<Vec<(String, String)>, std::fmt::Error> {
    let mut files = plain::write(file)?;
    if files.is_empty() {
        return Ok(files);
    }
    files.push(("CMakeLists.txt".to_owned(), registration(file)?));
    Ok(files)
}

fn registration(file: &File<'_>) -> Result<String, std::fmt::Error> {
    let target = format!("incise_{}", file.program());
    let mut out = String::new();
    writeln!(out, "# Tests of {}, written by incise: add_subdirectory() of this folder, or", file.entry)?;
    writeln!(out, "# cmake -S . -B build && cmake --build build && ctest --test-dir build")?;
    writeln!(out, "cmake_minimum_required(VERSION 3.13)\nproject({target} C)\nenable_testing()\n")?;
    writeln!(out, "add_executable({target}\n  {}.c", file.program())?;
    for source in &file.context.other_sources {
        writeln!(out, "  {}", word(source))?;
    }
    if file.calls {
        writeln!(out, "  {INPUTS_FILE}")?;
    }
    writeln!(out, ")")?;
    flags(&target, file, &mut out)?;
    writeln!(out, "target_link_libraries({target} PRIVATE m)\n\nforeach(incise_test")?;
    for (test, _) in file.bodies {
        writeln!(out, "  {}", word(&test.name))?;
    }
    writeln!(out, ")\n  add_test(NAME ${{incise_test}} COMMAND {target} ${{incise_test}})")?;
    writeln!(out, "  set_tests_properties(${{incise_test}} PROPERTIES SKIP_RETURN_CODE 77)\nendforeach()")?;
    Ok(out)
}

/// The compiler's flags, in CMake's words.
fn flags(target: &str, file: &File<'_>, out: &mut String) -> std::fmt::Result {
    if !file.context.other_sources.is_empty() {
        // Another file may hold the program's main.
        writeln!(out, "target_compile_definitions({target} PRIVATE main=incise_program_main)")?;
    }
    let mut words = file.context.flags.iter();
    while let Some(flag) = words.next() {
        match flag.strip_prefix("-I") {
            Some("") => {
                let folder = words.next().map_or("", String::as_str);
                writeln!(out, "target_include_directories({target} PRIVATE {})", word(folder))?;
                continue;
            }
            Some(folder) => {
                writeln!(out, "target_include_directories({target} PRIVATE {})", word(folder))?;
                continue;
            }
            None => {}
        }
        if flag == "-include" {
            let header = words.next().map_or("", String::as_str);
            let at = if header.starts_with('/') { "" } else { "${CMAKE_CURRENT_SOURCE_DIR}/" };
            // The prefix keeps the two words together.
            writeln!(
                out,
                "target_compile_options({target} PRIVATE \"SHELL:-include \\\"{at}{}\\\"\")",
                escaped(header)
            )?;
        } else if flag.starts_with("-Wl,") || flag == "-no-pie" {
            writeln!(out, "target_link_options({target} PRIVATE {})", word(flag))?;
        } else {
            writeln!(out, "target_compile_options({target} PRIVATE {})", word(flag))?;
        }
    }
    Ok(())
}

/// A word as CMake takes it.
fn word(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=+,:@%".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        text.to_owned()
    } else {
        format!("\"{}\"", escaped(text))
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$").replace(';', "\\;")
}

#[cfg(test)]
mod tests {
    use super::super::{Context, Emit, emit};
    use crate::test::Expected;
    use crate::{ProgramIdentity, TestCase};

    #[test]
    fn flags_are_said_in_cmakes_words() {
        let context = Context {
            source: "../a b.c".to_owned(),
            other_sources: vec!["../c.c".to_owned()],
            flags: ["-DNAME=\"x;y\"", "-I../inc", "-I", "include", "-include", "../z.h", "-no-pie"]
                .map(str::to_owned)
                .to_vec(),
            ..Context::default()
        };
        let test = TestCase {
            name: "f-1".to_owned(),
            program: ProgramIdentity { entry: "f".to_owned(), ..ProgramIdentity::default() },
            condition: String::new(),
            taken: Vec::new(),
            inputs: Vec::new(),
            schedule: None,
            expected: Some(Expected::default()),
        };
        let emitted = emit(Emit::Ctest, "f", &[test.clone(), TestCase { expected: None, ..test }], &context);
        assert_eq!(emitted.tests, 1);
        assert_eq!(emitted.left_out, [("there is no prediction to check".to_owned(), 1)].into());
        let names: Vec<&str> = emitted.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["test_f.c", "CMakeLists.txt"]);
        let text = &emitted.files[1].1;
        for line in [
            "  ../c.c",
            "target_compile_definitions(incise_test_f PRIVATE main=incise_program_main)",
            r#"target_compile_options(incise_test_f PRIVATE "-DNAME=\"x\;y\"")"#,
            "target_include_directories(incise_test_f PRIVATE ../inc)",
            "target_include_directories(incise_test_f PRIVATE include)",
            r#"target_compile_options(incise_test_f PRIVATE "SHELL:-include \"${CMAKE_CURRENT_SOURCE_DIR}/../z.h\"")"#,
            "target_link_options(incise_test_f PRIVATE -no-pie)",
            "  f-1",
        ] {
            assert!(text.lines().any(|each| each == line), "no {line} in:\n{text}");
        }
    }

    #[test]
    fn nothing_is_written_for_no_tests() {
        for kind in Emit::ALL {
            let emitted = emit(kind, "f", &[], &Context::default());
            assert_eq!(emitted.tests, 0);
            // Unity takes an empty list of tests; the others have a table, which C knows no empty one of.
            assert_eq!(emitted.files.is_empty(), kind != Emit::Unity);
        }
    }
}
