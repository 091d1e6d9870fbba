//! What a misspelt name was probably meant to be.

/// Names longer than this are not compared letter by letter.
const LONGEST: usize = 64;

/// The name that is nearest, if one is near.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (name.chars().count() / 2).min(4);
    known
        .map(|each| (distance(name, each), each))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, each)| each)
}

/// Words that follow a complaint about a name.
pub fn did_you_mean<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    nearest(name, known).map_or_else(String::new, |each| format!("; did you mean `{each}`?"))
}

/// How many letters have to be put in, left out or replaced, without regard to case.
fn distance(one: &str, other: &str) -> usize {
    let letters = |text: &str| -> Vec<char> { text.chars().flat_map(char::to_lowercase).collect() };
    let (one, other) = (letters(one), letters(other));
    if one.len().abs_diff(other.len()) > 4 || one.len().max(other.len()) > LONGEST {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, its) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != its);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_what_was_meant_and_nonsense_does_not() {
        let known = ["PedalPos", "PedalCmd", "Meter"];
        assert_eq!(nearest("pedalpso", known.into_iter()), Some("PedalPos"));
        assert_eq!(nearest("Metre", known.into_iter()), Some("Meter"));
        assert_eq!(nearest("Rudder", known.into_iter()), None);
    }
}
