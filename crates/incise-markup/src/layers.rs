//! Where nodes stand: in layers, parents above what hangs on them, as Sugiyama, Tagawa and Toda do it.
//!
//! Layers are filled from below and hold a bounded number of nodes, so that a picture of many roots does not become a
//! band. An edge over several layers gets a bend in each. The order within a layer follows the mean of the neighbours,
//! down and up a few times; the order with the fewest crossings is kept.

use std::fmt::Write as _;

/// Sizes, in pixels.
const LETTER: f64 = 7.8;
const HEIGHT: f64 = 44.0;
const GAP: f64 = 22.0;
const LAYER_GAP: f64 = 56.0;
const MARGIN: f64 = 24.0;
/// Names are cut behind so many letters; the whole name is behind the node.
const LONGEST_NAME: usize = 26;
/// How often the order is improved, and how often places are.
const SWEEPS: usize = 12;
/// Above so many nodes and bends crossings are not counted: the last order is taken.
const COUNTED: usize = 4000;

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The size of the picture.
    pub size: (f64, f64),
    /// The middle of each node, and its size.
    pub nodes: Vec<Place>,
    /// The points of each edge, from the parent to the child.
    pub edges: Vec<Vec<(f64, f64)>>,
}

/// Where a node is.
#[derive(Copy, Clone, Debug, Default)]
pub struct Place {
    /// Its middle.
    pub middle: (f64, f64),
    /// Its width and height.
    pub size: (f64, f64),
}

/// An edge from a node to one that hangs on it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LayeredEdge {
    /// The node above.
    pub from: usize,
    /// The node below.
    pub to: usize,
    /// Whether it says who stands above whom. The layered edges must not go round in a circle.
    pub layered: bool,
}

/// The width of a node with these lines in it.
pub fn width_of(lines: &[&str]) -> f64 {
    let letters = lines.iter().map(|line| shown(line).chars().count()).max().unwrap_or_default();
    (letters as f64 * LETTER + 26.0).max(64.0)
}

/// A name as it is drawn.
pub fn shown(name: &str) -> String {
    match name.chars().count() > LONGEST_NAME {
        true => name.chars().take(LONGEST_NAME - 1).chain(['\u{2026}']).collect(),
        false => name.to_owned(),
    }
}

/// A node or a bend of an edge.
struct Point {
    width: f64,
    above: Vec<usize>,
    below: Vec<usize>,
    x: f64,
}

/// Finds places for nodes of these widths. Edges that are not `layered` are drawn, and do not say who stands above
/// whom.
pub fn layout(widths: &[f64], edges: &[LayeredEdge]) -> Layout {
    let count = widths.len();
    let point = |width| Point { width, above: Vec::new(), below: Vec::new(), x: 0.0 };
    let mut points: Vec<Point> = widths.iter().map(|&width| point(width)).collect();
    let in_layers: Vec<(usize, usize)> =
        edges.iter().filter(|edge| edge.layered).map(|edge| (edge.from, edge.to)).collect();
    let mut layer_of = layers_of(count, &in_layers);
    let mut chains: Vec<Vec<usize>> = Vec::new();
    for edge in edges {
        let (top, bottom) = (layer_of[edge.from], layer_of[edge.to]);
        let mut chain = vec![edge.from];
        if edge.layered {
            for layer in top + 1..bottom.max(top + 1) {
                chain.push(points.len());
                points.push(point(4.0));
                layer_of.push(layer);
            }
        }
        chain.push(edge.to);
        if edge.layered {
            for pair in chain.windows(2) {
                points[pair[0]].below.push(pair[1]);
                points[pair[1]].above.push(pair[0]);
            }
        }
        chains.push(chain);
    }
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); layer_of.iter().max().map_or(0, |most| most + 1)];
    for point in walk(&points) {
        layers[layer_of[point]].push(point);
    }
    ordered(&mut layers, &points);
    placed(&layers, &mut points);
    finish(&layers, &points, count, &chains)
}

/// The layer of each node: above all that hangs on it, and not in one that is full.
fn layers_of(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let most = ((count as f64).sqrt() * 1.4).ceil().max(5.0) as usize;
    let (mut below, mut above) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for &(from, to) in edges {
        below[from].push(to);
        above[to].push(from);
    }
    let mut waiting: Vec<usize> = below.iter().map(Vec::len).collect();
    let mut ready: std::collections::VecDeque<usize> =
        (0..count).rev().filter(|&each| waiting[each] == 0).collect();
    let mut height = vec![0; count];
    let mut filled: Vec<usize> = Vec::new();
    while let Some(next) = ready.pop_front() {
        let mut at = below[next].iter().map(|&each| height[each] + 1).max().unwrap_or(0);
        while filled.get(at).is_some_and(|&held| held >= most) {
            at += 1;
        }
        filled.resize(filled.len().max(at + 1), 0);
        filled[at] += 1;
        height[next] = at;
        for &parent in &above[next] {
            waiting[parent] -= 1;
            if waiting[parent] == 0 {
                ready.push_back(parent);
            }
        }
    }
    let top = height.iter().max().copied().unwrap_or(0);
    height.into_iter().map(|each| top - each).collect()
}

/// All points, neighbours after each other: parts that have nothing to do with each other stay apart.
fn walk(points: &[Point]) -> Vec<usize> {
    let mut seen = vec![false; points.len()];
    let mut order = Vec::with_capacity(points.len());
    for start in 0..points.len() {
        let mut stack = vec![start];
        while let Some(point) = stack.pop() {
            if std::mem::replace(&mut seen[point], true) {
                continue;
            }
            order.push(point);
            let neighbours = points[point].below.iter().chain(&points[point].above);
            stack.extend(neighbours.rev().filter(|&&each| !seen[each]));
        }
    }
    order
}

/// Orders each layer by the mean place of the neighbours.
fn ordered(layers: &mut [Vec<usize>], points: &[Point]) {
    let counted = points.len() <= COUNTED;
    let mut best: Option<(u64, Vec<Vec<usize>>)> = None;
    let mut rank = vec![0_usize; points.len()];
    let mut sweep = |layers: &mut [Vec<usize>], down: bool| {
        let numbers: Vec<usize> =
            if down { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
        for number in numbers {
            let mean = |point: usize, rank: &[usize], own: usize| {
                let near = if down { &points[point].above } else { &points[point].below };
                match near.len() {
                    0 => own as f64,
                    length => near.iter().map(|&each| rank[each]).sum::<usize>() as f64 / length as f64,
                }
            };
            let layer = &mut layers[number];
            let mut keyed: Vec<(f64, usize)> =
                layer.iter().enumerate().map(|(own, &point)| (mean(point, &rank, own), point)).collect();
            keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
            for (place, (slot, (_, point))) in layer.iter_mut().zip(keyed).enumerate() {
                *slot = point;
                rank[point] = place;
            }
        }
    };
    for round in 0..SWEEPS {
        sweep(layers, round % 2 == 0);
        if counted {
            let crossings = crossings(layers, points);
            if best.as_ref().is_none_or(|(least, _)| crossings < *least) {
                best = Some((crossings, layers.to_vec()));
            }
        }
    }
    if let Some((_, order)) = best {
        layers.clone_from_slice(&order);
    }
}

/// How often edges cross.
fn crossings(layers: &[Vec<usize>], points: &[Point]) -> u64 {
    let mut rank = vec![0_usize; points.len()];
    for layer in layers {
        for (place, &point) in layer.iter().enumerate() {
            rank[point] = place;
        }
    }
    let mut count = 0;
    for layer in layers {
        // Ends of edges that lie to the right of those that come later cross them: counted in a tree of sums.
        let mut ends = Vec::new();
        for &point in layer {
            let mut below: Vec<usize> = points[point].below.iter().map(|&each| rank[each]).collect();
            below.sort_unstable();
            ends.extend(below);
        }
        let size = ends.iter().max().map_or(0, |most| most + 2);
        let mut tree = vec![0_u64; size + 1];
        for (before, &end) in ends.iter().enumerate() {
            let (mut at, mut not_right) = (end + 1, 0);
            while at > 0 {
                not_right += tree[at];
                at &= at - 1;
            }
            count += before as u64 - not_right;
            let mut at = end + 1;
            while at < tree.len() {
                tree[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
    }
    count
}

/// Finds where the points of each layer are from left to right: near their neighbours, in order, and apart.
fn placed(layers: &[Vec<usize>], points: &mut [Point]) {
    for layer in layers {
        let mut at = 0.0;
        for &point in layer {
            points[point].x = at + points[point].width / 2.0;
            at += points[point].width + GAP;
        }
    }
    for round in 0..SWEEPS {
        let down = round % 2 == 0;
        let numbers: Vec<usize> =
            if down { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
        for number in numbers {
            let wanted: Vec<f64> = layers[number]
                .iter()
                .map(|&point| {
                    let near = if down { &points[point].above } else { &points[point].below };
                    match near.len() {
                        0 => points[point].x,
                        length => near.iter().map(|&each| points[each].x).sum::<f64>() / length as f64,
                    }
                })
                .collect();
            apart(&layers[number], &wanted, points);
        }
    }
}

/// Sets points as near to where they want to be as their order and widths let them: who pushes each other is a group,
/// and stands where its members want to be on average.
fn apart(layer: &[usize], wanted: &[f64], points: &mut [Point]) {
    // A group: its first point, how many, the sum of where they want the first to be.
    let mut groups: Vec<(usize, usize, f64)> = Vec::new();
    let mut offset = Vec::with_capacity(layer.len());
    let mut at = 0.0;
    for (index, &point) in layer.iter().enumerate() {
        if index > 0 {
            at += (points[layer[index - 1]].width + points[point].width) / 2.0 + GAP;
        }
        offset.push(at);
    }
    for index in 0..layer.len() {
        groups.push((index, 1, wanted[index] - offset[index]));
        while let [.., (_, before, sum), (_, members, more)] = groups.as_slice() {
            if sum / *before as f64 <= more / *members as f64 {
                break;
            }
            let (first, joined, total) = (groups[groups.len() - 2].0, before + members, sum + more);
            groups.truncate(groups.len() - 2);
            groups.push((first, joined, total));
        }
    }
    for (first, members, sum) in groups {
        for index in first..first + members {
            points[layer[index]].x = sum / members as f64 + offset[index];
        }
    }
}

fn finish(layers: &[Vec<usize>], points: &[Point], count: usize, chains: &[Vec<usize>]) -> Layout {
    let left = points.iter().map(|point| point.x - point.width / 2.0).fold(f64::INFINITY, f64::min);
    let right = points.iter().map(|point| point.x + point.width / 2.0).fold(f64::NEG_INFINITY, f64::max);
    let mut y = vec![0.0; points.len()];
    for (number, layer) in layers.iter().enumerate() {
        for &point in layer {
            y[point] = MARGIN + HEIGHT / 2.0 + number as f64 * (HEIGHT + LAYER_GAP);
        }
    }
    let x = |point: usize| points[point].x - left + MARGIN;
    let nodes =
        (0..count).map(|node| Place { middle: (x(node), y[node]), size: (points[node].width, HEIGHT) });
    let edge = |chain: &Vec<usize>| {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        let down = y[last] > y[first];
        let half = if down { HEIGHT / 2.0 } else { -HEIGHT / 2.0 };
        chain
            .iter()
            .map(|&point| match point {
                point if point == first => (x(point), y[point] + half),
                point if point == last => (x(point), y[point] - half),
                point => (x(point), y[point]),
            })
            .collect()
    };
    let height = layers.len() as f64 * (HEIGHT + LAYER_GAP) - LAYER_GAP;
    Layout {
        size: ((right - left).max(0.0) + 2.0 * MARGIN, height.max(0.0) + 2.0 * MARGIN),
        nodes: nodes.collect(),
        edges: chains.iter().map(edge).collect(),
    }
}

/// A curve through points as the `d` of a path in SVG, which leaves and arrives from above and below.
pub fn curve(points: &[(f64, f64)]) -> String {
    let mut path = points.first().map_or_else(String::new, |(x, y)| format!("M{x:.1} {y:.1}"));
    for pair in points.windows(2) {
        let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
        let middle = (y + to_y) / 2.0;
        let _ = write!(path, " C{x:.1} {middle:.1} {to_x:.1} {middle:.1} {to_x:.1} {to_y:.1}");
    }
    path
}
