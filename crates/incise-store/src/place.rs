//! Where a store is, as people name it: a folder, the address of a server, or nowhere.
//!
//! An address may have a user and a password in it. These are kept apart, and no text that anybody sees has them.

use std::fmt;
use std::path::PathBuf;

/// Where a store is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StorePlace {
    /// Nowhere: nothing is kept.
    Nowhere,
    /// In a folder.
    Folder(PathBuf),
    /// On a server.
    Shared(SharedUrl),
}

/// Which kind of server.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SharedKind {
    /// Redis, or what speaks like it.
    Redis,
    /// Memcached.
    Memcached,
    /// S3, or what speaks like it: the host is the bucket.
    S3,
    /// WebDAV.
    WebDav,
}

/// The address of a server.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedUrl {
    /// What it speaks.
    pub kind: SharedKind,
    /// The scheme, as it was given.
    pub scheme: String,
    /// Who asks, if the address says so.
    pub user: Option<String>,
    /// The password, if the address says so.
    pub password: Option<String>,
    /// The host with its port, or the bucket.
    pub host: String,
    /// The path without the first slash.
    pub path: String,
    /// What follows a question mark.
    pub options: Vec<(String, String)>,
}

/// The schemes that are known.
const SCHEMES: [(&str, SharedKind); 5] = [
    ("redis", SharedKind::Redis),
    ("memcached", SharedKind::Memcached),
    ("s3", SharedKind::S3),
    ("webdav", SharedKind::WebDav),
    ("webdavs", SharedKind::WebDav),
];
/// The options that are known, and for which kind.
const OPTIONS: [(&str, SharedKind); 2] = [("region", SharedKind::S3), ("endpoint", SharedKind::S3)];

/// Why a text names no store.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlaceError {
    /// The scheme is not known.
    #[error(
        "a store is a folder, 'none', or an address that begins with redis://, memcached://, s3://, \
         webdav:// or webdavs://, and not with '{0}://'"
    )]
    Scheme(String),
    /// There is no host.
    #[error("the address of a store names a server behind '{0}://'")]
    NoHost(String),
    /// An option is not known.
    #[error("the address of a store has the option '{0}': s3:// takes region and endpoint, others none")]
    Option(String),
    /// There is nothing.
    #[error("a store needs a place: a folder, an address, or 'none'")]
    Empty,
}

impl StorePlace {
    /// The place that a text names. A folder stays as it is named.
    pub fn of(text: &str) -> Result<Self, PlaceError> {
        if text.is_empty() {
            return Err(PlaceError::Empty);
        }
        if text == "none" {
            return Ok(Self::Nowhere);
        }
        let Some((scheme, rest)) = text.split_once("://") else { return Ok(Self::Folder(text.into())) };
        if scheme == "file" {
            return Ok(Self::Folder(decoded(rest).into()));
        }
        let known = SCHEMES.iter().find(|(name, _)| *name == scheme);
        let &(_, kind) = known.ok_or_else(|| PlaceError::Scheme(scheme.to_owned()))?;
        SharedUrl::of(scheme, kind, rest).map(Self::Shared)
    }
}

impl SharedUrl {
    fn of(scheme: &str, kind: SharedKind, rest: &str) -> Result<Self, PlaceError> {
        let (rest, options) = rest.split_once('?').unwrap_or((rest, ""));
        let (server, path) = rest.split_once('/').unwrap_or((rest, ""));
        // A password may have an @ in it.
        let (login, host) = server.rsplit_once('@').unwrap_or(("", server));
        if host.is_empty() {
            return Err(PlaceError::NoHost(scheme.to_owned()));
        }
        let (user, password) = login.split_once(':').unwrap_or((login, ""));
        let given = |text: &str| (!text.is_empty()).then(|| decoded(text));
        let mut named = Vec::new();
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            if !OPTIONS.contains(&(name, kind)) {
                return Err(PlaceError::Option(name.to_owned()));
            }
            named.push((name.to_owned(), decoded(value)));
        }
        Ok(Self {
            kind,
            scheme: scheme.to_owned(),
            user: given(user),
            password: given(password),
            host: host.to_owned(),
            path: path.trim_end_matches('/').to_owned(),
            options: named,
        })
    }

    /// What an option says.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(each, _)| each == name).map(|(_, value)| value.as_str())
    }
}

/// Without user, password and options.
impl fmt::Display for SharedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, "/{}", self.path) }
    }
}

/// What is shown for debugging ends in logs.
impl fmt::Debug for SharedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A part of an address with `%41` as `A`.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut result = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        result.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&result).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(text: &str) -> SharedUrl {
        match StorePlace::of(text) {
            Ok(StorePlace::Shared(url)) => url,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn places_are_understood() {
        assert_eq!(StorePlace::of("none"), Ok(StorePlace::Nowhere));
        assert_eq!(StorePlace::of("some/folder"), Ok(StorePlace::Folder("some/folder".into())));
        assert_eq!(StorePlace::of("file:///a%20b"), Ok(StorePlace::Folder("/a b".into())));
        let url = shared("redis://me:s%40c@r:et@cache:6379/3/team/");
        assert_eq!((url.user.as_deref(), url.password.as_deref()), (Some("me"), Some("s@c@r:et")));
        assert_eq!((url.host.as_str(), url.path.as_str()), ("cache:6379", "3/team"));
        let url = shared("s3://bucket/ci?region=eu-1&endpoint=http://minio:9000");
        assert_eq!((url.option("region"), url.option("endpoint")), (Some("eu-1"), Some("http://minio:9000")));
        assert_eq!(shared("memcached://host").kind, SharedKind::Memcached);
    }

    #[test]
    fn what_names_no_store_is_told() {
        for (text, said) in [
            ("", "needs a place"),
            ("http://host", "not with 'http://'"),
            ("redis://", "names a server"),
            ("redis://user:word@/1", "names a server"),
            ("redis://host?region=x", "the option 'region'"),
        ] {
            assert!(StorePlace::of(text).unwrap_err().to_string().contains(said), "{text}");
        }
    }

    #[test]
    fn no_text_has_a_secret_in_it() {
        for text in
            ["redis://me:hunter2@h:1/x", "s3://hunter2:hunter2@b/p?region=hunter2", "webdav://hunter2@h"]
        {
            let url = shared(text);
            let place = StorePlace::of(text).unwrap();
            assert!(!format!("{url} {url:?} {place:?}").contains("hunter2"), "{text}");
        }
    }
}
