//! Where the nodes of a monitor stand: in layers, parents above what hangs on them.

use super::{EdgeFinding, Picture};
use incise_markup::layers::{self, LayeredEdge, Layout, width_of};

/// Finds places for everything.
pub fn layout(picture: &Picture) -> Layout {
    // A sign and a blank stand before the name.
    let width =
        |node: &super::PictureNode| width_of(&[&format!("= {}", layers::shown(&node.name)), &node.below]);
    let widths: Vec<f64> = picture.nodes.iter().map(width).collect();
    let edge = |edge: &super::PictureEdge| LayeredEdge {
        from: edge.from,
        to: edge.to,
        layered: edge.finding != EdgeFinding::WithoutEdge,
    };
    let edges: Vec<LayeredEdge> = picture.edges.iter().map(edge).collect();
    layers::layout(&widths, &edges)
}
