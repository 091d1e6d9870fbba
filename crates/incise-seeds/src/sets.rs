//! Sets of seeds, known by numbers. There is one for nearly every state, most of them small, so that they lie one after
//! the other in one place.

/// A set of seeds, by its number.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct SetId(u32);

impl SetId {
    pub(super) fn new(index: usize) -> Self {
        Self(index as u32)
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// No seed.
pub(super) const NONE: SetId = SetId(0);
/// All that were given and that fit.
pub(super) const ALL: SetId = SetId(1);

/// All sets. The seeds of a set are in ascending order.
#[derive(Default)]
pub(super) struct Sets {
    members: Vec<u32>,
    /// Where the members of each set start and end.
    bounds: Vec<(usize, usize)>,
}

impl Sets {
    /// [`NONE`], and [`ALL`] with so many seeds.
    pub(super) fn new(count: u32) -> Self {
        let members: Vec<u32> = (0..count).collect();
        Self { bounds: vec![(0, 0), (0, members.len())], members }
    }

    /// How many sets there are: their indices are below.
    pub(super) fn count(&self) -> usize {
        self.bounds.len()
    }

    /// The seeds of a set.
    #[inline]
    pub(super) fn get(&self, id: SetId) -> &[u32] {
        let (start, end) = self.bounds[id.0 as usize];
        &self.members[start..end]
    }

    /// A new set.
    pub(super) fn add(&mut self, seeds: impl IntoIterator<Item = u32>) -> SetId {
        let start = self.members.len();
        self.members.extend(seeds);
        self.bounds.push((start, self.members.len()));
        SetId(self.bounds.len() as u32 - 1)
    }

    /// A number for some seeds of a set: not a new one if they are all or none.
    pub(super) fn number(&mut self, some: &[u32], of: SetId) -> SetId {
        match some.len() {
            0 => NONE,
            count if count == self.get(of).len() => of,
            _ => self.add(some.iter().copied()),
        }
    }

    /// Leaves out those of all seeds that do not fit.
    pub(super) fn retain(&mut self, fits: impl Fn(u32) -> bool) {
        let fitting: Vec<u32> = self.get(ALL).iter().copied().filter(|&seed| fits(seed)).collect();
        let start = self.members.len();
        self.members.extend(fitting);
        self.bounds[ALL.0 as usize] = (start, self.members.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_keep_their_seeds() {
        let mut sets = Sets::new(5);
        assert!(sets.get(NONE).is_empty());
        assert_eq!(sets.number(&[], ALL), NONE);
        assert_eq!(sets.number(&[0, 1, 2, 3, 4], ALL), ALL);
        let some = sets.number(&[1, 4], ALL);
        let more = sets.add([7]);
        assert_eq!((sets.get(some), sets.get(more)), (&[1, 4][..], &[7][..]));
        assert_eq!(sets.number(&[1, 4], some), some);
        sets.retain(|seed| seed != 4);
        assert_eq!((sets.get(ALL), sets.get(some)), (&[0, 1, 2, 3][..], &[1, 4][..]));
    }
}
