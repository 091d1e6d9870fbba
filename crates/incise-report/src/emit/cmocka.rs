//! Tests for cmocka.

use super::{File, identifier};
use crate::c_string;
use std::fmt::Write;

/// What a test does when it is judged.
const BRIDGE: &str = r#"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static __attribute__((unused)) void incise_cmocka(const struct incise_test *test) {
    switch (incise_judge(test)) {
        case INCISE_PASSED: break;
        case INCISE_FAILED: fail_msg("%s", incise_reason); break;
        case INCISE_NOT_CHECKED: print_message("%s: %s\n", test->name, incise_reason); skip(); break;
    }
}

"#;

/// The file.
pub(super) fn write(file: &File<'_>) -> Result<Vec<(String, String)>, std::fmt::Error> {
    if file.bodies.is_empty() {
        // C knows no empty table.
        return Ok(Vec::new());
    }
    let mut out = String::new();
    file.start(&["-lcmocka"], &[], &mut out)?;
    out.push_str(BRIDGE);
    for (test, body) in file.bodies {
        let name = identifier(&test.name);
        writeln!(out, "static void test_{name}(void **state) {{\n    (void)state;")?;
        writeln!(out, "    incise_cmocka(&{});\n}}\n", body.variable())?;
    }
    writeln!(out, "int main(void) {{\n    const struct CMUnitTest incise_tests[] = {{")?;
    for (test, _) in file.bodies {
        let (name, function) = (c_string(test.name.as_bytes()), identifier(&test.name));
        writeln!(out, "        {{{name}, test_{function}, NULL, NULL, NULL}},")?;
    }
    let group = c_string(file.entry.as_bytes());
    writeln!(out, "    }};\n    return cmocka_run_group_tests_name({group}, incise_tests, NULL, NULL);\n}}")?;
    Ok(vec![(format!("{}.c", file.program()), out)])
}
