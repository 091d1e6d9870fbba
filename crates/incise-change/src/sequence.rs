//! Aligning two sequences: anchors that occur once on both sides first (patience), then a longest common subsequence
//! between them (Myers).

use rustc_hash::FxHashMap;
use std::ops::Range;

/// How many differences are followed between two anchors. Beyond that, what has no anchor counts as different: more
/// than a few hundred repeated statements without a single one of their own are not worth a quadratic search.
const MAXIMUM_DIFFERENCES: usize = 1500;

/// Pairs of positions with equal items, increasing on both sides, nearly as many as possible.
pub fn align<T: Copy + Eq + std::hash::Hash>(left: &[T], right: &[T]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut work = vec![(0..left.len(), 0..right.len())];
    while let Some((mut old, mut new)) = work.pop() {
        // The end first: what a loop or a branch begins with looks more alike than what it ends with.
        while !old.is_empty() && !new.is_empty() && left[old.end - 1] == right[new.end - 1] {
            old.end -= 1;
            new.end -= 1;
            found.push((old.end, new.end));
        }
        while !old.is_empty() && !new.is_empty() && left[old.start] == right[new.start] {
            found.push((old.start, new.start));
            old.start += 1;
            new.start += 1;
        }
        if old.is_empty() || new.is_empty() {
            continue;
        }
        let anchors = anchors(left, right, &old, &new);
        if anchors.is_empty() {
            shortest_edit(&left[old.clone()], &right[new.clone()], |at, to| {
                found.push((old.start + at, new.start + to));
            });
            continue;
        }
        let (mut old_start, mut new_start) = (old.start, new.start);
        for &(at, to) in &anchors {
            work.push((old_start..at, new_start..to));
            (old_start, new_start) = (at + 1, to + 1);
        }
        work.push((old_start..old.end, new_start..new.end));
        found.extend(anchors);
    }
    found.sort_unstable();
    found
}

/// The longest increasing run of items that occur exactly once in both ranges.
fn anchors<T: Copy + Eq + std::hash::Hash>(
    left: &[T],
    right: &[T],
    old: &Range<usize>,
    new: &Range<usize>,
) -> Vec<(usize, usize)> {
    /// How often an item occurs on each side, and where last.
    type Places = [(usize, usize); 2];
    let mut places: FxHashMap<T, Places> = FxHashMap::default();
    for (side, (items, range)) in [(left, old), (right, new)].into_iter().enumerate() {
        for at in range.clone() {
            let place = &mut places.entry(items[at]).or_default()[side];
            *place = (place.0 + 1, at);
        }
    }
    let unique: Vec<(usize, usize)> = old
        .clone()
        .filter_map(|at| match places[&left[at]] {
            [(1, _), (1, to)] => Some((at, to)),
            _ => None,
        })
        .collect();
    longest_increasing(&unique)
}

/// The longest subsequence of pairs whose second parts increase; the first parts do already.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut piles: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, &(_, to)) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|&top| pairs[top].1 < to);
        previous.push(pile.checked_sub(1).map(|below| piles[below]));
        if pile == piles.len() {
            piles.push(index);
        } else {
            piles[pile] = index;
        }
    }
    let mut found = Vec::new();
    let mut next = piles.last().copied();
    while let Some(index) = next {
        found.push(pairs[index]);
        next = previous[index];
    }
    found.reverse();
    found
}

/// Myers' greedy algorithm; `visit` gets the equal pairs, in falling order. Gives up without a pair when the
/// differences are too many.
fn shortest_edit<T: Eq>(left: &[T], right: &[T], visit: impl FnMut(usize, usize)) {
    let (rows, columns) = (left.len() as isize, right.len() as isize);
    let limit = (left.len() + right.len()).min(MAXIMUM_DIFFERENCES);
    let mut rounds: Vec<Vec<isize>> = Vec::new();
    // Each round holds, for the diagonals -d, -d+2, ..., d, the furthest row that d differences reach.
    for differences in 0..=limit as isize {
        let mut round = Vec::with_capacity(differences as usize + 1);
        for step in 0..=differences {
            let diagonal = 2 * step - differences;
            let mut row = match rounds.last() {
                None => 0,
                Some(before) => furthest(before, differences, step).0,
            };
            while row < rows
                && row - diagonal < columns
                && left[row as usize] == right[(row - diagonal) as usize]
            {
                row += 1;
            }
            round.push(row);
            if row >= rows && row - diagonal >= columns {
                rounds.push(round);
                return trace(&rounds, rows, columns, visit);
            }
        }
        rounds.push(round);
    }
}

/// The row that a diagonal starts from after one more difference, and the step of the round before that it comes from.
fn furthest(before: &[isize], differences: isize, step: isize) -> (isize, isize) {
    // One more item of the left side comes from the diagonal below, one more of the right side from that above.
    let below = (step > 0).then(|| before[step as usize - 1] + 1);
    let above = (step < differences).then(|| before[step as usize]);
    match (below, above) {
        (Some(below), Some(above)) if below > above => (below, step - 1),
        (_, Some(above)) => (above, step),
        (Some(below), None) => (below, step - 1),
        (None, None) => (0, 0),
    }
}

fn trace(rounds: &[Vec<isize>], rows: isize, columns: isize, mut visit: impl FnMut(usize, usize)) {
    let mut differences = rounds.len() as isize - 1;
    let mut step = (rows - columns + differences) / 2;
    let mut row = rows;
    while differences >= 0 {
        let diagonal = 2 * step - differences;
        let (start, from) = match differences {
            0 => (0, 0),
            _ => furthest(&rounds[differences as usize - 1], differences, step),
        };
        while row > start {
            row -= 1;
            visit(row as usize, (row - diagonal) as usize);
        }
        if differences == 0 {
            return;
        }
        row = rounds[differences as usize - 1][from as usize];
        step = from;
        differences -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of a longest common subsequence, by the book.
    fn longest(left: &[u8], right: &[u8]) -> usize {
        let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
        for row in 0..left.len() {
            for column in 0..right.len() {
                table[row + 1][column + 1] = if left[row] == right[column] {
                    table[row][column] + 1
                } else {
                    table[row][column + 1].max(table[row + 1][column])
                };
            }
        }
        table[left.len()][right.len()]
    }

    fn check_pairs(left: &[u8], right: &[u8], pairs: &[(usize, usize)]) {
        assert!(pairs.iter().all(|&(at, to)| left[at] == right[to]));
        assert!(pairs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    }

    #[test]
    fn myers_finds_a_longest_common_subsequence() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for round in 0..2000 {
            let letters = 1 + round % 5;
            let mut text = |length: u64| (0..length).map(|_| random(letters) as u8).collect::<Vec<_>>();
            let (left, right) = (text(round % 13), text((round / 13) % 11));
            let mut pairs = Vec::new();
            shortest_edit(&left, &right, |at, to| pairs.push((at, to)));
            pairs.reverse();
            check_pairs(&left, &right, &pairs);
            assert_eq!(pairs.len(), longest(&left, &right), "{left:?} {right:?}");
            let pairs = align(&left, &right);
            check_pairs(&left, &right, &pairs);
        }
    }

    #[test]
    fn moved_blocks_keep_the_longer_part() {
        let pairs = align(b"abcdefgh", b"ghabcdef");
        assert_eq!(pairs.len(), 6);
    }

    #[test]
    fn many_differences_end() {
        let left: Vec<u32> = (0..6000).map(|number| number % 3).collect();
        let right: Vec<u32> = (0..6000).map(|number| 3 + number % 3).collect();
        assert!(align(&left, &right).is_empty());
    }
}
