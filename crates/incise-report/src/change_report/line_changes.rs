//! Which lines of two texts belong together: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986),
//! with what both texts begin and end with left aside. Where texts have little in common, what is between is taken to
//! be another text: a report is no proof.

/// As many lines may differ before the search is given up.
const MOST_DIFFERENT: usize = 1_000;

/// Pairs of equal lines, by their numbers from 0, in order.
pub(super) fn equal_lines(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let before = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let behind = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(one, other)| one == other);
    let behind = behind.count();
    let (old_end, new_end) = (old.len() - behind, new.len() - behind);
    let mut pairs: Vec<(usize, usize)> = (0..before).map(|at| (at, at)).collect();
    let middle = shortest(&old[before..old_end], &new[before..new_end]);
    pairs.extend(middle.into_iter().map(|(one, other)| (one + before, other + before)));
    pairs.extend((0..behind).map(|at| (old_end + at, new_end + at)));
    pairs
}

/// The pairs of a shortest way from one text to the other; none if that is too long.
fn shortest(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let most = (old.len() + new.len()).min(MOST_DIFFERENT);
    // How far one comes on each diagonal, after each number of differences. Diagonals are numbered from `most` on.
    let mut furthest = vec![0_usize; 2 * most + 3];
    let mut before: Vec<Vec<usize>> = Vec::new();
    for count in 0..=most {
        before.push(furthest[most + 1 - count..=most + 1 + count].to_vec());
        for step in 0..=count {
            let diagonal = most + 1 + 2 * step - count;
            let down = step == 0 || (step < count && furthest[diagonal - 1] < furthest[diagonal + 1]);
            let mut x = if down { furthest[diagonal + 1] } else { furthest[diagonal - 1] + 1 };
            let Some(mut y) = (x + most + 1).checked_sub(diagonal) else { continue };
            while x < old.len() && y < new.len() && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            furthest[diagonal] = x;
            if x >= old.len() && y >= new.len() {
                return walked_back(&before, (old.len(), new.len()), most);
            }
        }
    }
    Vec::new()
}

/// The equal lines on the way that was found.
fn walked_back(before: &[Vec<usize>], (mut x, mut y): (usize, usize), most: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (count, reached) in before.iter().enumerate().rev() {
        // `reached` begins at the diagonal `most + 1 - count`.
        let first = most + 1 - count;
        let at = |diagonal: usize| reached.get(diagonal.wrapping_sub(first)).copied().unwrap_or_default();
        let diagonal = x + most + 1 - y;
        let step = (diagonal - first) / 2;
        let down = step == 0 || (step < count && at(diagonal - 1) < at(diagonal + 1));
        let (from_x, from_diagonal) = match (count, down) {
            (0, _) => (0, most + 1),
            (_, true) => (at(diagonal + 1), diagonal + 1),
            (_, false) => (at(diagonal - 1), diagonal - 1),
        };
        let from_y = (from_x + most + 1).saturating_sub(from_diagonal);
        while x > from_x && y > from_y {
            (x, y) = (x - 1, y - 1);
            pairs.push((x, y));
        }
        (x, y) = (from_x, from_y);
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of a longest common subsequence, by the textbook.
    fn longest_common(old: &[&str], new: &[&str]) -> usize {
        let mut row = vec![0; new.len() + 1];
        for one in old {
            let mut corner = 0;
            for (at, other) in new.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if one == other { corner + 1 } else { above.max(row[at]) };
                corner = above;
            }
        }
        row[new.len()]
    }

    #[test]
    fn as_many_lines_are_paired_as_can_be() {
        let words = ["a", "b", "c"];
        let mut seed = 7_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..3000 {
            let mut text =
                |most: u64| -> Vec<&str> { (0..random(most)).map(|_| words[random(3) as usize]).collect() };
            let (old, new) = (text(12), text(12));
            let pairs = equal_lines(&old, &new);
            assert!(pairs.iter().all(|&(one, other)| old[one] == new[other]), "{old:?} {new:?} {pairs:?}");
            assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1), "{pairs:?}");
            assert_eq!(pairs.len(), longest_common(&old, &new), "{old:?} {new:?} {pairs:?}");
        }
    }

    #[test]
    fn texts_without_anything_in_common_end_the_search() {
        let numbers: Vec<String> = (0..20_000).map(|number| number.to_string()).collect();
        let (old, new): (Vec<&str>, Vec<&str>) = (
            numbers[..10_000].iter().map(String::as_str).collect(),
            numbers[10_000..].iter().map(String::as_str).collect(),
        );
        assert!(equal_lines(&old, &new).is_empty());
    }
}
