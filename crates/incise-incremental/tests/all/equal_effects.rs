//! Which effects of a changed function are proved to be the same in every call, and that impact ends there: one pair
//! for each condition, and random libraries whose native runs show what differs.

use incise_change::{
    ByItself, Entries, FunctionChange, Impact, Obstacle, Proofs, Rules, Versions, WholeImpact,
};
use incise_exec::{Config, Work};
use incise_incremental::differ::equal_effects;
use incise_ir::Program;
use incise_testing::{Native, Random, hooks, program, shorter};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A proof is worth so much here.
const MOST: Work = Work::about_milliseconds(4_000);

/// What was found of all functions that changed.
struct Found {
    proofs: Proofs,
    refused: Vec<Obstacle>,
}

/// Compares both versions function by function, as a library; hands over the impact without proofs and with them.
fn compared<T>(old: &Program, new: &Program, check: impl FnOnce(&Found, [&WholeImpact<'_>; 2]) -> T) -> T {
    let versions = Versions::compare(old, new);
    let changed = versions.functions.iter().filter(|pair| pair.change != FunctionChange::Unchanged);
    let changed_old = changed.filter_map(|pair| pair.old).collect();
    let (old_entries, entries) = (Entries::of(old, &changed_old), Entries::of(new, &versions.changed_new()));
    let functions = (old_entries.functions.as_slice(), entries.functions.as_slice());
    let rules = Rules::Closed;
    let (impact, mirrored) = Impact::both_ways(old, new, versions, functions, rules, false);
    let found = found(&impact, &mirrored);
    let plain = WholeImpact::new(&impact, &mirrored, &entries, &old_entries, rules);
    let less = WholeImpact::with_proofs(&impact, &mirrored, (&entries, &old_entries), rules, &found.proofs);
    check(&found, [&plain, &less])
}

fn found(impact: &Impact<'_>, mirrored: &Impact<'_>) -> Found {
    let (old, new) = (impact.old, impact.new);
    let effects =
        (mirrored.effects.as_ref().expect("something changed"), impact.effects.as_ref().expect("it did"));
    let (mut found, hooks, config) =
        (Found { proofs: Proofs::default(), refused: Vec::new() }, hooks(), Config::new(""));
    for pair in impact.versions.functions.iter().filter(|pair| pair.change == FunctionChange::Changed) {
        let (Some(before), Some(after)) = (pair.old, pair.new) else { continue };
        match ByItself::new((old, new), effects, &impact.versions, (before, after)) {
            Ok(function) => {
                let versions = ((old, &config), (new, &config));
                let equal =
                    equal_effects(versions.0, versions.1, &function, &hooks, MOST).expect("it is compared");
                if !equal.is_empty() {
                    found.proofs.add(function, equal);
                }
            }
            Err(obstacle) => found.refused.push(obstacle),
        }
    }
    found
}

/// What is said of `h`: `all`, the effects that are the same, `nothing`, or why it cannot be asked about.
fn said(before: &str, old: &str, new: &str) -> String {
    let text = |function: &str| program(&format!("{before}\n{function}\n"));
    compared(&text(old), &text(new), |found, _| {
        if let [obstacle, ..] = found.refused.as_slice() {
            let words = format!("{obstacle:?}");
            return words.split('(').next().unwrap_or_default().to_owned();
        }
        match found.proofs.each().next() {
            Some((_, _, true)) => "all".to_owned(),
            Some((_, equal, false)) => format!("{equal:?}"),
            None => "nothing".to_owned(),
        }
    })
}

const POINT: &str = "struct point { int x, y; };";

#[test]
fn what_is_the_same_in_every_call_is_proved() {
    assert_eq!(said("", "int h(int x) { return x * 2; }", "int h(int x) { return x + x; }"), "all");
    let (old, new) = (
        "int h(const struct point *p) { return p->x + p->y; }",
        "int h(const struct point *p) { return p->y + p->x; }",
    );
    assert_eq!(said(POINT, old, new), "all");
    // Nothing is written: pointers may lead to one object.
    let (old, new) =
        ("int h(int *a, int *b) { return *a - *b; }", "int h(int *a, int *b) { return -(*b - *a); }");
    assert_eq!(said("", old, new), "all");
    let (old, new) = (
        "void h(struct point *p) { p->x *= 2; p->y = 0; }",
        "void h(struct point *p) { p->y = 0; p->x += p->x; }",
    );
    assert_eq!(said(POINT, old, new), "all");
    let (old, new) = ("void h(int x) { g = x * 2; }", "void h(int x) { g = x << 1; }");
    assert_eq!(said("int g;", old, new), "all");
}

#[test]
fn what_all_calls_pass_tells_whether_parameters_lead_to_the_same() {
    let around = |argument: &str| {
        format!(
            "struct box {{ int n; }};\nstatic int h(struct box *b, int *out);\n\
             int user(struct box *b) {{ int r = 0, s = h(b, {argument}); return r + s; }}"
        )
    };
    let old = "static int h(struct box *b, int *out) { *out = 1; return b->n; }";
    let new = "static int h(struct box *b, int *out) { int n = b->n; *out = 1; return n; }";
    assert_eq!(said(&around("&r"), old, new), "all");
    assert_eq!(said(&around("&b->n"), old, new), "Memory");
    // Nobody knows what callers pass that are not in sight.
    let seen = |text: &str| text.replace("static ", "");
    assert_eq!(said(&seen(&around("&r")), &seen(old), &seen(new)), "Memory");
}

#[test]
fn a_part_of_the_effects_is_proved_by_itself() {
    let (old, new) = (
        "int h(int *p, int x) { *p = x; return x * 2; }",
        "int h(int *p, int x) { *p = x + 1; return x << 1; }",
    );
    assert_eq!(said("", old, new), "{Result}");
    let (old, new) = ("int h(int x) { g = x; return x * 2; }", "int h(int x) { g = x; return x * 3; }");
    assert_eq!(said("static int g;", old, new), "{Variables}");
    let (old, new) = ("int h(int x) { return x * 2; }", "int h(int x) { return x * 3; }");
    assert_eq!(said("", old, new), "nothing");
}

#[test]
fn what_another_call_could_tell_apart_is_not_proved() {
    // Both parameters may lead to one object, where the order of writes counts.
    let (old, new) =
        ("void h(int *a, int *b) { *a = 1; *b = 2; }", "void h(int *a, int *b) { *b = 2; *a = 1; }");
    assert_eq!(said("", old, new), "Memory");
    // The parameter may lead to the variable, if that is not static.
    let (old, new) =
        ("int h(int *a) { g = 5; return *a; }", "int h(int *a) { int r = *a; g = 5; return r; }");
    assert_eq!(said("int g;", old, new), "Memory");
    assert_ne!(said("static int g; int *hand(void) { return &g; }", old, new), "all");
    // A pointer in memory may lead to the object itself.
    let list = "struct list { struct list *next; int value; };";
    let (old, new) = (
        "int h(struct list *l) { l->value = 5; return l->next->value; }",
        "int h(struct list *l) { int r = l->next->value; l->value = 5; return r; }",
    );
    assert_eq!(said(list, old, new), "Memory");
    // Addresses are numbers of their own on each machine.
    let (old, new) = ("int h(int *p) { return ((long)p & 3) == 0; }", "int h(int *p) { return 1; }");
    assert_eq!(said("", old, new), "Instruction");
    let (old, new) = ("int h(int *p, int *q) { return p == q; }", "int h(int *p, int *q) { return 0; }");
    assert_eq!(said("", old, new), "Instruction");
    // Code that nobody can see may do anything.
    let (old, new) = ("int h(int x) { act(); return x * 2; }", "int h(int x) { act(); return x + x; }");
    assert_eq!(said("void act(void);", old, new), "Call");
    // Variables that begin otherwise.
    let (old, new) = (
        "static int g = 1; int h(int x) { return g + x; }",
        "static int g = 2; int h(int x) { return x + g; }",
    );
    assert_eq!(said("", old, new), "Content");
}

#[test]
fn a_bound_or_inputs_as_taken_are_no_proof() {
    // Strings of any length: the loops have no common turn, and what is compared is bounded.
    let (old, new) = (
        "int h(const char *s) { int n = 0; while (s[n]) n++; return n > 40; }",
        "int h(const char *s) { int n = 0; while (s[n] && n < 41) n++; return n == 41; }",
    );
    assert_eq!(said("", old, new), "nothing");
    // Same but for more than any exploration looks at.
    let (old, new) = (
        "int h(const int *t, unsigned n) { for (unsigned i = 0; i < n; i++) if (t[i] < 0) return 1; return 0; }",
        "int h(const int *t, unsigned n) { for (unsigned i = 0; i < n && i < 300; i++) if (t[i] < 0) return 1; return 0; }",
    );
    assert_eq!(said("", old, new), "nothing");
    // An index below a length is what is taken; any other may be given.
    let (old, new) = (
        "struct ring { unsigned at, size; }; unsigned h(struct ring *r) { return r->at % (r->size | 1); }",
        "struct ring { unsigned at, size; }; unsigned h(struct ring *r) { return r->at < r->size ? r->at : 0; }",
    );
    assert_eq!(said("", old, new), "nothing");
    // Not null is taken where a pointer is never compared: null is what both go through.
    let (old, new) =
        ("int h(const int *p) { return *p * 2; }", "int h(const int *p) { return p ? *p + *p : 0; }");
    assert_eq!(said("", old, new), "nothing");
    // Beyond an array of the caller's both go wrong, each in its own way.
    let (old, new) = (
        "struct box { int t[4]; int n; }; int h(struct box *b) { return b->t[b->n & 7]; }",
        "struct box { int t[4]; int n; }; int h(struct box *b) { int i = b->n & 7; return i < 4 ? b->t[i] : b->t[i + 1]; }",
    );
    assert_eq!(said("", old, new), "nothing");
}

/// The lines of the new version that are affected, with the function that they are in.
fn affected(program: &Program, whole: &WholeImpact<'_>) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    for function in &whole.functions {
        let graph = &function.impact.alignment.new_graph;
        let location = |node| graph.node(node).location;
        let nodes = function.impact.affected.nodes();
        lines.extend(nodes.filter_map(location).map(|at: incise_ir::LocationId| program.locations[at].line));
    }
    lines
}

#[test]
fn impact_ends_where_functions_are_proved_to_do_the_same() {
    const CALLERS: &str = "int total;\nint user(int x) {\n    int r = h(&total, x);\n    if (r)\n        return 1;\n    \
                           return total;\n}\n";
    let versions = |old: &str, new: &str, check: &dyn Fn(BTreeSet<u32>, BTreeSet<u32>)| {
        let [old, new] =
            [old, new].map(|body| program(&format!("int h(int *p, int x) {{ {body} }}\n{CALLERS}")));
        compared(&old, &new, |_, [plain, less]| check(affected(&new, plain), affected(&new, less)));
    };
    versions("*p = x; return x * 2;", "*p = x; return x + x;", &|plain, less| {
        assert!(plain.contains(&5) && plain.contains(&7), "{plain:?}");
        assert_eq!(less, BTreeSet::from([1]), "the function itself is affected, and nobody else");
    });
    // What is written differs, and the result does not: who asks for the result goes the same way.
    versions("*p = x; return x * 2;", "*p = x + 1; return x + x;", &|plain, less| {
        assert!(plain.contains(&5), "{plain:?}");
        assert!(!less.contains(&5) && less.contains(&7), "{less:?}");
    });
    // Nothing is proved, and nothing is left out.
    versions("*p = x; return x * 2;", "*p = x + 1; return x * 3;", &|plain, less| assert_eq!(plain, less));
}

#[test]
fn a_function_that_is_given_something_else_hands_it_on() {
    let text = |one: &str, other: &str| {
        program(&format!(
            "static int one(int x) {{ return {one}; }}\nstatic int other(int x) {{ return {other}; }}\n\
             int user(int x) {{\n    int a = one(x);\n    int b = other(a);\n    if (b > 3)\n        return 1;\n    \
             return 2;\n}}\n"
        ))
    };
    let (old, new) = (text("x * 2", "x + x"), text("x * 3", "x << 1"));
    compared(&old, &new, |found, [_, less]| {
        assert_eq!(found.proofs.each().count(), 1, "the second function does the same");
        let lines = affected(&new, less);
        assert!(lines.contains(&5) && lines.contains(&6) && lines.contains(&7), "{lines:?}");
    });
}

const PRELUDE: &str = "#ifdef RECORD\n#include <stdio.h>\nstatic int REC(int line, int value) { printf(\"%d %d\\n\", \
                       line, value); return value; }\n#else\n#define REC(line, value) (value)\n#endif\n\
                       struct item { int a, b; unsigned char c[4]; };\nstatic int total;\nint open;\n";

/// What a small function does, in ways of which the first two are the same in every call.
const BODIES: [[&str; 4]; 8] = [
    ["return x * 2;", "return x + x;", "return x * 3;", "return x;"],
    [
        "it->a = x; return it->b;",
        "int r = it->b; it->a = x; return r;",
        "it->a = x + 1; return it->b;",
        "it->b = x; return it->b;",
    ],
    ["total += x; return *p;", "total = x + total; return *p;", "total -= x; return *p;", "return *p;"],
    [
        "*p = x; return it->a;",
        "*p = x; return it->a;",
        "int r = it->a; *p = x; return r;",
        "*p = x; return 0;",
    ],
    [
        "return it->c[x & 3];",
        "return it->c[x & 3] + 0;",
        "return it->c[x & 1];",
        "return it->c[(x + 1) & 3];",
    ],
    [
        "open = *p; return x;",
        "open = *p; return x + 0;",
        "open = *p; return -x;",
        "int r = *p; open = 1; return r;",
    ],
    [
        "if (x > 2) return 7; it->b = 1; return 8;",
        "it->b = x > 2 ? it->b : 1; return x > 2 ? 7 : 8;",
        "if (x > 3) return 7; it->b = 1; return 8;",
        "it->b = 1; return x > 2 ? 7 : 8;",
    ],
    [
        "int s = 0; for (int i = 0; i < x; i++) s += 3; return s;",
        "int s = 0; for (int i = 0; i < x; i++) s = 3 + s; return s;",
        "int s = 0; for (int i = 0; i <= x; i++) s += 3; return s;",
        "return x > 0 ? x * 3 : 0;",
    ],
];

/// Two versions of a library: one of its small functions, or two, have another body.
fn library(random: &mut Random) -> [String; 2] {
    let kinds: Vec<usize> = (0..3).map(|_| random.below(BODIES.len())).collect();
    let mut chosen = [vec![0; 3], vec![0; 3]];
    for _ in 0..1 + random.below(2) {
        let place = random.below(3);
        chosen[1][place] = 1 + random.below(3);
    }
    let mut callers = Vec::new();
    for number in 0..3 {
        let mut lines = Vec::new();
        for _ in 0..3 + random.below(3) {
            let callee = random.below(3);
            let target = random.pick(&["&open", "&it->a", "&it->b", "p"]);
            let value = random.pick(&["x", "a", "total", "it->b", "*p"]);
            lines.push(match random.below(4) {
                0 => format!("    if (REC(LINE, {value}) > 2) b = REC(LINE, b + 1);"),
                1 => format!("    *p = REC(LINE, {value} + 1);"),
                _ => format!("    a = REC(LINE, small{callee}(it, {target}, {value} & 15));"),
            });
        }
        callers.push(format!(
            "int f{number}(struct item *it, int *p, int x) {{\n    int a = 1, b = 2;\n{}\n    return REC(LINE, a + b);\n}}",
            lines.join("\n")
        ));
    }
    chosen.map(|which| {
        let small = kinds.iter().zip(&which).enumerate().map(|(number, (&kind, &body))| {
            format!("static int small{number}(struct item *it, int *p, int x) {{ {} }}", BODIES[kind][body])
        });
        let text = format!("{PRELUDE}{}\n{}\n", small.collect::<Vec<_>>().join("\n"), callers.join("\n"));
        let numbered =
            text.lines().enumerate().map(|(line, text)| text.replace("LINE", &(line + 1).to_string()));
        numbered.collect::<Vec<_>>().join("\n") + "\n"
    })
}

/// For each line, the values that were computed there.
fn trace(native: &Native, argument: &str) -> BTreeMap<u32, Vec<String>> {
    let output = native.output(&[argument], &[]).expect("it runs");
    let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output).lines() {
        let (line, value) = line.split_once(' ').expect("a line and a value");
        found.entry(line.parse().expect("a number")).or_default().push(value.to_owned());
    }
    found
}

/// Checks one library: lines that differ natively are affected with proofs, too. Tells how many differed, and how many
/// proofs made fewer.
fn check(folder: &Path, seed: u64) -> [usize; 2] {
    let texts = library(&mut Random::new(seed, 91));
    let programs = texts.each_ref().map(|text| program(text));
    if Versions::compare(&programs[0], &programs[1]).is_unchanged() {
        return [0; 2];
    }
    let main = "#include <stdlib.h>\nint main(int argc, char **argv) {\n    int which = atoi(argv[1]), given = which / 3;\n    \
        struct item it = {3, 4, {1, 2, 3, 4}}; int p = given & 7;\n    total = given & 3; open = given & 5;\n    \
        int *q = given & 1 ? &p : given & 2 ? &it.a : &open;\n    \
        switch (which % 3) { case 0: f0(&it, q, given); break; case 1: f1(&it, q, given); break; default: f2(&it, q, given); }\n    \
        return 0;\n}\n";
    let natives = [("old", &texts[0]), ("new", &texts[1])].map(|(name, text)| {
        Native::build(folder, name, &["-O0", "-DRECORD", "-fwrapv", "-w"], &format!("{text}{main}"))
            .unwrap_or_else(|why| panic!("{why}"))
    });
    let mut differing = BTreeSet::new();
    for argument in 0..30 {
        let [old, new] = natives.each_ref().map(|native| trace(native, &argument.to_string()));
        let lines = old.keys().chain(new.keys()).copied();
        differing.extend(lines.filter(|line| old.get(line) != new.get(line)));
    }
    compared(&programs[0], &programs[1], |_, [plain, less]| {
        let [all, fewer] = [plain, less].map(|whole| {
            let mut lines = affected(&programs[1], whole);
            for function in &whole.functions {
                if let Some(graph) = &function.impact.alignment.old_graph {
                    let location = |node| graph.node(node).location;
                    let nodes = function.impact.affected_old.nodes().filter_map(location);
                    lines.extend(nodes.map(|at: incise_ir::LocationId| programs[0].locations[at].line));
                }
            }
            lines
        });
        if let Some(line) = differing.difference(&fewer).next() {
            panic!("seed {seed}: line {line} differs and is not affected\n{}\n{}", texts[0], texts[1]);
        }
        assert!(fewer.is_subset(&all), "seed {seed}: a proof makes nothing affected");
        [differing.len(), usize::from(fewer.len() < all.len())]
    })
}

#[test]
fn nothing_differs_natively_but_what_is_affected_where_proofs_end_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = [0; 2];
    for seed in 0..shorter(24, 400) as u64 {
        let found = check(folder.path(), seed);
        counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
    }
    println!("{} lines differed, and proofs ended impact in {} libraries", counts[0], counts[1]);
    assert!(counts[0] > 10 && counts[1] > 2, "{counts:?}");
}
