//! Texts that are drawn: both versions run on them, and nothing is explored.
//!
//! What a parser does behind the tenth character no exploration comes to. So where texts were cut, or something could
//! not be told, some are put together from what the programs themselves consist of: literal strings, characters that
//! they compare with, numbers as the library reads them. A text that comes to a new place in the new version is kept,
//! and others are made of it, as fuzzers do. That proves nothing, but a difference that needs a long text is often seen
//! there.

use super::candidates::PairJudge;
use super::longer::{elements_of, lengths_told};
use super::{Judgement, Question};
use incise_change::words;
use incise_exec::{
    Assignment, End, ExploreError, FullExploration, Given, GivenValue, Hooks, Needs, Note, Session, Stack,
    Strategy, Visit, Watches, Work,
};
use incise_ir::Program;
use incise_relate::{Concerned, Effort};
use std::collections::{BTreeMap, BTreeSet};

/// So many texts are drawn with one set of expressions.
const AT_ONCE: u32 = 64;
/// So many texts are drawn at most.
const MOST: u32 = 20_000;
/// No text is longer.
const LONGEST: usize = 200;

/// Texts by the names of the inputs that they are in.
type Texts = BTreeMap<String, Vec<u8>>;

/// Runs both versions on texts for so much work; a judgement if one of them shows a difference.
pub(super) fn tried(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    cut: &[Given],
    needs: &Needs,
    most: Work,
) -> Result<Option<Judgement>, ExploreError> {
    let inputs: Vec<&String> =
        needs.elements.iter().filter(|(_, need)| need.element == 1).map(|(name, _)| name).collect();
    if inputs.is_empty() {
        return Ok(None);
    }
    let start = Work::done();
    let config = question.new.1;
    let end = config.limits.deadline();
    let mut drawing = Drawing::new(question);
    let bases = if cut.is_empty() { &[Given::default()][..] } else { cut };
    let mut coverage = Coverage::new(question.new.0);
    let mut judge = PairJudge::new(question, hooks, Concerned::everything());
    let mut session = Session::new(config, &hooks.interrupt).with_time_of(config);
    let mut drawn = 0;
    for number in 1..=MOST {
        let stopped = hooks.interrupt.load(std::sync::atomic::Ordering::Relaxed);
        if stopped || end.passed().is_some() || most.minus(Work::since(start)) == Work::default() {
            break;
        }
        if number % AT_ONCE == 0 {
            session = Session::new(config, &hooks.interrupt).with_time_of(config);
        }
        drawn = number;
        let base = &bases[drawing.below(bases.len())];
        let texts = drawing.texts(&inputs);
        let lengths = drawing.below(2) == 0;
        let given = with_texts(base, &texts, lengths);
        if let Some(way) = judge.differ_on(&mut session, &mut coverage, &Assignment::given(given))? {
            tracing::debug!(number, ?texts, "a drawn text shows a difference");
            let mut shorter = |texts: &Texts| {
                let inputs = Assignment::given(with_texts(base, texts, lengths));
                Ok(judge.differ_on(&mut session, &mut FullExploration, &inputs)? == Some(way))
            };
            let texts = shortened(texts.clone(), &mut shorter)?;
            let guess = with_texts(base, &texts, lengths);
            if judge.guess(&mut session, &[guess], None)? {
                judge.shorten(&mut session, false)?;
                return Ok(Some(judge.judgement(&session, Effort::default(), &[], |_| (0, None))));
            }
        }
        if coverage.has_news() {
            drawing.kept.push(texts);
        }
    }
    tracing::debug!(drawn, kept = drawing.kept.len(), "drew texts");
    Ok(None)
}

/// An input with other texts. Numbers that told how long a text was tell how long it is; so do all others if that is
/// `tried`.
fn with_texts(base: &Given, texts: &Texts, tried: bool) -> Given {
    let mut given = base.clone();
    let mut counts = Vec::new();
    for (input, text) in texts {
        let known = elements_of(base, input);
        let before = known.keys().next_back().map_or(0, |last| last + 1);
        let now = text.len() as u64 + 1;
        let is_element =
            |name: &String| name.strip_prefix(input.as_str()).is_some_and(|rest| rest.starts_with('['));
        given.elements.retain(|name, _| !is_element(name));
        let bytes = text.iter().chain(&[0]).enumerate();
        given.elements.extend(
            bytes.map(|(at, &byte)| (format!("{input}[{at}]"), GivenValue::Integer(i128::from(byte)))),
        );
        counts.extend([(before, now), (before.saturating_sub(1), now - 1)]);
    }
    lengths_told(&mut given, texts.keys(), &counts);
    if let (true, Some(text)) = (tried, texts.values().next()) {
        let is_number = |name: &str| !name.contains(['[', '>', '*', '.']) && !texts.contains_key(name);
        let length = GivenValue::Integer(text.len() as i128);
        let numbers = given.elements.iter_mut().filter(|(name, value)| {
            is_number(name) && matches!(value, GivenValue::Integer(number) if *number > 1)
        });
        numbers.for_each(|(_, value)| *value = length);
    }
    given
}

/// Texts without what is not needed for something to hold that holds of them.
fn shortened(
    mut texts: Texts,
    holds: &mut impl FnMut(&Texts) -> Result<bool, ExploreError>,
) -> Result<Texts, ExploreError> {
    for input in texts.keys().cloned().collect::<Vec<_>>() {
        let mut part = texts[&input].len();
        while part > 0 {
            let mut at = 0;
            while at < texts[&input].len() {
                let text = &texts[&input];
                let rest = &text[(at + part).min(text.len())..];
                let without = [&text[..at], rest].concat();
                let mut fewer = texts.clone();
                fewer.insert(input.clone(), without);
                if holds(&fewer)? {
                    texts = fewer;
                } else {
                    at += part;
                }
            }
            part /= 2;
        }
    }
    Ok(texts)
}

/// Draws texts, the same each time.
struct Drawing {
    words: Vec<Vec<u8>>,
    /// Texts that came to new places.
    kept: Vec<Texts>,
    state: u64,
}

impl Drawing {
    fn new(question: &Question<'_>) -> Self {
        let of = |program: &Program, entry: &str| {
            program.function_named(entry).map_or_else(BTreeSet::new, |entry| words(program, entry))
        };
        let (old, new) =
            (of(question.old.0, &question.old.1.entry), of(question.new.0, &question.new.1.entry));
        // What only one version has comes up more often.
        let own = old.symmetric_difference(&new).flat_map(|word| std::iter::repeat_n(word, 4));
        let words = own.chain(old.union(&new)).cloned().collect();
        Self { words, kept: Vec::new(), state: 1 }
    }

    /// A number below another one (splitmix64).
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }

    /// A text for each input: others, or some that were kept, changed.
    fn texts(&mut self, inputs: &[&String]) -> Texts {
        if !self.kept.is_empty() && self.below(3) > 0 {
            let at = self.below(self.kept.len());
            let mut texts = self.kept[at].clone();
            let input = inputs[self.below(inputs.len())];
            let mut text = texts.remove(input).unwrap_or_default();
            for _ in 0..=self.below(3) {
                text = self.changed(input, &text);
            }
            texts.insert(input.clone(), text);
            return texts;
        }
        inputs.iter().map(|&input| (input.clone(), self.fresh())).collect()
    }

    /// Some words after each other.
    fn fresh(&mut self) -> Vec<u8> {
        let most = [2, 5, 12, 40][self.below(4)];
        let mut text = Vec::new();
        for _ in 0..self.below(most + 1) {
            let word = self.word();
            text.extend(word);
        }
        text.truncate(LONGEST);
        text
    }

    fn word(&mut self) -> Vec<u8> {
        match self.below(8) {
            0 => (0..=self.below(4)).map(|_| b'0' + self.below(10) as u8).collect(),
            1 => (0..=self.below(4)).map(|_| b'a' + self.below(26) as u8).collect(),
            2 => vec![[b' ', b'\t', b'\n', b'-', 0x80, 0xff][self.below(6)]],
            _ if self.words.is_empty() => vec![b'A' + self.below(26) as u8],
            _ => {
                let at = self.below(self.words.len());
                self.words[at].clone()
            }
        }
    }

    /// A text with something put in, taken away, replaced or repeated, or another one behind it.
    fn changed(&mut self, input: &str, text: &[u8]) -> Vec<u8> {
        let at = self.below(text.len() + 1);
        let most = [8, LONGEST][self.below(2)];
        let to = at + self.below(text.len() - at + 1).min(most);
        let (before, within, after) = (&text[..at], &text[at..to], &text[to..]);
        let between = match self.below(5) {
            0 => [self.word(), within.to_vec()].concat(),
            1 => Vec::new(),
            2 => self.word(),
            3 => [within, within].concat(),
            _ => {
                let other = self.below(self.kept.len());
                let other = self.kept.get(other).and_then(|texts| texts.get(input));
                [within, other.map_or(&[][..], Vec::as_slice)].concat()
            }
        };
        let mut changed = [before, &between, after].concat();
        changed.truncate(LONGEST);
        changed
    }
}

/// How often blocks of the new version were come to, in powers of two.
struct Coverage<'p> {
    program: &'p Program,
    /// For each block a bit for each power that some run had.
    seen: Vec<u8>,
    /// How often this run came to each block, and those that it came to.
    counts: Vec<u32>,
    touched: Vec<usize>,
}

impl<'p> Coverage<'p> {
    fn new(program: &'p Program) -> Self {
        let count = program.functions.iter().map(|(_, function)| function.blocks.len()).sum();
        Self { program, seen: vec![0; count], counts: vec![0; count], touched: Vec::new() }
    }

    /// Whether the run that is over came to a block as often as none before it did.
    fn has_news(&mut self) -> bool {
        let mut news = false;
        for block in self.touched.drain(..) {
            let bit = 1 << std::mem::take(&mut self.counts[block]).ilog2().min(7);
            news |= self.seen[block] & bit == 0;
            self.seen[block] |= bit;
        }
        news
    }
}

impl Strategy for Coverage<'_> {
    fn watches(&self) -> Watches {
        let mut watches = Watches::new();
        let mut number = 0;
        for (id, function) in self.program.functions.iter() {
            for (_, block) in function.blocks.iter() {
                watches.add(id, block.first, number);
                number += 1;
            }
        }
        watches
    }

    fn reached(&mut self, _note: &mut Note, point: u32, _stack: &Stack<'_>) -> Visit {
        let block = point as usize;
        if self.counts[block] == 0 {
            self.touched.push(block);
        }
        self.counts[block] = self.counts[block].saturating_add(1);
        Visit::Continue
    }

    fn finished(&mut self, _note: &mut Note, _end: &End<'_>) -> bool {
        true
    }
}
