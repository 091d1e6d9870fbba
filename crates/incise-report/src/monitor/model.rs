//! What a change does to a health monitor, as plain data: the model of `incise monitor`.

use crate::verdict::{TakenInput, Witness};
use crate::{Place, Version};
use incise_vocabulary::{Mark, Sameness};

/// A monitor with its marks.
#[derive(Clone, Debug)]
pub struct MonitorReport {
    /// The file of the monitor.
    pub file: String,
    /// What it is called there; may be empty.
    pub name: String,
    /// The format of the file: a stable name.
    pub format: String,
    /// What one of its nodes is called.
    pub part: String,
    /// The old version.
    pub old: Version,
    /// The new version.
    pub new: Version,
    /// The function whose end is looked at.
    pub entry: String,
    /// Whether marks are made by the rules of the paper, and not by comparing what the versions do.
    pub paper: bool,
    /// The nodes, in the order of the file.
    pub nodes: Vec<MonitorNode>,
    /// The edges in the order of the file, then dependences of the code that have none.
    pub edges: Vec<MonitorEdge>,
    /// The verdict on the watched variables as a whole.
    pub sameness: Sameness,
    /// The inputs that witnesses of nodes refer to, by number from 0.
    pub witnesses: Vec<Witness>,
    /// The inputs with the states of all nodes, before and after.
    pub evidence: Vec<Evidence>,
    /// What the inputs were taken to be.
    pub taken: Vec<TakenInput>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// What is odd about the file of the monitor: a line, and what it is.
    pub warnings: Vec<(u32, String)>,
    /// The tests of the suite that come by marked nodes, and how many there are; `None` without a suite.
    pub suite: Option<(Vec<String>, usize)>,
    /// Pairs of paths that were compared, and questions put to the solver chain: one exploration for all nodes.
    pub effort: (u64, u64),
}

/// A node of a monitor.
#[derive(Clone, Debug)]
pub struct MonitorNode {
    /// Its name.
    pub name: String,
    /// What it is for: a stable name.
    pub kind: &'static str,
    /// What the change does to it.
    pub mark: Mark,
    /// Whether it is the same after one call, and can differ after later ones, which begin with what that one left.
    pub later: bool,
    /// What it stands for in the program, as a C expression or `function:variable`.
    pub maps_to: Option<String>,
    /// The nodes whose marks it follows, if it has no variable of its own.
    pub follows: Vec<String>,
    /// Why it has its mark.
    pub reasons: Vec<String>,
    /// From the statement that gives it its value down to the changed line.
    pub chain: Vec<ChainStep>,
    /// An input that shows the difference.
    pub witness: Option<NodeWitness>,
    /// What became of its states, if its numbers have any.
    pub states: Option<NodeStates>,
}

/// A step from a node to the change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainStep {
    /// Where it is, in NEW or OLD.
    pub place: Option<Place>,
    /// Whether it is a line of OLD.
    pub in_old: bool,
    /// The line.
    pub text: String,
    /// Why it is there.
    pub because: String,
}

/// An input that shows that a node differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeWitness {
    /// Which of the witnesses.
    pub number: usize,
    /// The part of what the node stands for that differs, if it is not all of it.
    pub part: Option<String>,
    /// The value that OLD leaves, and the one that NEW leaves.
    pub values: (String, String),
    /// The states that these are, if thresholds say so.
    pub states: Option<(String, String)>,
    /// Whether native runs of both versions showed it.
    pub replayed: bool,
}

/// Which states a node can be in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeStates {
    /// Those that only NEW can come to.
    pub gained: Vec<String>,
    /// Those that only OLD could come to.
    pub lost: Vec<String>,
    /// Those that one version can come to, and of the other it is not known.
    pub open: Vec<String>,
    /// Why something is not known.
    pub reason: Option<String>,
}

/// What is found of an edge.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EdgeFinding {
    /// The network has it, and the code of NEW has no such dependence any more.
    WithoutDependence,
    /// The code of NEW has a dependence that the network has no way for.
    WithoutEdge,
}

impl EdgeFinding {
    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::WithoutDependence => "no-dependence",
            Self::WithoutEdge => "no-edge",
        }
    }
}

/// An edge of the network, or a dependence of the code without one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MonitorEdge {
    /// The parent.
    pub from: String,
    /// The child.
    pub to: String,
    /// What is found of it.
    pub finding: Option<EdgeFinding>,
    /// Whether that is so since the change only.
    pub by_change: bool,
    /// Where the code has, or had, the dependence.
    pub places: Vec<Place>,
}

/// The states of all nodes for one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// Which of the witnesses.
    pub witness: usize,
    /// The state or value of each node in OLD and in NEW; nothing where none is known.
    pub nodes: Vec<(Option<String>, Option<String>)>,
}

impl MonitorReport {
    /// How many nodes have a mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.nodes.iter().filter(|node| node.mark == mark).count()
    }

    /// How many nodes are the same after one call, and can differ after later ones.
    pub fn later(&self) -> usize {
        self.nodes.iter().filter(|node| node.later).count()
    }

    /// How much of the monitor is proved untouched, in percent.
    pub fn untouched(&self) -> f64 {
        match self.nodes.len() {
            0 => 100.0,
            all => ((self.count(Mark::Same) - self.later()) as f64 * 1000.0 / all as f64).round() / 10.0,
        }
    }

    /// The worst mark that says something: an unmapped node alone is none.
    pub fn worst(&self) -> Mark {
        let marks = self.nodes.iter().map(|node| node.mark).filter(|mark| *mark != Mark::Unmapped);
        marks.max().unwrap_or(Mark::Same)
    }

    /// One line on the whole.
    pub fn summary(&self) -> String {
        let of = |mark: Mark| match (mark, self.count(mark)) {
            (Mark::Differs, 1) => {
                if self.paper {
                    "1 marked".to_owned()
                } else {
                    "1 differs".to_owned()
                }
            }
            (Mark::Differs, count) => format!("{count} {}", if self.paper { "marked" } else { "differ" }),
            (mark, count) => format!("{count} {}", mark.words()),
        };
        let marks: Vec<String> = [Mark::Differs, Mark::MayDiffer, Mark::Unmapped]
            .into_iter()
            .filter(|mark| self.count(*mark) > 0)
            .map(of)
            .collect();
        let rest = match self.paper {
            true => format!("{} not marked", self.count(Mark::Same)),
            false => {
                let later = match self.later() {
                    0 => String::new(),
                    count => format!(" ({count} may differ in later calls)"),
                };
                format!("{} same{later}: {}% proved untouched", self.count(Mark::Same), self.untouched())
            }
        };
        let marks = if marks.is_empty() { rest } else { format!("{}; {rest}", marks.join(", ")) };
        format!("{} nodes: {marks}", self.nodes.len())
    }
}
