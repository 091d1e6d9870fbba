//! Tests for Unity (ThrowTheSwitch).

use super::{File, identifier};
use std::fmt::Write;

/// What a test does when it is judged.
const BRIDGE: &str = r#"
#include "unity.h"

void setUp(void) {}

void tearDown(void) {}

static __attribute__((unused)) void incise_unity(const struct incise_test *test) {
    switch (incise_judge(test)) {
        case INCISE_PASSED: TEST_PASS(); break;
        case INCISE_FAILED: TEST_FAIL_MESSAGE(incise_reason); break;
        case INCISE_NOT_CHECKED: TEST_IGNORE_MESSAGE(incise_reason); break;
    }
}

"#;

/// The file.
pub(super) fn write(file: &File<'_>) -> Result<Vec<(String, String)>, std::fmt::Error> {
    let mut out = String::new();
    file.start(
        &["-I$UNITY/src", "$UNITY/src/unity.c"],
        &["UNITY is the folder that Unity is in."],
        &mut out,
    )?;
    out.push_str(BRIDGE);
    for (test, body) in file.bodies {
        let name = identifier(&test.name);
        writeln!(out, "static void test_{name}(void) {{\n    incise_unity(&{});\n}}\n", body.variable())?;
    }
    writeln!(out, "int main(void) {{\n    UNITY_BEGIN();")?;
    for (test, _) in file.bodies {
        writeln!(out, "    RUN_TEST(test_{});", identifier(&test.name))?;
    }
    writeln!(out, "    return UNITY_END();\n}}")?;
    Ok(vec![(format!("{}.c", file.program()), out)])
}
