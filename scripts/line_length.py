#!/usr/bin/env python3
"""Checks that lines of text and comments have at most 120 characters: Markdown, and comments of Rust.

    scripts/line_length.py [FILE...]          names file:line of each that is longer; fails if there are any
    scripts/line_length.py --fix [FILE...]    wraps paragraphs, list items and comments anew, where one of their lines is longer

Without files, all that git knows are looked at. Code, tables, headings, and words that are longer than a line are left alone.
"""

import pathlib
import re
import subprocess
import sys

WIDTH = 120
# A list item: its mark, and where its text begins.
ITEM = re.compile(r"^(\s*)([-*+]|\d+[.)])(\s+)")
FENCE = re.compile(r"^\s*(```|~~~)")
RUST_COMMENT = re.compile(r"^(\s*)(///|//!|//)( ?)(.*)$")


def wrap(words, first, rest):
    """Lines of words: the first begins with one prefix, the others with another."""
    lines, line = [], first
    empty = True
    for word in words:
        if not empty and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line, empty = rest, True
        line += word if empty else " " + word
        empty = False
    return lines + [line]


def words_of(text):
    """The words of a text. What stands between backticks stays together, because code may mean something by its spaces."""
    words = []
    for part in re.findall(r"(?:`[^`]*`|[^\s`]|`)+", text):
        # A line must not begin with what Markdown takes for the start of something else.
        if words and re.match(r"^([-*+>|]|#+|\d+[.)])$|^(>|\||```)", part):
            words[-1] += " " + part
        else:
            words.append(part)
    return words


def is_paragraph(line):
    """Whether a line of Markdown can go on with the next one."""
    stripped = line.strip()
    is_reference = re.match(r"^\[[^]]*\]: ", stripped) is not None
    return bool(stripped) and not is_reference and not stripped.startswith(("#", "|", ">", "<", "===", "---"))


def blocks_of_markdown(lines):
    """The paragraphs and list items: (first line, line after the last, prefix, prefix of the next lines)."""
    number, fenced, in_list = 0, False, False
    while number < len(lines):
        line = lines[number]
        if FENCE.match(line):
            fenced = not fenced
        item = ITEM.match(line)
        indent = len(line) - len(line.lstrip())
        is_code = indent >= 4 and not in_list and not item
        if fenced or FENCE.match(line) or is_code or not is_paragraph(line):
            if line.strip() and indent == 0 and not item:
                in_list = False
            number += 1
            continue
        if item:
            in_list = True
            first = item.group(0)
            rest = " " * len(first)
        else:
            if indent == 0:
                in_list = False
            elif in_list and indent >= 6:
                # Code inside a list.
                number += 1
                continue
            first = rest = " " * indent
        end = number + 1
        while end < len(lines) and is_paragraph(lines[end]) and not ITEM.match(lines[end]) and not FENCE.match(lines[end]):
            # Two spaces at the end are a line break.
            if lines[end - 1].endswith("  "):
                break
            end += 1
        yield number, end, first, rest
        number = end


def fix_markdown(lines):
    for start, end, first, rest in reversed(list(blocks_of_markdown(lines))):
        block = lines[start:end]
        if all(len(line) <= WIDTH for line in block):
            continue
        text = " ".join([block[0][len(first):]] + [line.strip() for line in block[1:]])
        lines[start:end] = wrap(words_of(text), first, rest)
    return lines


def comments_of_rust(lines):
    """The blocks of comments that stand on lines of their own: (first line, line after the last, indent and mark)."""
    number = 0
    in_string = False
    while number < len(lines):
        # Comments inside raw strings are text of tests.
        if in_string:
            in_string = '"#' not in lines[number]
            number += 1
            continue
        if re.search(r'r#"', lines[number]) and '"#' not in lines[number].split('r#"', 1)[1]:
            in_string = True
            number += 1
            continue
        match = RUST_COMMENT.match(lines[number])
        if not match:
            number += 1
            continue
        mark = match.group(1) + match.group(2)
        end = number
        while end < len(lines) and (each := RUST_COMMENT.match(lines[end])) and each.group(1) + each.group(2) == mark:
            end += 1
        yield number, end, mark
        number = end


def fix_rust(lines):
    for start, end, mark in reversed(list(comments_of_rust(lines))):
        if all(len(line) <= WIDTH for line in lines[start:end]):
            continue
        inside = [line[len(mark):].removeprefix(" ") for line in lines[start:end]]
        prefix = mark + " "
        fixed = []
        position = 0
        for first, last, begin, rest in blocks_of_markdown(inside):
            fixed += [(prefix + line).rstrip() for line in inside[position:first]]
            block = inside[first:last]
            if all(len(prefix + line) <= WIDTH for line in block):
                fixed += [(prefix + line).rstrip() for line in block]
            else:
                text = " ".join([block[0][len(begin):]] + [line.strip() for line in block[1:]])
                fixed += wrap(words_of(text), prefix + begin, prefix + rest)
            position = last
        fixed += [(prefix + line).rstrip() for line in inside[position:]]
        lines[start:end] = fixed
    return lines


def too_long(path, lines):
    """The numbers of lines that should be shorter."""
    if path.suffix == ".md":
        fenced, in_list = False, False
        for number, line in enumerate(lines, 1):
            if FENCE.match(line):
                fenced = not fenced
            if ITEM.match(line):
                in_list = True
            elif line and not line.startswith(" "):
                in_list = False
            is_code = fenced or (line.startswith("    ") and not in_list) or line.startswith("      ")
            if len(line) > WIDTH and not is_code and not line.lstrip().startswith("|") and breakable(line):
                yield number
    else:
        for start, end, mark in comments_of_rust(lines):
            for number in range(start, end):
                line = lines[number]
                if len(line) > WIDTH and not line[len(mark):].lstrip().startswith("|") and breakable(line[len(mark):]):
                    yield number + 1


def breakable(line):
    """Whether there is a place to break the line: not where one word fills it, as addresses do."""
    item = ITEM.match(line)
    words = words_of(line[len(item.group(0)):] if item else line)
    return len(words) > 1 and all(len(word) < WIDTH - 20 for word in words)


def files():
    known = subprocess.run(["git", "ls-files", "*.md", "*.rs"], capture_output=True, text=True, check=True)
    return [pathlib.Path(name) for name in known.stdout.splitlines()]


def main():
    arguments = sys.argv[1:]
    fix = "--fix" in arguments
    paths = [pathlib.Path(name) for name in arguments if name != "--fix"] or files()
    wrong = 0
    for path in paths:
        lines = path.read_text(encoding="utf-8").split("\n")
        if fix:
            fixed = (fix_markdown if path.suffix == ".md" else fix_rust)(list(lines))
            if fixed != lines:
                path.write_text("\n".join(fixed), encoding="utf-8")
            lines = fixed
        for number in too_long(path, lines):
            print(f"{path}:{number}: {len(lines[number - 1])} characters")
            wrong += 1
    if wrong:
        print(f"{wrong} lines of text or comments are longer than {WIDTH} characters", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
