//! Everything that a program is, for who asks whether two are the same to the last position of a line.

use crate::{Program, SourceFile};
use std::hash::{Hash, Hasher};

impl Program {
    /// Hashes all of it. Names of files and folders are hashed as `named` has them, so that the same program in another
    /// folder can be the same.
    pub fn hash_content(&self, named: &dyn Fn(&str) -> String, into: &mut impl Hasher) {
        // Whoever adds a part to programs is asked to add it here.
        let Self {
            types,
            constants,
            globals,
            functions,
            symbols,
            files,
            locations,
            debug_types,
            constructors,
            destructors,
            declared,
        } = self;
        types.hash(into);
        constants.hash(into);
        globals.hash(into);
        functions.hash(into);
        symbols.hash(into);
        files.len().hash(into);
        for (_, SourceFile { name, directory }) in files.iter() {
            named(name).hash(into);
            named(directory).hash(into);
        }
        locations.hash(into);
        debug_types.hash(into);
        constructors.hash(into);
        destructors.hash(into);
        declared.hash(into);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Arena, Function, Linkage, Program, SourceFile};
    use std::hash::{DefaultHasher, Hasher};

    fn hash(program: &Program, named: &dyn Fn(&str) -> String) -> u64 {
        let mut hasher = DefaultHasher::new();
        program.hash_content(named, &mut hasher);
        hasher.finish()
    }

    fn program(folder: &str) -> Program {
        let mut program = Program::new(16);
        let void = program.types.void();
        program.functions.push(Function::declaration("f", Linkage::External, void));
        program.files.push(SourceFile { name: format!("{folder}/a.c").into(), directory: folder.to_owned() });
        program
    }

    #[test]
    fn everything_counts_but_where_it_lies() {
        let plain = |name: &str| name.to_owned();
        let one = hash(&program("/one"), &plain);
        assert_eq!(one, hash(&program("/one"), &plain));
        assert_ne!(one, hash(&program("/two"), &plain));
        let within = |folder: &'static str| move |name: &str| name.replace(folder, "");
        assert_eq!(hash(&program("/one"), &within("/one")), hash(&program("/two"), &within("/two")));
        let changes: [fn(&mut Program); 5] = [
            |program| _ = program.types.pointer(),
            |program| program.functions.iter_mut().for_each(|(_, each)| each.line = 7),
            |program| program.functions.iter_mut().for_each(|(_, each)| each.model = true),
            |program| program.constructors.extend(program.functions.ids()),
            |program| program.files = Arena::new(),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut other = program("/one");
            change(&mut other);
            assert_ne!(one, hash(&other, &plain), "{number}");
        }
    }
}
