//! How marks look. Colours are those of Okabe and Ito, which colour-blind eyes tell apart; shape, border and sign tell
//! the same without any colour.

use incise_vocabulary::Mark;

/// How a mark looks.
pub(super) struct Look {
    pub(super) fill: &'static str,
    pub(super) border: &'static str,
    pub(super) dashes: &'static str,
    pub(super) width: f64,
    /// A sign before the name.
    pub(super) sign: &'static str,
    /// What Graphviz calls the shape and the style.
    pub(super) dot_shape: &'static str,
    pub(super) dot_style: &'static str,
}

pub(super) fn look(mark: Mark) -> Look {
    let look = |fill, border, dashes, width, sign, dot_shape, dot_style| Look {
        fill,
        border,
        dashes,
        width,
        sign,
        dot_shape,
        dot_style,
    };
    match mark {
        Mark::Differs => look("#f4b183", "#b34700", "", 3.0, "\u{2260}", "octagon", "filled,bold"),
        Mark::MayDiffer => look("#fbf3a0", "#7a6a00", "7 4", 2.0, "?", "hexagon", "filled,dashed"),
        Mark::Same => look("#ffffff", "#0072b2", "", 1.2, "=", "box", "filled,rounded"),
        Mark::Unmapped => look("#eeeeee", "#777777", "2 3", 1.2, "\u{2013}", "ellipse", "filled,dotted"),
    }
}
