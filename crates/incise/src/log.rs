//! The log for those who look inside: `INCISE_LOG=debug`, or `INCISE_LOG=incise_incremental=debug,incise_solver=trace`.
//!
//! Libraries write events at what they begin, decide and give up. Without the variable nobody listens, and an event
//! costs no more than a look at a number.

use anyhow::{Result, anyhow};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

const VARIABLE: &str = "INCISE_LOG";

/// Writes events to standard error, if the environment asks for them.
pub(crate) fn begin() -> Result<()> {
    let wanted = std::env::var(VARIABLE).unwrap_or_default();
    if wanted.is_empty() {
        return Ok(());
    }
    let filter: Targets = wanted.parse().map_err(|_| {
        anyhow!(
            "{VARIABLE}={wanted} is not understood: it is a level (error, warn, info, debug, trace), or a list such \
             as incise_incremental=debug,incise_solver=trace"
        )
    })?;
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_timer(uptime())
        .compact();
    tracing_subscriber::registry().with(filter).with(lines).init();
    Ok(())
}
