//! A call graph with what carries impact along its calls, as plain data: Figure 2(b) of Rungta, Person and Branchaud,
//! "A Change Impact Analysis to Characterize Evolving Program Behaviors" (ICSM 2012), with results, global variables
//! and memory.

use crate::Spot;

/// The functions that executions from the entries come to, and the calls between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallGraph {
    /// The functions, in the order of the new version; those that have no body last.
    pub nodes: Vec<CallNode>,
    /// The calls, in the order of the callers and their statements.
    pub edges: Vec<CallEdge>,
}

/// A function of a call graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallNode {
    /// Its name.
    pub name: String,
    /// The file that defines it.
    pub file: Option<String>,
    /// The line that it starts at, 0 if unknown.
    pub line: u32,
    /// Whether executions begin in it.
    pub entry: bool,
    /// Whether its code changed or is new.
    pub changed: bool,
    /// Whether its code is not part of the program.
    pub external: bool,
    /// The statements that are affected in at least one context that occurs.
    pub affected: Vec<Spot>,
    /// Its impact set: the statements that are affected whatever it is given.
    pub impact: Vec<Spot>,
    /// For each parameter that has a name, its impact set: the statements that are affected if only it carries impact
    /// and nothing changed.
    pub parameters: Vec<ParameterImpact>,
    /// The global variables that carry impact into it, in at least one context.
    pub globals: Vec<String>,
    /// Whether memory does.
    pub memory: bool,
}

/// The impact set of a parameter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParameterImpact {
    /// Its name.
    pub name: String,
    /// The statements.
    pub impact: Vec<Spot>,
}

/// How a function is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// By its name.
    Direct,
    /// By its address, and all addresses that come there are known.
    Pointer,
    /// By an address that may come from elsewhere.
    Guessed,
    /// By functions of the library.
    Through(Vec<String>),
    /// Code without a name that nobody can see.
    Unseen,
}

impl EdgeKind {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Pointer => "pointer",
            Self::Guessed => "guessed",
            Self::Through(_) => "library",
            Self::Unseen => "unseen",
        }
    }
}

/// What carries impact from caller to callee, or back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flow {
    /// Arguments, each with the parameter that it becomes.
    pub arguments: Vec<(String, String)>,
    /// Whether the result does; only on the way back.
    pub result: bool,
    /// Global variables.
    pub globals: Vec<String>,
    /// Whether memory does.
    pub memory: bool,
}

impl Flow {
    /// Whether nothing does.
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && !self.result && self.globals.is_empty() && !self.memory
    }

    /// What carries impact, in words: `y -> z`, `result`, `global g`, `memory`.
    pub fn words(&self) -> Vec<String> {
        let arguments =
            self.arguments.iter().map(|(argument, parameter)| format!("{argument} -> {parameter}"));
        let result = self.result.then(|| "result".to_owned());
        let globals = self.globals.iter().map(|name| format!("global {name}"));
        let memory = self.memory.then(|| "memory".to_owned());
        arguments.chain(result).chain(globals).chain(memory).collect()
    }
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallEdge {
    /// The function that calls: a position in the nodes.
    pub caller: usize,
    /// The function that is called; `None` for code without a name that nobody can see.
    pub callee: Option<usize>,
    /// Where the call stands.
    pub spot: Spot,
    /// How the function is called.
    pub kind: EdgeKind,
    /// What carries impact into the called function.
    pub carries: Flow,
    /// What carries impact back.
    pub returns: Flow,
}

impl CallEdge {
    /// Whether impact flows along it, or something is affected below it.
    pub fn is_impacted(&self) -> bool {
        !self.carries.is_empty() || !self.returns.is_empty()
    }
}

impl CallGraph {
    /// The functions that changed or in which something is affected, and the calls between them that carry impact or
    /// lead to what changed.
    pub fn concerned(&self) -> Self {
        let is_concerned = |node: &CallNode| node.changed || !node.affected.is_empty();
        let mut numbers = vec![None; self.nodes.len()];
        let mut nodes = Vec::new();
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| is_concerned(node)) {
            numbers[at] = Some(nodes.len());
            nodes.push(node.clone());
        }
        let edge = |edge: &CallEdge| {
            let (caller, callee) = (numbers[edge.caller]?, numbers[edge.callee?]?);
            Some(CallEdge { caller, callee: Some(callee), ..edge.clone() })
        };
        Self { nodes, edges: self.edges.iter().filter_map(edge).collect() }
    }

    /// The calls that a function makes.
    pub fn calls(&self, caller: usize) -> impl Iterator<Item = &CallEdge> {
        self.edges.iter().filter(move |edge| edge.caller == caller)
    }
}
