//! Damages texts in ways that real accidents and malice do, from a seed, so that every run is the same.

/// A small generator of pseudo-random numbers (xorshift64*), the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    /// A generator; equal seeds give equal numbers.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`, 0 if that is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() >> 16) as usize % bound }
    }
}

/// Damages `text` a few times; `other` is a text to take parts from.
pub(crate) fn mutate(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + random.below(4) {
        match random.below(10) {
            0 => flip_bytes(&mut text, random),
            1 => text.truncate(random.below(text.len() + 1)),
            2 | 3 => delete_token(&mut text, random),
            4 | 5 => copy_token(&mut text, random),
            6 => swap_lines(&mut text, random),
            7 => change_number(&mut text, random),
            8 => delete_line(&mut text, random),
            _ => splice(&mut text, other, random),
        }
    }
    text
}

fn flip_bytes(text: &mut [u8], random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(text.len());
        if let Some(byte) = text.get_mut(at) {
            // Often a byte that means something to the reader.
            const MEANINGFUL: &[u8] = b"%@!#$(){}[]<>,=\"\\;:*0x-.cie \n\0";
            *byte = if random.below(2) == 0 {
                MEANINGFUL[random.below(MEANINGFUL.len())]
            } else {
                random.next() as u8
            };
        }
    }
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'%' | b'@' | b'!')
}

/// A token of the text near a random place.
fn token(text: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(text.len());
    let mut start = start;
    while start < text.len() && text[start].is_ascii_whitespace() {
        start += 1;
    }
    if start < text.len() && !is_token_byte(text[start]) {
        return start..start + 1;
    }
    while start > 0 && is_token_byte(text[start - 1]) {
        start -= 1;
    }
    let length = text[start..].iter().take_while(|&&byte| is_token_byte(byte)).count();
    start..start + length
}

fn delete_token(text: &mut Vec<u8>, random: &mut Random) {
    let range = token(text, random);
    text.drain(range);
}

/// Puts a copy of a token somewhere, or in the place of another token.
fn copy_token(text: &mut Vec<u8>, random: &mut Random) {
    let source = token(text, random);
    let mut bytes = text[source].to_vec();
    let target = token(text, random);
    if random.below(2) == 0 {
        text.splice(target, bytes);
    } else {
        bytes.push(b' ');
        let times = if random.below(50) == 0 { 300 } else { 1 };
        text.splice(target.start..target.start, bytes.repeat(times));
    }
}

fn line(text: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let at = random.below(text.len());
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let end = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |length| at + length + 1);
    start..end
}

fn swap_lines(text: &mut Vec<u8>, random: &mut Random) {
    let source = line(text, random);
    let bytes: Vec<u8> = text.drain(source).collect();
    let target = line(text, random);
    text.splice(target.start..target.start, bytes);
}

fn delete_line(text: &mut Vec<u8>, random: &mut Random) {
    let range = line(text, random);
    text.drain(range);
}

fn change_number(text: &mut Vec<u8>, random: &mut Random) {
    let start = random.below(text.len());
    let Some(start) = text[start..].iter().position(u8::is_ascii_digit).map(|offset| start + offset) else {
        return;
    };
    let length = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    const NUMBERS: &[&str] = &[
        "0",
        "1",
        "2",
        "7",
        "31",
        "64",
        "65",
        "128",
        "129",
        "255",
        "65536",
        "8388608",
        "2147483648",
        "4294967295",
        "4294967296",
        "18446744073709551615",
        "18446744073709551616",
        "340282366920938463463374607431768211456",
    ];
    let number = match random.below(3) {
        0 => random.below(40).to_string(),
        _ => NUMBERS[random.below(NUMBERS.len())].to_owned(),
    };
    text.splice(start..start + length, number.into_bytes());
}

fn splice(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let source = line(other, random);
    let target = line(text, random);
    text.splice(target.start..target.start, other[source].iter().copied());
}

/// Pieces of a text that are small enough to read a million of: some functions and all that they may refer to.
pub(crate) fn seeds() -> Vec<&'static [u8]> {
    vec![
        include_bytes!("../../seeds/exotic.ll"),
        include_bytes!("../../seeds/clang15_O0.ll"),
        include_bytes!("../../seeds/clang19_O0.ll"),
        include_bytes!("../../seeds/clang19_O2.ll"),
        include_bytes!("../../seeds/rust.ll"),
    ]
}

/// A smaller text: some top-level entities of a seed. Most of them still make sense together.
pub(crate) fn shrink(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut kept = Vec::new();
    let (mut in_body, mut keep) = (false, true);
    let drop_rate = 2 + random.below(6);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"define") {
            keep = random.below(drop_rate) == 0;
            in_body = true;
            if !keep {
                // What is left of a function that was dropped is its declaration.
                let header = line.iter().position(|&byte| byte == b'{').unwrap_or(line.len());
                let header = String::from_utf8_lossy(&line[..header]);
                let header = header.split(" #").next().unwrap_or_default();
                let header = header
                    .split(" personality")
                    .next()
                    .unwrap_or_default()
                    .split(" !dbg")
                    .next()
                    .unwrap_or_default();
                kept.extend_from_slice(
                    header.replacen("define", "declare", 1).replace(" internal ", " ").as_bytes(),
                );
                kept.push(b'\n');
                continue;
            }
        }
        if keep || !in_body {
            kept.extend_from_slice(line);
        }
        if line.starts_with(b"}") {
            (in_body, keep) = (false, true);
        }
    }
    kept
}
