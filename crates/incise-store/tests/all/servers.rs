//! Stores that machines share, with real servers on free ports: what is put there is found, and whatever a server does
//! costs time at most.
//!
//! Redis, Memcached and WebDAV (by lighttpd) are those that `make setup` installs. For S3 there is none in Debian: the
//! server here keeps what it is sent and looks at how that is signed.

use incise_store::shared::{Credentials, SharedStore};
use incise_store::{FAILURES, Key, KeyBuilder, SharedUrl, Store, StoreAccess, StorePlace, seal};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// For servers that answer, however busy the machine is.
const LONG: Duration = Duration::from_secs(30);
/// For servers that do not.
const SHORT: Duration = Duration::from_millis(200);
/// For servers that answer at first: some clients try again for as long as there is time.
const MIDDLE: Duration = Duration::from_secs(4);

fn key(number: usize) -> Key {
    KeyBuilder::new("test").with("number", &number).key()
}

fn url(text: &str) -> SharedUrl {
    match StorePlace::of(text) {
        Ok(StorePlace::Shared(url)) => url,
        other => panic!("{text}: {other:?}"),
    }
}

fn store(text: &str, wait: Duration) -> Arc<dyn Store> {
    Arc::new(SharedStore::waiting(&url(text), &Credentials::default(), wait).expect("a store"))
}

fn access(text: &str, wait: Duration) -> StoreAccess {
    StoreAccess::new(vec![store(text, wait)])
}

/// A server, for as long as this lives.
struct Server {
    child: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl Server {
    /// Starts a server on a free port and waits until it listens.
    fn start(command: impl Fn(u16, &Path) -> Command) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // Somebody else may take a port that was free a moment ago.
        for _ in 0..10 {
            let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
            let port = free.expect("a free port").port();
            let mut command = command(port, folder.path());
            let program = command.get_program().to_string_lossy().into_owned();
            let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            let mut child =
                child.unwrap_or_else(|error| panic!("{program}: {error} (`make setup` installs it)"));
            while child.try_wait().expect("a child").is_none() {
                if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                    return Self { child, port, folder };
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        panic!("the server ends at once")
    }

    fn redis(password: &str) -> Self {
        Self::start(|port, folder| {
            let mut command = Command::new("redis-server");
            command
                .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--dir"])
                .arg(folder);
            if !password.is_empty() {
                command.args(["--requirepass", password]);
            }
            command
        })
    }

    fn memcached() -> Self {
        Self::start(|port, _| {
            let mut command = Command::new("memcached");
            command.args(["-p", &port.to_string(), "-l", "127.0.0.1", "-U", "0", "-u", "root"]);
            command
        })
    }

    fn webdav() -> Self {
        Self::start(|port, folder| {
            let (root, configuration) = (folder.join("root"), folder.join("lighttpd.conf"));
            std::fs::create_dir_all(&root).expect("a folder");
            let text = format!(
                "server.modules = (\"mod_webdav\")\nserver.document-root = \"{}\"\nserver.port = {port}\n\
                 server.bind = \"127.0.0.1\"\nwebdav.activate = \"enable\"\n",
                root.display()
            );
            std::fs::write(&configuration, text).expect("a file");
            let mut command = Command::new("/usr/sbin/lighttpd");
            command.arg("-D").arg("-f").arg(configuration);
            command
        })
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What every store has to do, whatever kind it is.
fn keeps_what_is_put(text: &str) {
    let (one, other) = (access(text, LONG), access(text, LONG));
    assert_eq!(one.get(&key(1)), None);
    let large: Vec<u8> = (0..300_000u32).map(|number| (number % 251) as u8).collect();
    for (number, content) in [&b""[..], b"something", &large].into_iter().enumerate() {
        one.put(&key(number), content);
        assert_eq!(other.get(&key(number)).as_deref(), Some(content), "{number}: {:?}", other.troubles());
    }
    one.put(&key(1), b"something else");
    assert_eq!(other.get(&key(1)).as_deref(), Some(&b"something else"[..]));
    // Garbage, half of an entry, and that of another key.
    let raw = store(text, LONG);
    let entry = seal(&key(7), b"content");
    for damaged in [&b"garbage"[..], &entry[..entry.len() - 1], &entry] {
        raw.put(&key(8), damaged).expect("put");
        assert_eq!(one.get(&key(8)), None);
    }
    assert!(one.troubles().is_empty() && other.troubles().is_empty());
}

/// A server that is gone is asked no more than a few times, and that is said once.
fn is_left_alone_once_it_is_gone(mut server: Server, text: &str) {
    let access = access(text, MIDDLE);
    access.put(&key(1), b"one");
    assert!(access.get(&key(1)).is_some(), "{:?}", access.troubles());
    server.stop();
    for number in 0..5 {
        assert_eq!(access.get(&key(number)), None);
        access.put(&key(number), b"one");
    }
    let said = access.troubles();
    assert!(matches!(&said[..], [one] if one.contains("is not used any more")), "{said:?}");
}

#[test]
fn redis_keeps_what_is_put() {
    let server = Server::redis("");
    keeps_what_is_put(&format!("redis://127.0.0.1:{}", server.port));
    // Another database, and another name, have other entries.
    keeps_what_is_put(&format!("redis://127.0.0.1:{}/3/team", server.port));
    let text = format!("redis://127.0.0.1:{}/team", server.port);
    is_left_alone_once_it_is_gone(server, &text);
}

#[test]
fn memcached_keeps_what_is_put() {
    let server = Server::memcached();
    keeps_what_is_put(&format!("memcached://127.0.0.1:{}/team", server.port));
    let text = format!("memcached://127.0.0.1:{}", server.port);
    is_left_alone_once_it_is_gone(server, &text);
}

#[test]
fn webdav_keeps_what_is_put() {
    let server = Server::webdav();
    keeps_what_is_put(&format!("webdav://127.0.0.1:{}/some/team", server.port));
    assert!(server.folder.path().join("root/some/team/incise").is_dir());
    let text = format!("webdav://127.0.0.1:{}", server.port);
    is_left_alone_once_it_is_gone(server, &text);
}

#[test]
fn a_password_is_used_and_never_told() {
    let server = Server::redis("hunter2");
    let address = |login: &str| format!("redis://{login}127.0.0.1:{}/1", server.port);
    let right = access(&address(":hunter2@"), LONG);
    right.put(&key(1), b"one");
    assert_eq!(right.get(&key(1)).as_deref(), Some(&b"one"[..]), "{:?}", right.troubles());
    for login in ["", ":hunter3@", "nobody:hunter3@"] {
        let wrong = access(&address(login), SHORT);
        for _ in 0..FAILURES {
            assert_eq!(wrong.get(&key(1)), None);
        }
        let said = wrong.troubles();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(!said[0].contains("hunter") && !said[0].contains("nobody"), "{said:?}");
    }
}

#[test]
fn a_server_that_never_answers_is_waited_for_twice() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    // Whoever connects waits in a queue for ever.
    for scheme in ["redis", "memcached", "webdav"] {
        let access = access(&format!("{scheme}://127.0.0.1:{port}/x"), SHORT);
        for number in 0..20 {
            assert_eq!(access.get(&key(number)), None);
            access.put(&key(number), b"one");
        }
        let said = access.troubles();
        assert!(matches!(&said[..], [one] if one.contains("no answer within 200 ms")), "{scheme}: {said:?}");
    }
}

/// Answers requests on a port, each with what `answer` makes of its first line, its headers and its body.
fn http(answer: impl Fn(&str, &[String], Vec<u8>) -> (u16, Vec<u8>) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = talk(stream, &answer);
        }
    });
    port
}

fn talk(
    mut stream: TcpStream,
    answer: &impl Fn(&str, &[String], Vec<u8>) -> (u16, Vec<u8>),
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        headers.push(line.trim().to_owned());
    }
    let length = headers
        .iter()
        .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let (status, content) = answer(first.trim(), &headers, body);
    let head =
        format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", content.len());
    stream.write_all(head.as_bytes())?;
    if !first.starts_with("HEAD") {
        stream.write_all(&content)?;
    }
    Ok(())
}

#[test]
fn pages_in_the_place_of_entries_are_not_taken() {
    let port = http(|_, _, _| (200, b"<html>please log in</html>".to_vec()));
    let page = access(&format!("webdav://127.0.0.1:{port}"), LONG);
    for number in 0..30 {
        assert_eq!(page.get(&key(number)), None);
    }
    assert_eq!(page.troubles().len(), 1);
    let port = http(|_, _, _| (500, b"secret-key is wrong".to_vec()));
    let url = format!("s3://id:secret-key@bucket?endpoint=http://127.0.0.1:{port}");
    let broken = access(&url, LONG);
    for number in 0..FAILURES as usize {
        assert_eq!(broken.get(&key(number)), None);
    }
    let said = broken.troubles();
    assert!(said.len() == 1 && !said[0].contains("secret-key"), "{said:?}");
}

#[test]
fn s3_keeps_what_is_put() {
    let objects: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::default();
    let port = http(move |first, headers, body| {
        let signed = headers.iter().any(|line| line.contains("AWS4-HMAC-SHA256 Credential=id/"));
        let told = headers.iter().any(|line| line.contains("secret-key"));
        let words: Vec<&str> = first.split(' ').collect();
        let mut objects = objects.lock().expect("objects");
        match (words[0], signed && !told) {
            (_, false) => (403, Vec::new()),
            ("PUT", _) => {
                objects.insert(words[1].to_owned(), body);
                (200, Vec::new())
            }
            _ => objects.get(words[1]).map_or((404, Vec::new()), |object| (200, object.clone())),
        }
    });
    keeps_what_is_put(&format!(
        "s3://id:secret-key@bucket/team?region=eu-1&endpoint=http://127.0.0.1:{port}"
    ));
}
