//! The structs that pointers are cast to.
//!
//! An address of a member names its struct (`getelementptr %struct.item, ...`), and debug information lists the types
//! of all casts of a unit. Together they tell what a pointer is taken for that has another type in the source, as in
//! `container_of`.

use super::debug::node_key;
use super::metadata::NodeReference;
use super::reader::Reader;
use incise_ir::{DebugTypeId, ValueId};
use rustc_hash::FxHashMap;

/// How many pointers, qualifiers and names a type of a cast may begin with.
const STEPS: u32 = 8;

impl Reader<'_, '_> {
    /// The addresses of members in the function that was just read, of structs that its unit casts pointers to.
    pub(super) fn cast_members(&mut self, unit: NodeReference) -> Vec<(ValueId, DebugTypeId)> {
        let members = std::mem::take(&mut self.body.members);
        if members.is_empty() {
            return Vec::new();
        }
        let key = node_key(unit);
        if !self.state.debug.casts.contains_key(&key) {
            let casts = self.casts(unit);
            self.state.debug.casts.insert(key, casts);
        }
        let mut found = Vec::new();
        for &(value, name) in &members {
            let known = self.state.debug.casts.get(&key).and_then(|casts| casts.get(tag(name)?).copied());
            if let Some(structure) = known {
                found.push((value, self.debug_type(structure)));
            }
        }
        self.body.members = members;
        found
    }

    /// The structs that a unit casts pointers to, by their tags, or by the names of types without one.
    fn casts(&self, unit: NodeReference) -> FxHashMap<Vec<u8>, NodeReference> {
        let mut found = FxHashMap::default();
        let Some(node) = self.module.node(unit) else { return found };
        let mut retained = None;
        node.fields(|name, value| {
            if name == b"retainedTypes" {
                retained = value.node();
            }
        });
        for cast in self.tuple(retained) {
            if let Some((name, structure)) = cast.node().and_then(|cast| self.structure_behind(cast)) {
                found.entry(name.to_vec()).or_insert(structure);
            }
        }
        found
    }

    /// The struct behind a pointer, and its name.
    fn structure_behind(&self, mut at: NodeReference) -> Option<(&[u8], NodeReference)> {
        let mut last: &[u8] = b"";
        for _ in 0..STEPS {
            let node = self.module.node(at)?;
            let (kind, mut name, mut base): (_, &[u8], _) = (node.kind, b"", None);
            node.fields(|field, value| match field {
                b"name" => name = value.string(),
                b"baseType" => base = value.node(),
                _ => {}
            });
            match kind {
                b"DICompositeType" if name.is_empty() => return (!last.is_empty()).then_some((last, at)),
                b"DICompositeType" => return Some((name, at)),
                b"DIDerivedType" => {
                    if !name.is_empty() {
                        last = name;
                    }
                    at = base?;
                }
                _ => return None,
            }
        }
        None
    }
}

/// The tag in the source of a struct in the text; a number behind it tells types of one name apart.
fn tag(name: &[u8]) -> Option<&[u8]> {
    let name = name.strip_prefix(b"struct.").or_else(|| name.strip_prefix(b"union."))?;
    let numbered = |at: usize| at + 1 < name.len() && name[at + 1..].iter().all(u8::is_ascii_digit);
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(at) if numbered(at) => Some(&name[..at]),
        _ => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn a_struct_has_its_tag_without_the_number_of_the_text() {
        let tags = ["struct.item", "struct.item.12", "union.all", "class.a", "struct.a.b"];
        let expected = [Some("item"), Some("item"), Some("all"), None, Some("a.b")];
        let tags = tags.map(|name| tag(name.as_bytes()).map(|tag| std::str::from_utf8(tag).unwrap()));
        assert_eq!(tags, expected);
    }
}
