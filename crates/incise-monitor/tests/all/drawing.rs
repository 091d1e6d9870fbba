//! Pictures hold every node and edge, apart from each other.

use crate::write::{Random, network};
use incise_monitor::Network;
use incise_monitor::draw::{EdgeFinding, Picture, PictureEdge, PictureNode, dot, html, layout, svg};
use incise_vocabulary::Mark;

fn picture(network: &Network) -> Picture {
    let node = |(at, node): (usize, &incise_monitor::Node)| PictureNode {
        name: format!("{}<&\">", node.name),
        below: String::new(),
        mark: Mark::ALL[at % 4],
        details: vec![("why".to_owned(), vec!["line 1 < 2".to_owned()])],
        steps: Vec::new(),
    };
    let edges = network.nodes.iter().enumerate().flat_map(|(to, node)| {
        node.parents.iter().map(move |&from| PictureEdge { from, to, finding: EdgeFinding::Plain })
    });
    Picture {
        title: "t".to_owned(),
        nodes: network.nodes.iter().enumerate().map(node).collect(),
        edges: edges.collect(),
        ..Picture::default()
    }
}

#[test]
fn nodes_do_not_overlap_and_parents_stand_above() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let picture = picture(&network(&mut random, 60));
        let layout = layout(&picture);
        for (at, one) in layout.nodes.iter().enumerate() {
            for other in &layout.nodes[at + 1..] {
                let apart =
                    |first: f64, second: f64, sizes: f64| (first - second).abs() >= sizes / 2.0 - 0.01;
                let (x, y) = (
                    apart(one.middle.0, other.middle.0, one.size.0 + other.size.0),
                    apart(one.middle.1, other.middle.1, one.size.1 + other.size.1),
                );
                assert!(x || y, "seed {seed}: {one:?} {other:?}");
            }
            assert!(one.middle.0 > 0.0 && one.middle.0 < layout.size.0 && one.middle.1 < layout.size.1);
        }
        for edge in &picture.edges {
            assert!(layout.nodes[edge.from].middle.1 < layout.nodes[edge.to].middle.1, "seed {seed}");
        }
    }
}

#[test]
fn pictures_are_whole_and_well_formed() {
    let mut random = Random::new(7);
    let picture = picture(&network(&mut random, 50));
    let drawn = svg(&picture);
    let document = roxmltree::Document::parse(&drawn).expect("well-formed");
    let titles = document.descendants().filter(|node| node.tag_name().name() == "title").count();
    let paths = document.descendants().filter(|node| node.has_attribute("marker-end")).count();
    assert_eq!((titles, paths), (picture.nodes.len(), picture.edges.len()));
    let page = html(&picture);
    assert_eq!(page.matches("<section id=").count(), picture.nodes.len());
    // From the picture to each node, and from each end of an edge to the other.
    let links = picture.nodes.len() + 2 * picture.edges.len();
    assert_eq!(page.matches("href=\"#node-").count(), links);
    assert!(!page.contains("N0<&"));
    let graph = dot(&picture);
    assert_eq!(graph.matches(" -> ").count(), picture.edges.len());
    assert_eq!(graph.matches("shape=").count(), picture.nodes.len());
}

#[test]
fn a_thousand_nodes_are_laid_out() {
    let mut random = Random::new(3);
    let mut large = network(&mut random, 1);
    while large.nodes.len() < 1000 {
        let at = large.nodes.len();
        let mut node = large.nodes[0].clone();
        node.name = format!("N{at}");
        node.parents = vec![random.below(at)];
        large.nodes.push(node);
    }
    assert_eq!(layout(&picture(&large)).nodes.len(), 1000);
}
