//! Commands to GitHub's runner, which it reads from what a step prints: `::error file=a.c,line=3::text`.

use crate::visible;

/// The text of a command, which ends with its line.
pub fn data(text: &str) -> String {
    // Ends of lines are wanted, and everything else that is not seen is shown.
    let shown = visible(&text.replace("\r\n", "\n"));
    shown.replace('%', "%25").replace('\n', "%0A")
}

/// The value of a property, which ends at a comma or at colons.
pub fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_stays_one_line_and_a_value_one_value() {
        assert_eq!(data("50%\r\n::error::x\rz"), "50%25%0A::error::x\\x0dz");
        assert_eq!(property("a,b:c\n%"), "a%2Cb%3Ac%0A%25");
    }
}
