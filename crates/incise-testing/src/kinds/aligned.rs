//! Random loops beside loops that do the same turns in another arrangement: several at a time, the first or the last by
//! itself, in two parts, or counted down; half of them with a small mistake. The judge is that of `loops`.

use super::loops::Batch;
use crate::random::Random;

/// What a turn does, with `@` for its number.
const STATEMENTS: [&str; 8] = [
    "s += g[(@) & 7] ^ x;",
    "t = t * 3 + (@);",
    "u ^= s + (@);",
    "g[(@) & 7] = s + t;",
    "if (s & 1) t++;",
    "s -= x * (@);",
    "u = u * x + s;",
    "if ((@) > x) u += t; else s ^= 5;",
];

/// The pairs of a seed, always the same.
pub fn batch(seed: u64, pairs: usize) -> Batch {
    let mut random = Random::new(seed, 0);
    let texts: Vec<String> = (0..pairs).map(|number| pair(&mut random, number)).collect();
    Batch { text: format!("unsigned g[8];\n{}", texts.concat()), pairs: texts }
}

fn pair(random: &mut Random, number: usize) -> String {
    let turn: String = (0..=random.below(3)).map(|_| random.pick(&STATEMENTS)).collect::<Vec<_>>().join(" ");
    let old = format!("for (unsigned i = 0; i < n; i++) {{ {} }}", at(&turn, "i"));
    let mut new = rearranged(random, &turn);
    if random.percent(50) {
        new = mistaken(random, &new);
    }
    let function = |name: &str, body: &str| {
        format!(
            "unsigned {name}{number}(unsigned n, unsigned x) {{\n    unsigned s = 0, t = 1, u = x;\n    {body}\n    \
             return s ^ t * 3 ^ u * 5;\n}}\n"
        )
    };
    function("old", &old) + &function("new", &new)
}

fn at(turn: &str, number: &str) -> String {
    turn.replace('@', number)
}

/// The same turns in another arrangement.
fn rearranged(random: &mut Random, turn: &str) -> String {
    let each = at(turn, "i");
    match random.below(6) {
        0 | 1 => {
            let times = 2 + random.below(3);
            let turns: Vec<String> = (0..times).map(|ahead| at(turn, &format!("i + {ahead}"))).collect();
            let several = turns.join(" ");
            format!(
                "unsigned i = 0; for (; n - i >= {times}; i += {times}) {{ {several} }} for (; i < n; i++) {{ {each} }}"
            )
        }
        2 => format!("if (n > 0) {{ {} }} for (unsigned i = 1; i < n; i++) {{ {each} }}", at(turn, "0")),
        3 => format!(
            "if (n > 0) {{ unsigned i = 0; for (; i < n - 1; i++) {{ {each} }} {} }}",
            at(turn, "n - 1")
        ),
        4 => format!(
            "unsigned i = 0; for (; i < n && i < x; i++) {{ {each} }} for (; i < n; i++) {{ {each} }}"
        ),
        _ => format!("unsigned i = 0; for (unsigned left = n; left > 0; left--) {{ {each} i++; }}"),
    }
}

/// The same with something small changed; now and then that makes no difference.
fn mistaken(random: &mut Random, text: &str) -> String {
    let mistakes = [
        ("i + 1", "i"),
        ("i < n;", "i + 1 < n;"),
        ("n - 1;", "n;"),
        ("unsigned i = 1", "unsigned i = 2"),
        ("i++) {", "i += 2) {"),
        ("n - i >= ", "n - i > "),
        ("left > 0", "left > 1"),
        ("s += ", "s ^= "),
        ("i < x", "i <= x"),
        ("n > 0", "n > 1"),
    ];
    let possible: Vec<_> = mistakes.iter().filter(|(from, _)| text.contains(from)).copied().collect();
    let (from, to) = random.pick(&possible);
    let places: Vec<usize> = text.match_indices(from).map(|(place, _)| place).collect();
    let place = random.pick(&places);
    format!("{}{to}{}", &text[..place], &text[place + from.len()..])
}
