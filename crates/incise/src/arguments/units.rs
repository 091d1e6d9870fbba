//! Durations and sizes as people write them.

use std::time::Duration;

/// A duration such as `90`, `500ms`, `1.5h` or `1m30s`; seconds if there is no unit.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is not a time; write it as 500ms, 90s, 5m or 1h30m");
    if text.trim().is_empty() {
        return Err(wrong());
    }
    let mut total = 0.0;
    for (number, unit) in parts(text.trim()).ok_or_else(wrong)? {
        total += number
            * match unit.as_str() {
                "" | "s" | "sec" | "second" | "seconds" => 1.0,
                "ms" => 1e-3,
                "us" => 1e-6,
                "m" | "min" | "minute" | "minutes" => 60.0,
                "h" | "hour" | "hours" => 3600.0,
                "d" | "day" | "days" => 86400.0,
                _ => return Err(wrong()),
            };
    }
    Duration::try_from_secs_f64(total).map_err(|_| wrong())
}

/// A size such as `4G`, `500M`, `1.5GiB` or `4096`; bytes if there is no unit, and units are powers of 1024.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a size; write it as 500M or 4G");
    let parsed = parts(text.trim()).ok_or_else(wrong)?;
    let [(number, unit)] = parsed.as_slice() else { return Err(wrong()) };
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(wrong()),
    };
    let bytes = number * (1u64 << factor) as f64;
    if bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(wrong()) }
}

/// Numbers, each with the letters that follow it.
fn parts(text: &str) -> Option<Vec<(f64, String)>> {
    let mut result = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|each: char| !each.is_ascii_digit() && each != '.').unwrap_or(rest.len());
        let number: f64 = rest[..end].parse().ok()?;
        rest = rest[end..].trim_start();
        let end = rest.find(|each: char| !each.is_ascii_alphabetic()).unwrap_or(rest.len());
        result.push((number, rest[..end].to_owned()));
        rest = rest[end..].trim_start();
    }
    (!result.is_empty()).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, milliseconds) in [
            ("90", 90_000),
            ("500ms", 500),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            ("0.5s", 500),
            ("1 min", 60_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "m", "5x", "-3s", "1..5s", "1e400", "99999999999999999999d"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, bytes) in
            [("4096", 4096), ("4G", 4 << 30), ("1.5k", 1536), ("500MiB", 500 << 20), ("1 tb", 1 << 40)]
        {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "4X", "1G1G", "-1", "99999999T"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
