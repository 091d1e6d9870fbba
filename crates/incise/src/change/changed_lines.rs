//! `--changed LINES`: the statements that lines of one version stand for, as if they had changed.

use anyhow::{Result, bail};
use incise_change::{Dependence, Effects, FunctionImpact, NodeId, Rules, StatementGraph};
use incise_frontend::Sources;
use incise_ir::{FileId, FunctionId, Program, SourceFile};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Lines, as in `3,7,9-11`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LineRanges(Vec<(u32, u32)>);

impl std::str::FromStr for LineRanges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<u32>().ok().filter(|&line| line > 0);
            match (number(first), number(last)) {
                (Some(first), Some(last)) if first <= last => Ok((first, last)),
                _ => Err(format!("{part:?} is no line; write lines as 12, 12-15 or 3,7,9-11")),
            }
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Self)
    }
}

impl LineRanges {
    fn contains(&self, line: u32) -> bool {
        self.0.iter().any(|&(first, last)| first <= line && line <= last)
    }
}

/// What a change of these lines means, for each function that has some of them or calls one that does, in order.
pub(crate) fn impact_of_lines(
    program: &Program,
    sources: &Sources,
    lines: &LineRanges,
    rules: Rules,
    effects: &Effects,
) -> Result<Vec<FunctionImpact>> {
    if sources.files.len() > 1 {
        bail!("--changed takes the lines of a single file, and here are {}", sources.files.len());
    }
    let own_files = own_files(program, sources);
    let mut graphs = Vec::new();
    let mut known = BTreeSet::new();
    let mut changed: BTreeMap<FunctionId, Vec<NodeId>> = BTreeMap::new();
    for (id, function) in program.functions.iter() {
        if !function.is_definition() || function.model {
            continue;
        }
        let graph = StatementGraph::new(program, id);
        for node in graph.ids() {
            let Some(line) = line_in(program, &own_files, &graph, node) else { continue };
            known.insert(line);
            if lines.contains(line) {
                changed.entry(id).or_default().push(node);
            }
        }
        graphs.push((id, graph));
    }
    refuse_empty(lines, &known)?;
    let dirty: BTreeSet<FunctionId> = changed.keys().copied().collect();
    let mut impacts = Vec::new();
    for (id, graph) in graphs {
        let own = changed.remove(&id).unwrap_or_default();
        let calling = calling(program, effects, &graph, &dirty, &own);
        if !own.is_empty() || !calling.is_empty() {
            impacts.push(FunctionImpact::of_nodes(program, effects, graph, &own, &calling, rules));
        }
    }
    Ok(impacts)
}

/// The files that lines are counted in: those of the user, not headers, which have lines of the same numbers.
fn own_files(program: &Program, sources: &Sources) -> BTreeSet<FileId> {
    let own: Vec<PathBuf> = sources.files.iter().filter_map(|file| file.canonicalize().ok()).collect();
    let is_own = |file: &SourceFile| file.path().canonicalize().is_ok_and(|file| own.contains(&file));
    // Of compiled code the source may be anywhere.
    let all = !sources.all_c();
    program.files.iter().filter(|(_, file)| all || is_own(file)).map(|(id, _)| id).collect()
}

fn line_in(
    program: &Program,
    own_files: &BTreeSet<FileId>,
    graph: &StatementGraph,
    node: NodeId,
) -> Option<u32> {
    let location = program.locations[graph.node(node).location?];
    (location.line != 0 && own_files.contains(&location.file)).then_some(location.line)
}

/// Each range must have a statement; the error names the nearest lines that have one.
fn refuse_empty(lines: &LineRanges, known: &BTreeSet<u32>) -> Result<()> {
    for &(first, last) in &lines.0 {
        if known.range(first..=last).next().is_some() {
            continue;
        }
        let what = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
        let before = known.range(..first).next_back();
        let after = known.range(last..).next();
        match (before, after) {
            (Some(before), Some(after)) => {
                bail!("there is no statement on {what}; the nearest are on lines {before} and {after}")
            }
            (Some(only), None) | (None, Some(only)) => {
                bail!("there is no statement on {what}; the nearest is on line {only}")
            }
            (None, None) => bail!(
                "no statement has a line: --changed needs debug information (compile with -g) and a function with a body"
            ),
        }
    }
    Ok(())
}

/// The statements that call one of the functions, directly or through others, and are not among those given.
fn calling(
    program: &Program,
    effects: &Effects,
    graph: &StatementGraph,
    dirty: &BTreeSet<FunctionId>,
    own: &[NodeId],
) -> Vec<NodeId> {
    let leads = |callee: &FunctionId| {
        dirty.iter().any(|&dirty| *callee == dirty || effects.may_reach(*callee, dirty))
    };
    if !effects.callees(graph.function).iter().any(leads) {
        return Vec::new();
    }
    let dependence = Dependence::new(program, effects, graph);
    let calls = |node: &NodeId| dependence.footprint(*node).calls.iter().any(leads);
    graph.ids().filter(|node| !own.contains(node) && calls(node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_people_write_them() {
        let ranges: LineRanges = "3, 7,9-11".parse().unwrap();
        assert_eq!(ranges, LineRanges(vec![(3, 3), (7, 7), (9, 11)]));
        assert!(ranges.contains(10) && !ranges.contains(8));
        for text in ["", "0", "a", "5-3", "3,,4", "-3", "1-2-3"] {
            assert!(text.parse::<LineRanges>().is_err(), "{text}");
        }
    }

    #[test]
    fn lines_without_a_statement_are_refused() {
        let known = BTreeSet::from([3, 8]);
        let refusal = |text: &str| refuse_empty(&text.parse().unwrap(), &known).unwrap_err().to_string();
        assert!(refusal("5").contains("lines 3 and 8"));
        assert!(refusal("8,9-12").contains("lines 9-12; the nearest is on line 8"));
        assert!(refuse_empty(&"1-4,8".parse().unwrap(), &known).is_ok());
    }
}
