//! Asking a reading about an input, however deep it is and whichever element it belongs to.
//!
//! Facts are about the first of many: what is taken of `*names` is taken of every `names[i]`, what is taken of
//! `list->next` of every `list->next->next`. An input that is asked for is brought into that form; the numbers of its
//! facts are then those beside it: the length of `list->next->data` is `list->next->length`.

use crate::containers::{CONTAINER_OF, closing};
use crate::model::{Reading, Taken, What};
use crate::product::with_factors;

impl Reading {
    /// What is taken of an input. The numbers and pointers in it are those of the form that facts are kept in;
    /// [`Reading::facts`] has those beside the input.
    pub fn of<'a>(&'a self, input: &str) -> impl Iterator<Item = &'a What> + use<'a> {
        let input = self.form(input);
        self.parts.iter().filter(move |taken| taken.input == input).map(|taken| &taken.what)
    }

    /// What is taken of an input, with the numbers and pointers that are beside it.
    pub fn facts(&self, input: &str) -> Vec<Taken> {
        let form = self.form(input);
        let found = self.parts.iter().filter(|taken| taken.input == form).map(|taken| {
            let mut taken = taken.clone();
            for other in taken.what.others_mut() {
                *other = with_factors(other, |factor| beside(&form, input, factor));
            }
            taken.input = input.to_owned();
            taken
        });
        found.collect()
    }

    /// Whether a pointer is taken not to be null.
    pub fn is_not_null(&self, input: &str) -> bool {
        self.of(input).any(|what| *what == What::NotNull)
    }

    /// Whether a pointer is compared with null, so that null means something there.
    pub fn is_checked(&self, input: &str) -> bool {
        self.checked.contains(&self.form(input))
    }

    /// Whether inputs are left out by it.
    pub fn restricts(&self) -> bool {
        self.parts.iter().any(|taken| taken.what.restricts())
    }

    /// The form that facts about an input are kept in: the first element, and the first way to a type.
    pub fn form(&self, input: &str) -> String {
        self.shortest(first_elements(input))
    }

    fn shortest(&self, mut form: String) -> String {
        // Each replacement makes it shorter.
        'again: loop {
            let start = form.len() - form.trim_start_matches('*').len();
            if let Some(inside) = form[start..].strip_prefix(CONTAINER_OF)
                && let Some((end, _)) = closing(inside)
            {
                let pointer = self.shortest(inside[..end].to_owned());
                form = format!("{}{CONTAINER_OF}{pointer}{}", &form[..start], &inside[end..]);
            }
            for (from, to) in self.repeats.iter().rev() {
                if let Some(shorter) = replaced(&form, from, to) {
                    form = shorter;
                    continue 'again;
                }
            }
            return form;
        }
    }
}

impl What {
    /// The other inputs that a fact names.
    fn others_mut(&mut self) -> Vec<&mut String> {
        match self {
            Self::Room { number, .. } | Self::AtMost { number } | Self::Below { number } => vec![number],
            Self::EndOf { begin } => vec![begin],
            Self::MaySame { other } | Self::MayOverlap { other } => vec![other],
            _ => Vec::new(),
        }
    }
}

/// An expression without indices: `names[3]` is `*names`, `table[3].key` is `table->key`. Which member of a struct a
/// pointer leads to stays as it is.
fn first_elements(input: &str) -> String {
    let mut form = String::with_capacity(input.len());
    let mut starts = vec![0];
    let mut rest = input;
    while let Some(next) = rest.chars().next() {
        if let Some(inside) = rest.strip_prefix(CONTAINER_OF) {
            form.push_str(CONTAINER_OF);
            starts.push(form.len());
            rest = inside;
        } else if next == ',' && starts.len() > 1 {
            let end = rest.find(')').map_or(rest.len(), |at| at + 1);
            form.push_str(&rest[..end]);
            starts.pop();
            rest = &rest[end..];
        } else if let (true, Some(close)) = (next == '[', rest.find(']')) {
            rest = &rest[close + 1..];
            match rest.strip_prefix('.') {
                Some(member) => {
                    form.push_str("->");
                    rest = member;
                }
                None => form.insert(starts.last().copied().unwrap_or(0), '*'),
            }
        } else {
            form.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    form
}

/// An expression that goes on behind `from`, with `to` in its place.
fn replaced(form: &str, from: &str, to: &str) -> Option<String> {
    let stars = |text: &str| text.bytes().take_while(|&byte| byte == b'*').count();
    let (outer, inner) = (stars(form), stars(from));
    let rest = form[outer..].strip_prefix(&from[inner..])?;
    if outer < inner || !rest.starts_with("->") {
        return None;
    }
    let kept = "*".repeat(outer - inner);
    Some(format!("{kept}{to}{rest}"))
}

/// What is beside `input` as `other` is beside `form`: a member of the same struct. Anything else is what it is.
fn beside(form: &str, input: &str, other: &str) -> String {
    let owner = |text: &str| {
        let arrow = text.rfind("->").map(|at| (at, 2));
        let dot = text.rfind('.').map(|at| (at, 1));
        arrow.max(dot)
    };
    let plain = |text: &str| text.trim_start_matches('*').to_owned();
    let (form, wanted) = (plain(form), plain(other));
    let stars = other.len() - wanted.len();
    let (Some((at, long)), Some((other_at, other_long)), Some((input_at, input_long))) =
        (owner(&form), owner(&wanted), owner(input))
    else {
        return other.to_owned();
    };
    if form[..at] != wanted[..other_at] || long != other_long {
        return other.to_owned();
    }
    let _ = input_long;
    let start = input[..input_at].trim_start_matches('*');
    let joint = &input[input_at..input_at + input_long];
    format!("{}{start}{joint}{}", "*".repeat(stars), &wanted[other_at + other_long..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Evidence, Source, Unit};

    fn reading() -> Reading {
        let evidence = Evidence { source: Source::Use, words: "it is seen".to_owned(), place: None };
        let room = What::Room { number: "list->length".to_owned(), unit: Unit::Elements, more: 0 };
        let taken = |input: &str, what| Taken { input: input.to_owned(), what, evidence: evidence.clone() };
        Reading {
            parts: vec![taken("list->data", room), taken("*names", What::Text), taken("list", What::NotNull)],
            checked: ["list->next".to_owned()].into(),
            repeats: [
                ("list->next".to_owned(), "list".to_owned()),
                ("*list->children".to_owned(), "list".to_owned()),
            ]
            .into(),
        }
    }

    #[test]
    fn a_fact_holds_at_every_depth() {
        let reading = reading();
        assert!(reading.is_checked("list->next->next->next"));
        assert!(reading.is_checked("list->children[2]->next"));
        assert!(!reading.is_checked("list"));
        assert_eq!(reading.of("list->next->data").count(), 1);
        let inside = reading.form("container_of(list->next->next->next, struct item, link)->key");
        assert_eq!(inside, "container_of(list->next, struct item, link)->key");
        let facts = reading.facts("list->next->next->data");
        assert_eq!(
            facts[0].to_string(),
            "list->next->next->data has room for `list->next->next->length` elements"
        );
    }

    #[test]
    fn a_fact_holds_for_every_element() {
        assert_eq!(reading().of("names[12]").count(), 1);
        assert_eq!(first_elements("table[1].rows[2].name"), "table->rows->name");
        assert_eq!(first_elements("grid[1][2]"), "**grid");
        let third = "container_of(heads[3], struct item, links[1])->names[2]";
        assert_eq!(first_elements(third), "*container_of(*heads, struct item, links[1])->names");
        assert_eq!(beside("table->data", "table[3].data", "table->length"), "table[3].length");
        assert_eq!(beside("data", "data", "length"), "length");
    }
}
