//! What native runs of a suite showed, as JUnit XML: what continuous integration systems read.
//!
//! A test that fails is a `failure`, a damaged one an `error`, and what could not be checked is `skipped` with the
//! reason. There are no times in it, so that the same result gives the same bytes.

use crate::suite::check::{CheckStatus, CheckedTest, SuiteCheck};
use incise_markup::xml::attribute as escaped;
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
    }
}
