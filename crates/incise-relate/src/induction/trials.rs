//! Ways to look for a proof, one after the other: what is simple comes first, and costs nothing of what comes later.

use super::LONGEST_ARRAY;
use super::cuts::Preference;
use super::template::Guessing;

/// Where loops are cut in the leading and the following program, the likeliest first.
pub(super) const PREFERENCES: [[Preference; 2]; 5] = [
    [Preference::PlainTest, Preference::PlainTest],
    [Preference::Test, Preference::Test],
    [Preference::Header, Preference::Header],
    [Preference::PlainTest, Preference::Header],
    [Preference::Header, Preference::PlainTest],
];

/// So many of the preferences are tried when arrays are taken not to be too long.
const SOME: usize = 3;

/// How far two programs run between meetings.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Alignment {
    /// Whether a loop that does several elements in a turn meets one that does fewer as often as that takes.
    pub(super) by_steps: bool,
    /// So many more turns are done before the first meeting.
    pub(super) ahead: [u32; 2],
}

impl Alignment {
    pub(super) const LOCKSTEP: Self = Self { by_steps: false, ahead: [0, 0] };
    const BY_STEPS: Self = Self { by_steps: true, ahead: [0, 0] };

    const fn ahead(ahead: [u32; 2]) -> Self {
        Self { by_steps: false, ahead }
    }
}

/// One way to look for a proof.
#[derive(Copy, Clone, Debug)]
pub(super) struct Trial {
    /// Whether branches that only choose values are joined.
    pub(super) joined: bool,
    pub(super) guessing: Guessing,
    /// The bytes of the longest array.
    pub(super) longest: Option<u64>,
    pub(super) alignment: Alignment,
    /// So many of the places to cut at are tried.
    pub(super) preferences: usize,
    /// Whether relations are looked for that few pairs of programs need: products with what is not known, values in
    /// memory that were compared before, turns that one program does when the other is at its end.
    pub(super) widely: bool,
}

/// Loops in lockstep. What moves together is often enough. A number of 32 bits and a pointer go together as long as the
/// number does not overflow.
pub(super) const LOCKSTEP: [Trial; 3] = [
    lockstep(Guessing::None, None, PREFERENCES.len()),
    lockstep(Guessing::Orders, None, PREFERENCES.len()),
    lockstep(Guessing::Orders, Some(LONGEST_ARRAY), SOME),
];

/// Turns in another arrangement, the likeliest first.
pub(super) const REARRANGED: [Trial; 10] = [
    rearranged(true, None, Alignment::LOCKSTEP),
    rearranged(true, Some(LONGEST_ARRAY), Alignment::LOCKSTEP),
    rearranged(false, None, Alignment::LOCKSTEP),
    rearranged(false, Some(LONGEST_ARRAY), Alignment::LOCKSTEP),
    rearranged(false, None, Alignment::BY_STEPS),
    rearranged(false, Some(LONGEST_ARRAY), Alignment::BY_STEPS),
    rearranged(false, None, Alignment::ahead([0, 1])),
    rearranged(false, Some(LONGEST_ARRAY), Alignment::ahead([0, 1])),
    rearranged(false, None, Alignment::ahead([1, 0])),
    rearranged(false, Some(LONGEST_ARRAY), Alignment::ahead([1, 0])),
];

const fn lockstep(guessing: Guessing, longest: Option<u64>, preferences: usize) -> Trial {
    Trial { joined: false, guessing, longest, alignment: Alignment::LOCKSTEP, preferences, widely: false }
}

const fn rearranged(joined: bool, longest: Option<u64>, alignment: Alignment) -> Trial {
    let guessing = if alignment.by_steps { Guessing::Margins } else { Guessing::Strict };
    Trial { joined, guessing, longest, alignment, preferences: SOME, widely: true }
}
