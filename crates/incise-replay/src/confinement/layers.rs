//! The layers of confinement, and what is open where some of them are missing.

/// One layer.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// Root becomes a user without rights.
    Unprivileged,
    /// A namespace without a network.
    Network,
    /// A namespace with its own processes, which end together.
    Processes,
    /// Everything is read-only but the cell.
    Mounts,
    /// Landlock: only the files that programs need.
    Landlock,
    /// Seccomp: only the system calls that programs need.
    Seccomp,
}

impl Layer {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Unprivileged, Self::Network, Self::Processes, Self::Mounts, Self::Landlock, Self::Seccomp];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unprivileged => "unprivileged",
            Self::Network => "network",
            Self::Processes => "processes",
            Self::Mounts => "mounts",
            Self::Landlock => "landlock",
            Self::Seccomp => "seccomp",
        }
    }

    /// The layer of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == name)
    }
}

/// Some layers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layers(Vec<Layer>);

impl Layers {
    /// All of them.
    pub fn all() -> Self {
        Self(Layer::ALL.to_vec())
    }

    /// The same without one.
    pub fn without(mut self, layer: Layer) -> Self {
        self.0.retain(|&each| each != layer);
        self
    }

    /// Whether one is among them.
    pub fn has(&self, layer: Layer) -> bool {
        self.0.contains(&layer)
    }

    pub(super) fn add(&mut self, layer: Layer) {
        if !self.has(layer) {
            self.0.push(layer);
        }
    }

    /// Their names with commas between.
    pub(super) fn text(&self) -> String {
        self.0.iter().map(|layer| layer.name()).collect::<Vec<_>>().join(",")
    }

    /// The layers of such a text; what it does not know is none.
    pub(super) fn of_text(text: &str) -> Self {
        Self(text.split(',').filter_map(Layer::named).collect())
    }

    /// What a program can do where only these hold, in words.
    pub(super) fn gaps(&self) -> Vec<&'static str> {
        let any = |layers: &[Layer]| layers.iter().any(|&layer| self.has(layer));
        let mut gaps = Vec::new();
        if !any(&[Layer::Landlock, Layer::Mounts]) {
            gaps.push("write outside of their folders");
        }
        if !any(&[Layer::Seccomp, Layer::Network]) {
            gaps.push("use the network");
        }
        if !any(&[Layer::Seccomp, Layer::Landlock]) {
            gaps.push("start other programs");
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let layers = Layers::all().without(Layer::Mounts);
        assert_eq!(Layers::of_text(&layers.text()), layers);
        assert_eq!(Layers::of_text(""), Layers::default());
    }

    #[test]
    fn seccomp_or_a_namespace_keeps_programs_from_the_network() {
        let network = "use the network";
        assert!(Layers::default().gaps().contains(&network));
        assert!(!Layers::all().without(Layer::Seccomp).gaps().contains(&network));
        assert!(!Layers::all().without(Layer::Network).gaps().contains(&network));
        assert_eq!(Layers::all().gaps(), Vec::<&str>::new());
    }
}
