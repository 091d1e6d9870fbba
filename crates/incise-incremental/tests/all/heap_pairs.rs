//! Random pairs of functions that put objects of the heap into a table at places which inputs choose: what stands for
//! what in the two versions depends on the inputs. Native runs on all inputs are the judge; they write the table down
//! as a graph whose objects have numbers in the order in which they are come to.

use crate::whole_verdict::verdict;
use incise_change::Versions;
use incise_exec::Config;
use incise_incremental::differ::Sameness;
use incise_testing::{Native, Random, program, shorter};

/// Functions in one file.
const BATCH: usize = 40;

const HEAD: &str = "#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *fresh(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = 0;
    return n;
}
static struct node *copy(struct node *from) { return from ? fresh(from->value) : 0; }
";

const JUDGE: &str = "#include <stdio.h>
#include <string.h>
static unsigned write_down(struct node **table, unsigned char *to) {
    struct node *known[64];
    unsigned count = 0, at = 0;
    for (unsigned i = 0; i < 4; i++)
        for (struct node *n = table[i];; n = n->next) {
            unsigned number = 0;
            while (n && number < count && known[number] != n)
                number++;
            to[at++] = n ? number : 255;
            if (!n || number < count)
                break;
            known[count++] = n;
            memcpy(to + at, &n->value, 4);
            at += 4;
        }
    return at;
}
typedef void function(struct node **, unsigned char, unsigned char);
static int differs(function *one, function *two) {
    static unsigned char left[512], right[512];
    for (unsigned i = 0; i < 256; i++)
        for (unsigned j = 0; j < 256; j++) {
            struct node *first[4] = {0}, *second[4] = {0};
            one(first, i, j);
            two(second, i, j);
            unsigned size = write_down(first, left);
            if (write_down(second, right) != size || memcmp(left, right, size))
                return 1;
        }
    return 0;
}
";

const INDICES: [&str; 6] = ["i & 3", "j & 3", "(i + j) & 3", "i % 4", "2", "(i ^ 1) & 3"];
const CONDITIONS: [&str; 5] = ["i == j", "(i & 3) == (j & 3)", "i > 7", "j & 1", "(i & 3) != 2"];

/// A statement in both versions; they are the same unless it is the one that changes.
fn statement(random: &mut Random, changes: bool) -> [String; 2] {
    let variable = random.pick(&["a", "b", "c"]);
    let other = random.pick(&["a", "b", "c"]);
    let (index, condition) = (random.pick(&INDICES), random.pick(&CONDITIONS));
    let number = random.below(4);
    let same = |text: String| [text.clone(), text];
    if !changes {
        return same(match random.below(8) {
            0 | 1 => format!("{variable} = fresh({number} + (i & 1));"),
            2 | 3 => format!("m[{index}] = {variable};"),
            4 => format!("if ({variable} && {variable} != {other}) {variable}->next = copy({other});"),
            5 => format!("if (m[{index}]) m[{index}]->value = {number};"),
            6 => format!("{variable} = m[{index}];"),
            _ => format!("if ({condition}) m[{index}] = {variable};"),
        });
    }
    let pair = |one: &str, two: &str| [one.to_owned(), two.to_owned()];
    match random.below(9) {
        0 => pair(&format!("m[i & 3] = {variable};"), &format!("m[i % 4] = {variable};")),
        1 => [format!("m[i & 3] = {variable};"), format!("m[{index}] = {variable};")],
        2 => [format!("m[{index}] = {variable};"), format!("m[{index}] = copy({variable});")],
        3 => [format!("{variable} = fresh({number});"), format!("{variable} = fresh({condition});")],
        4 => pair("a = fresh(1); b = fresh(2);", "b = fresh(2); a = fresh(1);"),
        5 => [
            format!("if ({condition}) m[{index}] = {variable};"),
            format!("m[{index}] = ({condition}) ? {variable} : m[{index}];"),
        ],
        6 => [
            format!("m[i & 3] = {variable}; m[j & 3] = {other};"),
            format!("m[j & 3] = {other}; m[i & 3] = {variable};"),
        ],
        7 => [
            format!("{variable} = fresh({number});"),
            format!("{variable} = fresh({number}); free(fresh(9));"),
        ],
        _ => [
            format!("if ({variable}) {variable}->value = {number};"),
            format!("if ({variable}) {variable}->value = {condition} ? {number} : {number} + (i == 77);"),
        ],
    }
}

fn bodies(random: &mut Random) -> [String; 2] {
    let mut bodies = [String::new(), String::new()];
    let before = 2 + random.below(4);
    for number in 0..before + 2 {
        let texts = statement(random, number == before);
        for (body, text) in bodies.iter_mut().zip(texts) {
            *body += &format!("    {text}\n");
        }
    }
    bodies
}

fn function(name: &str, body: &str) -> String {
    format!(
        "void {name}(struct node **m, unsigned char i, unsigned char j) {{
    m[0] = m[1] = m[2] = m[3] = 0;
    struct node *a = fresh(1), *b = fresh(1), *c = 0;\n{body}}}\n"
    )
}

/// For each pair whether an input differs.
fn judged(pairs: &[[String; 2]]) -> Vec<bool> {
    let mut text = format!("{HEAD}{JUDGE}");
    let mut main = "int main(void) {\n".to_owned();
    for (number, [old, new]) in pairs.iter().enumerate() {
        text += &function(&format!("old{number}"), old);
        text += &function(&format!("new{number}"), new);
        main += &format!("    printf(\"%d\\n\", differs(old{number}, new{number}));\n");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let native = Native::build(folder.path(), "judge", &["-O1"], &format!("{text}{main}}}\n"));
    let output = native.and_then(|native| native.output(&[], &[])).expect("the judge runs");
    output.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).map(|line| line == b"1").collect()
}

#[test]
fn objects_of_the_heap_in_tables_stand_for_each_other_where_they_do() {
    let batches = shorter(3, 25);
    let (mut different, mut same, mut open) = (0, 0, 0);
    for batch in 0..batches {
        let mut random = Random::new(9_300, batch as u64);
        let pairs: Vec<[String; 2]> = (0..BATCH).map(|_| bodies(&mut random)).collect();
        let file = |version: usize| {
            let functions = pairs.iter().enumerate();
            let functions: String =
                functions.map(|(number, pair)| function(&format!("f{number}"), &pair[version])).collect();
            program(&format!("{HEAD}{functions}"))
        };
        let (old, new) = (file(0), file(1));
        let versions = Versions::compare(&old, &new);
        for (number, differs) in judged(&pairs).into_iter().enumerate() {
            let mut config = Config::new(format!("f{number}"));
            config.inputs.arrays = vec![("m".to_owned(), 4)];
            let found = verdict((&old, &new), &versions, &config, true);
            let why = || {
                let [old, new] = &pairs[number];
                format!("batch {batch}, {found:?}\n{}{}", function("old", old), function("new", new))
            };
            assert!(
                !(matches!(found, Sameness::Same | Sameness::WithinBounds) && differs),
                "differs: {}",
                why()
            );
            assert!(found != Sameness::Differs || differs, "no input differs: {}", why());
            different += usize::from(found == Sameness::Differs);
            same += usize::from(found == Sameness::Same);
            open += usize::from(found == Sameness::Undecided);
        }
    }
    println!("{different} differ, {same} are the same, {open} are open");
    assert!(different >= 5 * batches && same >= 15 * batches, "{different}, {same}, {open}");
    assert!(open <= 2 * batches, "{different}, {same}, {open}");
}
