//! What native runs of a suite showed, as JUnit XML: what continuous integration systems read.
//!
//! A test that fails is a `failure`, a damaged one an `error`, and what could not be checked is `skipped` with the
//! reason. There are no times in it, so that the same result gives the same bytes.

use crate::suite::check::{CheckStatus, CheckedTest, SuiteCheck};
use std::io::{self, Write};

/// Writes the check as XML.
pub fn render(check: &SuiteCheck, out: &mut dyn Write) -> io::Result<()> {
    let (failures, errors) = (check.count(CheckStatus::Failed), check.count(CheckStatus::Damaged));
    let all = check.tests.len();
    let skipped = all - failures - errors - check.count(CheckStatus::Passed);
    let counts = format!("tests=\"{all}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"");
    let entry = escaped(&check.program.entry);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"incise\" {counts}>")?;
    writeln!(out, "  <testsuite name=\"{entry}\" {counts}>")?;
    for test in &check.tests {
        case(test, &entry, out)?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn case(test: &CheckedTest, entry: &str, out: &mut dyn Write) -> io::Result<()> {
    let start = format!("    <testcase classname=\"{entry}\" name=\"{}\"", escaped(&test.name));
    let notes = escaped(&test.notes.join("; "));
    match test.status {
        CheckStatus::Passed => writeln!(out, "{start}/>"),
        CheckStatus::Failed => {
            writeln!(out, "{start}>\n      <failure type=\"failed\" message=\"{notes}\">")?;
            writeln!(out, "path: {}", escaped(&test.path))?;
            writeln!(out, "expected: {}", escaped(&test.expected))?;
            writeln!(out, "actual: {}</failure>\n    </testcase>", escaped(&test.actual))
        }
        CheckStatus::Damaged => {
            writeln!(out, "{start}>\n      <error type=\"damaged\" message=\"{notes}\"/>\n    </testcase>")
        }
        CheckStatus::Indeterminate | CheckStatus::NotChecked | CheckStatus::Skipped => {
            let why = format!("{}: {notes}", test.status.name());
            writeln!(out, "{start}>\n      <skipped message=\"{why}\"/>\n    </testcase>")
        }
    }
}

/// Text inside of an element or attribute. XML cannot hold most control characters at all, not even escaped: they are
/// shown as C writes them.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\'' => result.push_str("&apos;"),
            // An attribute's line ends and tabs would be read as blanks.
            '\n' => result.push_str("&#10;"),
            '\t' => result.push_str("&#9;"),
            '\r' => result.push_str("&#13;"),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => {
                result.push_str(&format!("\\x{:02x}", u32::from(character)));
            }
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_escaped() {
        let mut bytes = Vec::new();
        render(&crate::suite::check::model::tests::example(), &mut bytes).unwrap();
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"incise\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">
  <testsuite name=\"f\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">
    <testcase classname=\"f\" name=\"f-1\"/>
    <testcase classname=\"f\" name=\"f-2\">
      <failure type=\"failed\" message=\"the result: predicted 1, actual &lt;2&gt; &amp; &quot;\\x01&quot;\">
path: f+1T
expected: returned 1
actual: returned 2</failure>
    </testcase>
    <testcase classname=\"f\" name=\"f-3\">
      <error type=\"damaged\" message=\"it is no JSON\"/>
    </testcase>
    <testcase classname=\"f\" name=\"f-4\">
      <skipped message=\"skipped: nothing is expected\"/>
    </testcase>
  </testsuite>
</testsuites>
";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
        assert_eq!(escaped("a'b\n\u{7f}"), "a&apos;b&#10;\u{7f}");
    }
}
