//! Stores that machines share: Redis, Memcached, S3 and WebDAV, through Apache OpenDAL.
//!
//! Every question has an end: after [`WAIT`] it is a failure, whatever the server does. Nothing of the environment or
//! of files of the user is read here; who knows secrets passes them on. No text that comes out of here has one in it.

use crate::{Key, SharedKind, SharedUrl, Store, StoreError};
use opendal::{ErrorKind, Operator, services};
use std::future::Future;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How long an answer is waited for.
pub const WAIT: Duration = Duration::from_secs(2);
/// Larger entries are not put where all machines have to read them, nor where a server refuses them unless it is told
/// otherwise.
const LARGEST: usize = 16 << 20;
const LARGEST_IN_MEMCACHED: usize = 1_000_000;
/// What entries are called on a server, before their keys.
const PREFIX: &str = "incise";

/// Who asks, for servers whose addresses do not say it.
#[derive(Clone, Default)]
pub struct Credentials {
    /// The id of a key for S3.
    pub access_key: Option<String>,
    /// The key itself.
    pub secret_key: Option<String>,
    /// What belongs to keys that end soon.
    pub session_token: Option<String>,
    /// Where the bucket is, if the address does not say so.
    pub region: Option<String>,
    /// The server, if the address does not say so.
    pub endpoint: Option<String>,
}

/// A store that machines share.
pub struct SharedStore {
    operator: Operator,
    /// Gone only while the store is dropped.
    runtime: Option<Runtime>,
    place: String,
    secrets: Vec<String>,
    wait: Duration,
    largest: usize,
}

impl SharedStore {
    /// The store at an address. Nobody is asked yet.
    pub fn new(url: &SharedUrl, credentials: &Credentials) -> Result<Self, StoreError> {
        Self::waiting(url, credentials, WAIT)
    }

    /// The same for who waits longer, or not so long.
    pub fn waiting(url: &SharedUrl, credentials: &Credentials, wait: Duration) -> Result<Self, StoreError> {
        let Credentials { access_key, secret_key, session_token, .. } = credentials;
        let secrets = [&url.password, access_key, secret_key, session_token];
        let secrets: Vec<String> = secrets.into_iter().flatten().cloned().collect();
        let failed = |error: opendal::Error| StoreError::Failed(without(&error.to_string(), &secrets));
        let operator = operator(url, credentials).map_err(failed)?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Failed(error.to_string()))?;
        let largest = if url.kind == SharedKind::Memcached { LARGEST_IN_MEMCACHED } else { LARGEST };
        Ok(Self { operator, runtime: Some(runtime), place: url.to_string(), secrets, wait, largest })
    }

    /// Waits for an answer, but not for long.
    fn ask<T>(
        &self,
        answer: impl Future<Output = Result<T, opendal::Error>>,
    ) -> Result<Option<T>, StoreError> {
        let Some(runtime) = &self.runtime else { return Ok(None) };
        match runtime.block_on(async { tokio::time::timeout(self.wait, answer).await }) {
            Err(_) => Err(StoreError::Slow(self.wait.as_millis().try_into().unwrap_or(u64::MAX))),
            Ok(Ok(found)) => Ok(Some(found)),
            Ok(Err(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
            Ok(Err(error)) => Err(StoreError::Failed(without(&in_a_line(&error), &self.secrets))),
        }
    }
}

impl Store for SharedStore {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        let name = key.to_string();
        self.ask(async { Ok(self.operator.read(&name).await?.to_vec()) })
    }

    fn put(&self, key: &Key, entry: &[u8]) -> Result<(), StoreError> {
        if entry.len() > self.largest {
            return Ok(());
        }
        let (name, entry) = (key.to_string(), entry.to_vec());
        self.ask(async { self.operator.write(&name, entry).await.map(drop) }).map(drop)
    }

    fn place(&self) -> String {
        self.place.clone()
    }
}

impl Drop for SharedStore {
    fn drop(&mut self) {
        // What does not answer is not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn operator(url: &SharedUrl, credentials: &Credentials) -> Result<Operator, opendal::Error> {
    let root = |path: &str| match path.is_empty() {
        true => format!("/{PREFIX}/"),
        false => format!("/{path}/{PREFIX}/"),
    };
    let (user, password) =
        (url.user.as_deref().unwrap_or_default(), url.password.as_deref().unwrap_or_default());
    let operator = match url.kind {
        SharedKind::Redis => {
            // As elsewhere, a path that begins with a number names a database.
            let (first, rest) = url.path.split_once('/').unwrap_or((&url.path, ""));
            let (database, path) = match first.parse() {
                Ok(database) => (database, rest),
                Err(_) => (0, url.path.as_str()),
            };
            let endpoint = format!("{}://{}", url.scheme, with_port(&url.host, 6379));
            let redis = services::Redis::default().endpoint(&endpoint).db(database).root(&root(path));
            Operator::new(redis.username(user).password(password))?.finish()
        }
        SharedKind::Memcached => {
            let endpoint = format!("tcp://{}", with_port(&url.host, 11211));
            let memcached = services::Memcached::default().endpoint(&endpoint).root(&root(&url.path));
            let memcached = match user.is_empty() {
                true => memcached,
                false => memcached.username(user).password(password),
            };
            Operator::new(memcached)?.finish()
        }
        SharedKind::WebDav => {
            let scheme = if url.scheme == "webdavs" { "https" } else { "http" };
            let webdav = services::Webdav::default().endpoint(&format!("{scheme}://{}", url.host));
            let webdav = webdav.root(&root(&url.path));
            let webdav = match user.is_empty() {
                true => webdav,
                false => webdav.username(user).password(password),
            };
            Operator::new(webdav)?.finish()
        }
        SharedKind::S3 => bucket(url, credentials, &root(&url.path))?,
    };
    Ok(operator)
}

fn bucket(url: &SharedUrl, credentials: &Credentials, root: &str) -> Result<Operator, opendal::Error> {
    let region = url.option("region").or(credentials.region.as_deref()).unwrap_or("us-east-1");
    let mut bucket = services::S3::default().bucket(&url.host).root(root).region(region);
    bucket = bucket.disable_config_load().disable_ec2_metadata();
    if let Some(endpoint) = url.option("endpoint").or(credentials.endpoint.as_deref()) {
        bucket = bucket.endpoint(endpoint);
    }
    let access_key = url.user.as_deref().or(credentials.access_key.as_deref());
    let secret_key = url.password.as_deref().or(credentials.secret_key.as_deref());
    bucket = match (access_key, secret_key) {
        (Some(access_key), Some(secret_key)) => {
            bucket.access_key_id(access_key).secret_access_key(secret_key)
        }
        _ => bucket.allow_anonymous(),
    };
    if let Some(token) = &credentials.session_token {
        bucket = bucket.session_token(token);
    }
    Ok(Operator::new(bucket)?.finish())
}

fn with_port(host: &str, port: u16) -> String {
    let named = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    if named { host.to_owned() } else { format!("{host}:{port}") }
}

/// What went wrong, without the addresses and numbers that only who writes the library knows what to do with.
fn in_a_line(error: &opendal::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = cause.to_string();
    let line = text.lines().next().unwrap_or_default().trim();
    // What has no cause tells itself, with much around it.
    match line.split_once(" => ") {
        Some((_, told)) => told.to_owned(),
        None => line.to_owned(),
    }
}

fn without(text: &str, secrets: &[String]) -> String {
    let secrets = secrets.iter().filter(|secret| !secret.is_empty());
    secrets.fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
}
