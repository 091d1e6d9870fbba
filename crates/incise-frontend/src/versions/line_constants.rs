//! The constants of `__LINE__` of one compilation in the text of another one, which differs in the numbers of lines
//! only.

/// LLVM IR with the instructions and constants of `moved`, and with the places of `plain`. `None` if they differ in
/// more than numbers, or not at all.
pub(crate) fn with_lines_of(plain: &[u8], moved: &[u8]) -> Result<Option<Vec<u8>>, Unlike> {
    let mut result = Vec::with_capacity(plain.len());
    let mut others = moved.split(|&byte| byte == b'\n').filter(|line| !is_metadata(line));
    let mut changed = false;
    for line in plain.split(|&byte| byte == b'\n') {
        if is_metadata(line) {
            push(&mut result, &[line]);
            continue;
        }
        let other = others.next().ok_or(Unlike)?;
        if line == other || speaks_of_places(line) {
            push(&mut result, &[line]);
            continue;
        }
        let ((mine, places), (theirs, _)) = (split_places(line), split_places(other));
        if !without_digits(mine).eq(without_digits(theirs)) {
            return Err(Unlike);
        }
        changed |= mine != theirs;
        push(&mut result, &[theirs, places]);
    }
    // The last line has no end.
    result.pop();
    if others.next().is_some() {
        return Err(Unlike);
    }
    Ok(changed.then_some(result))
}

/// The texts are not of the same program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unlike;

/// Whether a module may hold a constant that is one of these lines: a number in an instruction or an initial value, or
/// digits of a string.
pub(crate) fn may_speak_of(text: &[u8], is_line: &dyn Fn(u64) -> bool) -> bool {
    let lines =
        text.split(|&byte| byte == b'\n').filter(|line| !is_metadata(line) && !speaks_of_places(line));
    let mut bodies = lines.map(|line| split_places(line).0).filter(|line| !contains(line, b"getelementptr"));
    bodies.any(|line| numbers(line).any(is_line))
}

/// The numbers in a line that are no parts of names.
fn numbers(line: &[u8]) -> impl Iterator<Item = u64> {
    let is_name =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'%' | b'@' | b'#' | b'!');
    let words = line.split(move |&byte| !is_name(byte));
    // In strings a number may stand between letters.
    let in_string = contains(line, b"c\"");
    let digits = line.split(|byte| !byte.is_ascii_digit()).filter(move |_| in_string);
    let parse = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<u64>().ok();
    words.chain(digits).filter_map(parse).collect::<Vec<_>>().into_iter()
}

fn contains(line: &[u8], part: &[u8]) -> bool {
    line.windows(part.len()).any(|window| window == part)
}

fn push(result: &mut Vec<u8>, parts: &[&[u8]]) {
    for part in parts {
        result.extend_from_slice(part);
    }
    result.push(b'\n');
}

fn is_metadata(line: &[u8]) -> bool {
    line.first() == Some(&b'!')
}

/// Whether a line is about the source and not about what is executed.
fn speaks_of_places(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let starts =
        [&b"#dbg_"[..], b"call void @llvm.dbg.", b"tail call void @llvm.dbg.", b"define ", b"declare "];
    starts.iter().any(|start| line.starts_with(start))
}

/// A line in front of what is attached to it (`, !dbg !12`), and the rest.
fn split_places(line: &[u8]) -> (&[u8], &[u8]) {
    let mut end = line.len();
    while let Some(at) = line[..end].windows(3).rposition(|window| window == b", !") {
        let words: Vec<&[u8]> = line[at + 2..end].split(|&byte| byte == b' ').collect();
        let is_attached = match words.as_slice() {
            [name, number] => {
                name.len() > 1
                    && name[1..]
                        .iter()
                        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
                    && number.first() == Some(&b'!')
                    && number[1..].iter().all(u8::is_ascii_digit)
            }
            _ => false,
        };
        if !is_attached {
            break;
        }
        end = at;
    }
    line.split_at(end)
}

fn without_digits(line: &[u8]) -> impl Iterator<Item = u8> {
    line.iter().copied().filter(|byte| !byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &[u8] = b"@s = c\"a.c:12\\00\", !dbg !0\n  call void @BUG(i32 noundef 12), !dbg !7\n  ret i32 %x1, !dbg !8\n!7 = !{12}\n";

    #[test]
    fn constants_are_of_one_and_places_of_the_other() {
        let moved = b"@s = c\"a.c:9\\00\", !dbg !0\n  call void @BUG(i32 noundef 9), !dbg !6\n  ret i32 %x1, !dbg !6\n!6 = !{9}\n!9 = !{1}\n";
        let merged = with_lines_of(PLAIN, moved).expect("they are alike").expect("something is new");
        let expected = "@s = c\"a.c:9\\00\", !dbg !0\n  call void @BUG(i32 noundef 9), !dbg !7\n  ret i32 %x1, !dbg !8\n!7 = !{12}\n";
        assert_eq!(String::from_utf8_lossy(&merged), expected);
        assert_eq!(with_lines_of(PLAIN, PLAIN), Ok(None));
    }

    #[test]
    fn another_program_is_refused() {
        let other = b"@s = c\"a.c:9\\00\", !dbg !0\n  call void @BUG(i64 noundef 9), !dbg !6\n  ret void\n";
        assert_eq!(with_lines_of(PLAIN, other), Err(Unlike));
        assert_eq!(with_lines_of(PLAIN, b"@s = c\"a.c:9\\00\", !dbg !0\n"), Err(Unlike));
    }

    #[test]
    fn a_line_is_found_in_numbers_and_in_strings() {
        assert!(may_speak_of(PLAIN, &|line| line == 12));
        assert!(!may_speak_of(PLAIN, &|line| [7, 8, 1, 2].contains(&line)));
        assert!(may_speak_of(b"@s = c\"a.c:12x\\00\"", &|line| line == 12));
    }
}
