//! How much memory processes use, as the kernel tells.

use crate::live::ids;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// What marks the size of a page in the auxiliary vector of a process.
const PAGE_SIZE: u64 = 6;

/// The bytes of this process that are in memory now; 0 where the system does not tell.
pub fn of_this() -> u64 {
    resident("self")
}

/// The bytes of all children and of what they started that are in memory now.
pub fn of_children() -> u64 {
    let mut open: Vec<u32> = ids();
    let mut seen = BTreeSet::new();
    let mut sum = 0;
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            sum += resident(&id.to_string());
            open.extend(children(id));
        }
    }
    sum
}

/// The bytes of memory that there are for all processes, of the machine or of the container that this one runs in;
/// `None` where the system does not tell.
pub fn of_machine() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text));
    let container = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let container =
        container.iter().filter_map(|file| std::fs::read_to_string(file).ok()?.trim().parse().ok());
    machine.into_iter().chain(container).min()
}

/// The total in what the kernel says of memory, which it counts in units of 1024 bytes.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The bytes of a process in memory.
fn resident(process: &str) -> u64 {
    // The second number of statm counts resident pages.
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).ok();
    let pages = pages.as_deref().and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * page_size()
}

/// The processes that a process started; those of its other threads are not seen, which tools do not start.
fn children(id: u32) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// The bytes of a page of memory, as the kernel tells it. Not by a library that looks into the mapped code of the
/// kernel, which is not there when valgrind counts.
fn page_size() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let pairs = std::fs::read("/proc/self/auxv").unwrap_or_default();
        let (words, _) = pairs.as_chunks::<8>();
        let (pairs, _) = words.as_chunks::<2>();
        let found = pairs.iter().find(|pair| u64::from_ne_bytes(pair[0]) == PAGE_SIZE);
        found.map_or(4096, |pair| u64::from_ne_bytes(pair[1]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tied;
    use std::process::{Command, Stdio};

    #[test]
    fn pages_are_as_large_as_the_system_says() {
        assert_eq!(page_size(), rustix::param::page_size() as u64);
    }

    #[test]
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(total("MemTotal:       24689764 kB\nMemFree: 1 kB\n"), Some(24_689_764 << 10));
        assert!(of_machine().is_some_and(|all| all > of_this()));
    }

    #[test]
    fn memory_in_use_is_seen() {
        let before = of_this();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(of_this() >= before + (32 << 20));
        drop(block);
    }

    #[test]
    fn memory_of_children_and_theirs_is_seen() {
        // A shell that waits for another, which has a variable of many bytes.
        let inner = "x=$(head -c 20000000 /dev/zero | tr '\\0' x); echo ready; read end; : \"$x\"";
        let mut command = Command::new("sh");
        command.args(["-c", "sh -c \"$0\"; true", inner]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = Tied::start(&mut command).unwrap();
        let mut ready = [0; 5];
        std::io::Read::read_exact(child.process().stdout.as_mut().unwrap(), &mut ready).unwrap();
        assert!(of_children() > 16_000_000, "{}", of_children());
        drop(child);
    }
}
