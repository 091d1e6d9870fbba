//! What a command may take that does not explore, as it is typed.

use super::units::{parse_duration, parse_size};
use crate::session::CommandLimits;
use clap::Args;
use std::time::Duration;

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Limits")]
pub(crate) struct CommandLimitArguments {
    /// Wall-clock time, as in 90s, 5m or 1h [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_time: Option<Duration>,
    /// Memory of the process and its children, as in 500M or 4G [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_memory: Option<u64>,
}

impl CommandLimitArguments {
    pub(crate) fn limits(&self) -> CommandLimits {
        CommandLimits { time: self.max_time, memory: self.max_memory }
    }
}
