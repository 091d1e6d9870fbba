//! What functions of the C library say of their arguments.

/// What a library function does with an argument, counted from zero.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// It is a string.
    Text(usize),
    /// It is a string, or as much of one as is looked at.
    Beginning(usize),
    /// It leads to as many bytes as another argument says.
    Bytes(usize, usize),
    /// It leads to as many bytes as the product of two other arguments says.
    Product(usize, usize, usize),
    /// It leads to as many wide characters as another argument says.
    Wide(usize, usize),
    /// It must lead somewhere.
    Leads(usize),
    /// It is given back to `malloc`, or null.
    Freed(usize),
    /// It is a format, and the arguments behind the second number are its values.
    Format(usize, usize),
}

use Use::{Beginning, Bytes, Format, Freed, Leads, Product, Text, Wide};

/// What a function of the library does with its arguments.
pub(crate) fn uses(name: &str) -> &'static [Use] {
    match name {
        "strlen" | "strdup" | "atoi" | "atol" | "atoll" | "atof" | "getenv" | "unlink" | "remove"
        | "rmdir" | "chdir" | "opendir" | "system" | "perror" | "puts" | "strcoll_l" | "unsetenv"
        | "inet_addr" | "__strdup" | "access" | "mkdir" | "chmod" | "chown" | "open" | "open64" | "creat"
        | "truncate" | "basename" | "dirname" | "dlopen" | "mkstemp" | "fdopendir" | "wcslen" | "wcsdup"
        | "strtod" | "strtof" | "strtold" | "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtoimax"
        | "strtoumax" | "strchr" | "strrchr" | "index" | "rindex" | "strchrnul" | "__rawmemchr"
        | "wcschr" | "wcsrchr" | "__isoc23_strtol" | "__isoc23_strtoul" | "__isoc23_strtoll"
        | "__isoc23_strtoull" => &[Text(0)],
        "fputs" | "fputws" => &[Text(0), Leads(1)],
        "strcmp" | "strcasecmp" | "strstr" | "strcasestr" | "strpbrk" | "strspn" | "strcspn" | "strcoll"
        | "fopen" | "fopen64" | "popen" | "rename" | "link" | "symlink" | "setenv" | "strcat" | "wcscmp"
        | "wcsstr" | "wcscat" | "__strcat_chk" | "strverscmp" | "stat" | "lstat" => match name {
            "stat" | "lstat" => &[Text(0), Leads(1)],
            _ => &[Text(0), Text(1)],
        },
        "strcpy" | "stpcpy" | "wcscpy" | "__strcpy_chk" | "__stpcpy_chk" => &[Leads(0), Text(1)],
        "freopen" => &[Text(0), Text(1), Leads(2)],
        "strtok" => &[Text(1)],
        "strtok_r" | "strsep" => match name {
            "strsep" => &[Leads(0), Text(1)],
            _ => &[Text(1), Leads(2)],
        },
        "strncat" | "__strncat_chk" => &[Text(0), Beginning(1)],
        "strlcpy" => &[Bytes(0, 2), Text(1)],
        "strlcat" => &[Bytes(0, 2), Text(0), Text(1)],
        "strncpy" | "stpncpy" | "__strncpy_chk" => &[Bytes(0, 2), Beginning(1)],
        "strncmp" | "strncasecmp" => &[Beginning(0), Beginning(1)],
        "strnlen" | "strndup" => &[Leads(0)],
        "memcpy" | "memmove" | "mempcpy" | "memcmp" | "bcmp" | "__memcpy_chk" | "__memmove_chk" => {
            &[Bytes(0, 2), Bytes(1, 2)]
        }
        "bcopy" => &[Bytes(0, 2), Bytes(1, 2)],
        "memset" | "memchr" | "memrchr" | "__memset_chk" => &[Bytes(0, 2)],
        "rawmemchr" => &[Leads(0)],
        "memmem" => &[Bytes(0, 1), Bytes(2, 3)],
        "bzero" | "explicit_bzero" => &[Bytes(0, 1)],
        "wmemcpy" | "wmemmove" | "wmemcmp" => &[Wide(0, 2), Wide(1, 2)],
        "wmemset" | "wmemchr" => &[Wide(0, 2)],
        "fread" | "fwrite" | "fread_unlocked" | "fwrite_unlocked" => &[Product(0, 1, 2), Leads(3)],
        "qsort" => &[Product(0, 1, 2)],
        "bsearch" => &[Leads(0), Product(1, 2, 3)],
        "read" | "write" | "recv" | "send" | "pread" | "pwrite" => &[Bytes(1, 2)],
        "fgets" => &[Bytes(0, 1), Leads(2)],
        "getcwd" => &[Bytes(0, 1)],
        "getline" | "getdelim" => &[Leads(0), Leads(1)],
        "fclose" | "fflush" | "fgetc" | "getc" | "feof" | "ferror" | "rewind" | "ftell" | "fseek"
        | "fileno" | "clearerr" => match name {
            "fflush" => &[],
            _ => &[Leads(0)],
        },
        "fputc" | "putc" | "ungetc" => &[Leads(1)],
        "free" | "cfree" => &[Freed(0)],
        "realloc" | "reallocarray" => &[Freed(0)],
        "printf" => &[Text(0), Format(0, 1)],
        "fprintf" | "sprintf" | "dprintf" | "syslog" => match name {
            "dprintf" | "syslog" => &[Text(1), Format(1, 2)],
            _ => &[Leads(0), Text(1), Format(1, 2)],
        },
        "asprintf" => &[Leads(0), Text(1), Format(1, 2)],
        "snprintf" => &[Bytes(0, 1), Text(2), Format(2, 3)],
        "vprintf" => &[Text(0)],
        "vfprintf" | "vsprintf" => &[Leads(0), Text(1)],
        "vsnprintf" => &[Bytes(0, 1), Text(2)],
        "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => &[Text(0), Text(1)],
        "strftime" => &[Bytes(0, 1), Text(2), Leads(3)],
        _ => &[],
    }
}

/// The argument of a library function that is a stream which it reads or writes, and whether what is in its file
/// matters to it.
pub(crate) fn stream(name: &str) -> Option<(usize, bool)> {
    Some(match name {
        "fgetc" | "getc" | "_IO_getc" | "fgetc_unlocked" | "getc_unlocked" | "__uflow" | "getw"
        | "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" | "vfscanf" | "__isoc99_vfscanf"
        | "__isoc23_vfscanf" | "rewind" | "fseek" | "fseeko" | "fseeko64" | "ftell" | "ftello"
        | "ftello64" | "fgetpos" | "fsetpos" | "fileno" | "feof" | "feof_unlocked" => (0, true),
        "ungetc" => (1, true),
        "fgets" | "fgets_unlocked" | "getline" | "freopen" => (2, true),
        "fread" | "fread_unlocked" | "getdelim" | "__getdelim" => (3, true),
        "fprintf" | "vfprintf" | "__fprintf_chk" | "__vfprintf_chk" | "__overflow" => (0, false),
        "fputc" | "putc" | "_IO_putc" | "fputc_unlocked" | "putc_unlocked" | "fputs" | "fputs_unlocked" => {
            (1, false)
        }
        "fwrite" | "fwrite_unlocked" => (3, false),
        _ => return None,
    })
}

/// Whether a library function leaves what is in the file of a stream alone, and does not ask for it.
pub(crate) fn leaves_stream_alone(name: &str) -> bool {
    matches!(
        name,
        "fclose"
            | "fflush"
            | "fflush_unlocked"
            | "ferror"
            | "ferror_unlocked"
            | "clearerr"
            | "setvbuf"
            | "setbuf"
            | "setbuffer"
            | "setlinebuf"
    )
}

/// The argument that a library function returns a pointer into.
pub(crate) fn returns_into(name: &str) -> Option<usize> {
    match name {
        "strchr" | "strrchr" | "strstr" | "strcasestr" | "strpbrk" | "memchr" | "memrchr" | "rawmemchr"
        | "strchrnul" | "index" | "rindex" | "memmem" | "strcpy" | "stpcpy" | "strcat" | "strncpy"
        | "strncat" | "memcpy" | "memmove" | "mempcpy" | "memset" | "basename" | "strtok" => Some(0),
        _ => None,
    }
}

/// The values of a format that are strings, counted from the first value.
pub(crate) fn strings_of_format(format: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut value = 0;
    let mut rest = format.iter().copied().take_while(|&byte| byte != 0).peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let mut precise = false;
        for byte in rest.by_ref() {
            match byte {
                b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' | b'\'' | b'h' | b'l' | b'j' | b'z' | b't' | b'L' => {
                }
                b'.' => precise = true,
                b'*' => value += 1,
                b'%' => break,
                b's' => {
                    // With a precision the string need not end.
                    if !precise {
                        found.push(value);
                    }
                    value += 1;
                    break;
                }
                // A numbered value: the count is off from here on.
                b'$' => return found,
                _ => {
                    value += 1;
                    break;
                }
            }
        }
    }
    found
}

/// Functions that look at one character.
pub(crate) fn looks_at_character(name: &str) -> bool {
    (name.starts_with("is") && name.len() <= 9) || matches!(name, "tolower" | "toupper" | "__ctype_b_loc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_format_are_counted() {
        assert_eq!(strings_of_format(b"%d %s %*d %-10s 100%% %.3s %s\0%s"), [1, 4, 6]);
        assert_eq!(strings_of_format(b"%ld%zu%c"), [0usize; 0]);
    }
}
