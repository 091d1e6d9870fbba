//! What each node of a monitor stands for, and what hinders comparing it.

use super::names::{Lies, Names, Observable};
use incise_frontend::Watch;
use incise_incremental::differ::Watched;
use incise_ir::Program;
use incise_monitor::{Map, Matched, Network, Target, Thresholds, matched};
use std::collections::{BTreeMap, BTreeSet};

/// What each node stands for.
pub(super) struct Plan<'p> {
    pub(super) network: &'p Network,
    pub(super) matched: Matched,
    names: Names,
    pub(super) thresholds: Vec<Thresholds>,
    /// Why what a node stands for cannot be compared, by node.
    pub(super) obstacles: BTreeMap<usize, String>,
    /// What OLD has, and where it lies there.
    before: BTreeMap<Observable, Lies>,
}

impl<'p> Plan<'p> {
    pub(super) fn new(
        network: &'p Network,
        map: &Map,
        matched: Matched,
        names: Names,
        old: &Program,
    ) -> Self {
        let thresholds = network.nodes.iter().map(|node| {
            let said = map.nodes.get(&node.name).map(|entry| entry.thresholds.clone()).unwrap_or_default();
            match (said.is_empty(), node.limits) {
                (true, Some(limits)) => incise_monitor::limit_thresholds(limits),
                _ => said,
            }
        });
        let thresholds = thresholds.collect();
        let (obstacles, before) = (BTreeMap::new(), BTreeMap::new());
        let mut plan = Self { network, matched, names, thresholds, obstacles, before };
        plan.refuse_what_is_new(old);
        plan
    }

    /// What OLD does not have cannot be compared.
    fn refuse_what_is_new(&mut self, old: &Program) {
        let entry =
            self.names.named.iter().find(|named| named.of_entry).and_then(|named| named.function.clone());
        let Some(entry) = entry.and_then(|name| old.function_named(&name)) else { return };
        let before = Names::of(old, entry);
        self.before = before.observables.into_iter().zip(before.lies).collect();
        for at in 0..self.matched.len() {
            let mut observables =
                self.operands(at).iter().filter_map(|&number| self.names.observables.get(number));
            if let Some(observable) = observables.find(|observable| !self.before.contains_key(observable)) {
                let why = format!("{} is not there in OLD", observable.part());
                self.obstacles.insert(at, why);
            }
        }
    }

    /// What only OLD has is gone: nobody can call that the same.
    pub(super) fn find_in_old(&mut self, map: &Map, old: &Program, entry: &str) {
        let Some(entry) = old.function_named(entry) else { return };
        let before = Names::of(old, entry);
        let Ok(matched) = matched(self.network, map, &before.named) else { return };
        for (node, matched) in matched.into_iter().enumerate() {
            if let (Target::Unmapped(_), Target::Variable(number)) =
                (&self.matched[node].target, matched.target)
            {
                let name = before.named[number].words();
                let why = format!("{name} is there in OLD only; a map says what the node stands for now");
                self.obstacles.insert(node, why);
            }
        }
    }

    /// What a node stands for.
    pub(super) fn observable(&self, node: usize) -> Option<&Observable> {
        match self.matched[node].target {
            Target::Variable(number) => self.names.observables.get(number),
            _ => None,
        }
    }

    /// What a node stands for, or is computed from, by the numbers of the names.
    pub(super) fn operands(&self, node: usize) -> &[usize] {
        match &self.matched[node].target {
            Target::Variable(number) => std::slice::from_ref(number),
            Target::Computed(_, numbers) => numbers,
            Target::Node(_) | Target::Parents | Target::Unmapped(_) => &[],
        }
    }

    /// How something is observed.
    pub(super) fn named(&self, number: usize) -> &Observable {
        &self.names.observables[number]
    }

    /// Where something lies in OLD, and in NEW.
    pub(super) fn lies_of(&self, number: usize) -> Option<(&Lies, &Lies)> {
        Some((self.before.get(self.named(number))?, self.names.lies.get(number)?))
    }

    /// Where what a node stands for lies in OLD, and in NEW.
    pub(super) fn lies(&self, node: usize) -> Option<(&Lies, &Lies)> {
        match self.matched[node].target {
            Target::Variable(number) => self.lies_of(number),
            _ => None,
        }
    }

    /// The path to the union that something lies in, in either version.
    pub(super) fn union_of(&self, number: usize) -> Option<&str> {
        let (old, new) = self.lies_of(number)?;
        // Of two unions one lies in the other.
        let unions = old.union.as_deref().into_iter().chain(new.union.as_deref());
        unions.min_by_key(|path| path.len())
    }

    /// The bytes of a part of a global variable, if they are the same ones in both versions.
    pub(super) fn bytes_of(&self, part: &str) -> Option<(u64, u64)> {
        let is_it =
            |observable: &Observable| matches!(observable, Observable::Global { path, .. } if path == part);
        let number = self.names.observables.iter().position(is_it)?;
        let bytes = self.names.lies[number].bytes?;
        let before = self.before.get(&self.names.observables[number])?;
        (before.bytes == Some(bytes)).then_some(bytes)
    }

    pub(super) fn watches(&self) -> Vec<Watch> {
        let all = (0..self.matched.len()).flat_map(|node| self.operands(node));
        let all = all.filter_map(|&number| match self.named(number) {
            Observable::Inside(watch) => Some(watch.clone()),
            _ => None,
        });
        all.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Notes what cannot be seen in one of the versions.
    pub(super) fn with_seen(mut self, old: &BTreeSet<Watch>, new: &BTreeSet<Watch>) -> Self {
        for node in 0..self.matched.len() {
            let unseen = self.operands(node).iter().find_map(|&number| match self.named(number) {
                Observable::Inside(watch) if !(old.contains(watch) && new.contains(watch)) => Some(watch),
                _ => None,
            });
            if let Some(watch) = unseen {
                let why = format!("{} is not one number of one function that can be watched", watch.name());
                self.obstacles.entry(node).or_insert(why);
            }
        }
        self
    }

    pub(super) fn watched(&self) -> Watched {
        let mut watched = Watched::default();
        for &number in (0..self.matched.len()).flat_map(|node| self.operands(node)) {
            let observable = self.named(number);
            watched.names.insert(self.union_of(number).map_or_else(|| observable.part(), str::to_owned));
            watched.symbols.extend(observable.symbol());
            watched.memory |= matches!(observable, Observable::Memory { .. });
        }
        watched
    }
}
