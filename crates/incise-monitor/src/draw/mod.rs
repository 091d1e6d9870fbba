//! Pictures of a monitor with its marks: `dot` for Graphviz, SVG in layers, and HTML to click through.

mod dot;
mod html;
mod layout;
mod look;
mod svg;

pub use dot::dot;
pub use html::html;
pub use incise_markup::layers::Layout;
pub use layout::layout;
pub use svg::svg;

use incise_vocabulary::Mark;

/// A monitor as it is drawn.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// What stands above it.
    pub title: String,
    /// A line below the title.
    pub summary: String,
    /// The nodes.
    pub nodes: Vec<PictureNode>,
    /// What edges connect, from a parent to a child, and what is said of them.
    pub edges: Vec<PictureEdge>,
    /// What is said of the whole: headings with their lines.
    pub lines: Vec<(String, Vec<String>)>,
    /// The lines of the source that steps lead to.
    pub pages: Vec<PicturePage>,
}

/// A node as it is drawn.
#[derive(Clone, Debug)]
pub struct PictureNode {
    /// Its name.
    pub name: String,
    /// A word below it: what it stands for.
    pub below: String,
    /// Its mark.
    pub mark: Mark,
    /// What is behind it: headings with their lines.
    pub details: Vec<(String, Vec<String>)>,
    /// From its value to the change.
    pub steps: Vec<PictureStep>,
}

/// A step from the value of a node to the change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureStep {
    /// What it says.
    pub text: String,
    /// The page and the line that it speaks of, if they are shown.
    pub line: Option<(usize, u32)>,
}

/// Lines of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PicturePage {
    /// What stands above them.
    pub title: String,
    /// The lines, in order.
    pub lines: Vec<ShownLine>,
}

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownLine {
    /// Its number, from 1.
    pub number: u32,
    /// What it says.
    pub text: String,
    /// Whether a step leads to it.
    pub hit: bool,
}

/// An edge as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureEdge {
    /// The parent.
    pub from: usize,
    /// The child.
    pub to: usize,
    /// What is found of it.
    pub finding: EdgeFinding,
}

/// What is found of an edge.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EdgeFinding {
    /// Nothing.
    Plain,
    /// It is in the network, and the code has no such dependence any more.
    WithoutDependence,
    /// The code has a dependence, and the network has no way for it.
    WithoutEdge,
}
