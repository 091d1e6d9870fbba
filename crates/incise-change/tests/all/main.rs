//! Two versions compared, statement by statement.

mod composition;
mod dependence;
mod describe;
mod initial;
mod libraries;
mod lockstep;
mod points_to;
mod soundness;
mod threads;
mod threads_random;
mod versions;
mod whole;
