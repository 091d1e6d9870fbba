//! JSON for people and for version control: what belongs together is on one line.
//!
//! The members of the document and of the objects in it have lines of their own, and so have the elements of their
//! arrays. An object further inside is one line.

use serde::Serialize;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Objects from this depth on are on one line.
const DEEP: usize = 2;

/// The text of a document.
#[cfg(test)]
pub(crate) fn to_text(document: &impl Serialize) -> serde_json::Result<String> {
    write(document, Lines::default(), 8192, "\n")
}

/// The text of a value, on one line, and without its end.
pub(crate) fn to_line(value: &impl Serialize) -> serde_json::Result<String> {
    write(value, Lines { inline: 1, ..Lines::default() }, 512, "")
}

/// The text of a member of a document, from its value on and without its end.
pub(crate) fn to_member(value: &impl Serialize) -> serde_json::Result<String> {
    write(value, Lines { depth: 1, ..Lines::default() }, 512, "")
}

/// `about` is how many bytes it will be.
fn write(value: &impl Serialize, lines: Lines, about: usize, end: &str) -> serde_json::Result<String> {
    let mut text = Vec::with_capacity(about);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, lines))?;
    text.extend_from_slice(end.as_bytes());
    String::from_utf8(text).map_err(serde::ser::Error::custom)
}

/// Where line breaks are.
#[derive(Default)]
struct Lines {
    /// How many objects and arrays are open.
    depth: usize,
    /// How many of them are on one line.
    inline: usize,
    /// Whether the innermost has something in it.
    filled: bool,
}

impl Lines {
    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8], deep: bool) -> io::Result<()> {
        if self.inline > 0 || deep {
            self.inline += 1;
        }
        self.depth += 1;
        self.filled = false;
        out.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.inline > 0 {
            self.inline -= 1;
        } else if self.filled {
            self.break_line(out)?;
        }
        self.filled = true;
        out.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        match (self.inline > 0, first) {
            (true, true) => Ok(()),
            (true, false) => out.write_all(b", "),
            (false, true) => self.break_line(out),
            (false, false) => {
                out.write_all(b",")?;
                self.break_line(out)
            }
        }
    }

    fn break_line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[", false)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let deep = self.depth >= DEEP;
        self.open(out, b"{", deep)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_deep_inside_is_one_line() {
        let document = json!({
            "name": "a\nb",
            "none": [],
            "all": [{"x": 1, "y": {"z": [1, 2], "w": {}}}, {}],
            "inner": {"result": {"x": 1}, "list": [{"x": 1}, 2], "empty": {}},
        });
        let text = r#"{
  "name": "a\nb",
  "none": [],
  "all": [
    {"x": 1, "y": {"z": [1, 2], "w": {}}},
    {}
  ],
  "inner": {
    "result": {"x": 1},
    "list": [
      {"x": 1},
      2
    ],
    "empty": {}
  }
}
"#;
        assert_eq!(to_text(&document).unwrap(), text);
        assert_eq!(serde_json::from_str::<serde_json::Value>(text).unwrap(), document);
        assert_eq!(
            to_line(&json!({"a": [1, {"b": []}], "c": "d"})).unwrap(),
            r#"{"a": [1, {"b": []}], "c": "d"}"#
        );
    }
}
