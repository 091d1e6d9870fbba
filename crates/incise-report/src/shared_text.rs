//! Parts of a text that many things have: a manifest has tens of thousands of lines, and what is taken over from them
//! is not copied.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A text, or a part of one. To clone it copies no characters.
#[derive(Clone, Default)]
pub struct SharedText {
    whole: Arc<String>,
    part: Range<usize>,
}

impl SharedText {
    /// A part of a text; `None` if there is none there.
    pub fn part_of(whole: &Arc<String>, part: Range<usize>) -> Option<Self> {
        whole.get(part.clone())?;
        Some(Self { whole: Arc::clone(whole), part })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.whole[self.part.clone()]
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self { part: 0..text.len(), whole: Arc::new(text) }
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        // The same part of the same text need not be looked at.
        (Arc::ptr_eq(&self.whole, &other.whole) && self.part == other.part) || self.as_str() == other.as_str()
    }
}

impl Eq for SharedText {}

impl PartialEq<str> for SharedText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for SharedText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl Serialize for SharedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_str().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SharedText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(String::deserialize(deserializer)?.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_texts_that_they_say() {
        let whole = Arc::new("aé aé".to_owned());
        let part = |range| SharedText::part_of(&whole, range);
        assert_eq!(part(0..3).as_deref(), Some("aé"));
        assert_eq!((part(0..2), part(2..9)), (None, None), "no text begins or ends there");
        // Wherever they are, texts are what they say.
        assert_eq!(part(0..3), part(4..7));
        assert_eq!(part(0..3), Some("aé".into()));
        assert_ne!(part(0..3), part(3..7));
        assert_eq!(SharedText::default(), SharedText::from(""));
        let read: SharedText = serde_json::from_str(r#""a\"b""#).unwrap();
        assert_eq!((read.as_str(), serde_json::to_string(&read).unwrap().as_str()), ("a\"b", r#""a\"b""#));
    }
}
