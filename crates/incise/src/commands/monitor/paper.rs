//! Marks as "Maintaining the Health of Software Monitors" (Person, Rungta) makes them, section 5.3 and 5.4: a node is
//! marked if a changed statement writes its variable, or if an affected path of NEW goes on from a changed statement to
//! an affected one that does.
//!
//! What OLD did and NEW does not is not looked at, so that differences are missed: `AltPress` in the paper's own
//! example. It is here to be compared with.

use super::chains::Writers;
use super::names::Observable;
use crate::change::analysis::Analysis;
use crate::change::model::spot;
use crate::commands::diff::arguments::Strategy;
use crate::commands::diff::directed::{Explorer, Job};
use crate::session::Session;
use anyhow::Result;
use incise_change::Scope;
use incise_exec::Config;
use incise_frontend::Loaded;
use incise_ir::FunctionId;
use incise_reading::InputReading;
use incise_report::{AffectedSite, Entry, FunctionImpact, Spot};
use std::collections::BTreeSet;

/// A statement by function and place.
type Site = (String, Spot);

/// What the paper's way found.
pub(super) struct PaperWay {
    changed: BTreeSet<Site>,
    /// What is met behind a changed statement on some path.
    met: BTreeSet<Site>,
}

impl PaperWay {
    pub(super) fn new(
        found: &Analysis<'_>,
        described: &[FunctionImpact],
        (new, entry): (&Loaded, FunctionId),
        (config, reading): (&Config, &InputReading),
        session: &Session,
    ) -> Result<Self> {
        let mut changed = BTreeSet::new();
        for function in described {
            changed.extend(function.changed_spots().into_iter().map(|spot| (function.name.clone(), spot)));
        }
        let mut met = BTreeSet::new();
        if let Some((scope, count)) = found.new_scope(entry) {
            let job = Job { strategy: Strategy::Exact, trace: false, compare: false, cover: None };
            let explorer = Explorer::new((&new.program, &new.sources), (config, reading), session, job)?;
            let explored = explorer.explore(scope, entry, count, found.effects())?;
            met = behind(&explored, &new.program.functions[entry].name, &changed);
        }
        Ok(Self { changed, met })
    }

    /// Why what is observed is marked, if it is.
    pub(super) fn reason(
        &self,
        observable: &Observable,
        scope: &Scope<'_>,
        writers: &Writers,
    ) -> Option<String> {
        let sites: Vec<Site> = writers
            .writing(observable, None)
            .into_iter()
            .map(|(function, node)| {
                let name = scope.program.functions[function].name.clone();
                (name, spot(scope.program, &scope.facts(function).graph, node))
            })
            .collect();
        let words = |site: &Site| format!("{} of {}", site.1.words(), site.0);
        if let Some(site) = sites.iter().find(|site| self.changed.contains(site)) {
            return Some(format!("changed: {} writes it", words(site)));
        }
        let site = sites.iter().find(|site| self.met.contains(site))?;
        Some(format!("an affected path goes on to {}, which writes it", words(site)))
    }
}

/// The affected statements behind a changed one, on all paths.
fn behind(explored: &Entry, entry: &str, changed: &BTreeSet<Site>) -> BTreeSet<Site> {
    let site = |site: &AffectedSite| {
        (site.function.as_ref().map_or_else(|| entry.to_owned(), ToString::to_string), site.spot)
    };
    let paths = explored.changes.iter().map(|change| change.sequence.iter().map(site));
    paths.flat_map(|sites| sites.skip_while(|site| !changed.contains(site))).collect()
}
