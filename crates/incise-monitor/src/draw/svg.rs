//! The picture as SVG.

use super::layout::layout;
use super::look::look;
use super::{EdgeFinding, Picture};
use incise_markup::layers::{Layout, Place, curve, shown};
use incise_markup::xml::text as escaped;
use incise_vocabulary::Mark;
use std::fmt::Write as _;

/// The room above the nodes for the title and what marks mean.
const HEAD: f64 = 84.0;
/// The least width: the head has to fit.
const LEAST: f64 = 640.0;

/// The picture as a document of its own.
pub fn svg(picture: &Picture) -> String {
    drawn(picture, &|_| None)
}

/// The picture, with a link behind each node that has one.
pub(super) fn drawn(picture: &Picture, link: &dyn Fn(usize) -> Option<String>) -> String {
    let Layout { size, nodes, edges } = layout(picture);
    let (width, height) = (size.0.max(LEAST), size.1 + HEAD);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n{DEFINITIONS}\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    head(picture, &mut text);
    let indent = (width - size.0) / 2.0;
    let _ = writeln!(text, "<g transform=\"translate({indent:.1} {HEAD:.0})\">");
    for (edge, points) in picture.edges.iter().zip(&edges) {
        let (class, marker) = match edge.finding {
            EdgeFinding::Plain => ("stroke=\"#555555\" stroke-width=\"1.1\"", "arrow"),
            EdgeFinding::WithoutDependence => {
                ("stroke=\"#777777\" stroke-width=\"1.4\" stroke-dasharray=\"3 4\"", "arrow")
            }
            EdgeFinding::WithoutEdge => {
                ("stroke=\"#b34700\" stroke-width=\"2.2\" stroke-dasharray=\"9 3\"", "found")
            }
        };
        let title = match edge.finding {
            EdgeFinding::Plain => "",
            EdgeFinding::WithoutDependence => "<title>the code has no such dependence</title>",
            EdgeFinding::WithoutEdge => {
                "<title>the code has this dependence, the network no way for it</title>"
            }
        };
        let path = curve(points);
        let _ = writeln!(
            text,
            "<path d=\"{path}\" fill=\"none\" {class} marker-end=\"url(#{marker})\">{title}</path>"
        );
    }
    for (number, (node, place)) in picture.nodes.iter().zip(&nodes).enumerate() {
        let link = link(number);
        if let Some(link) = &link {
            let _ = write!(text, "<a href=\"{}\">", escaped(link));
        }
        let about = format!("{}: {}", node.name, node.mark.words());
        let _ = write!(text, "<g><title>{}</title>", escaped(&about));
        outline(node.mark, place, &mut text);
        words(node, place, &mut text);
        text += "</g>";
        text += if link.is_some() { "</a>\n" } else { "\n" };
    }
    text + "</g>\n</svg>\n"
}

const DEFINITIONS: &str = "<defs>\
<marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path d=\"M0 1 L10 5 L0 9 z\" fill=\"#555555\"/></marker>\
<marker id=\"found\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">\
<path d=\"M0 1 L10 5 L0 9 z\" fill=\"#b34700\"/></marker>\
<pattern id=\"hatched\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
<rect width=\"7\" height=\"7\" fill=\"#f4b183\"/><rect width=\"2\" height=\"7\" fill=\"#eda06a\"/></pattern>\
</defs>\n";

/// The title, the summary, and what marks look like.
fn head(picture: &Picture, text: &mut String) {
    let _ = writeln!(
        text,
        "<text x=\"24\" y=\"26\" font-size=\"16\" font-weight=\"bold\">{}</text>",
        escaped(&picture.title)
    );
    let _ = writeln!(text, "<text x=\"24\" y=\"46\" fill=\"#333333\">{}</text>", escaped(&picture.summary));
    let mut at = 24.0;
    for mark in [Mark::Differs, Mark::MayDiffer, Mark::Same, Mark::Unmapped] {
        let place = Place { middle: (at + 16.0, 66.0), size: (32.0, 18.0) };
        outline(mark, &place, text);
        let _ = write!(
            text,
            "<text x=\"{:.0}\" y=\"70\" text-anchor=\"middle\">{}</text>",
            at + 16.0,
            look(mark).sign
        );
        let _ = writeln!(text, "<text x=\"{:.0}\" y=\"70\">{}</text>", at + 40.0, mark.words());
        at += 126.0;
    }
}

/// The shape of a mark.
fn outline(mark: Mark, place: &Place, text: &mut String) {
    let look = look(mark);
    let ((x, y), (width, height)) = (place.middle, place.size);
    let (left, top, right, bottom) = (x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0);
    let fill = if mark == Mark::Differs { "url(#hatched)" } else { look.fill };
    let style = format!(
        "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{}\"",
        look.border, look.width, look.dashes
    );
    let polygon = |points: &[(f64, f64)]| {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        format!("<polygon points=\"{}\" {style}/>", points.join(" "))
    };
    let corner = (height / 3.0).min(12.0);
    *text += &match mark {
        Mark::Differs => polygon(&[
            (left + corner, top),
            (right - corner, top),
            (right, top + corner),
            (right, bottom - corner),
            (right - corner, bottom),
            (left + corner, bottom),
            (left, bottom - corner),
            (left, top + corner),
        ]),
        Mark::MayDiffer => polygon(&[
            (left + corner, top),
            (right - corner, top),
            (right, y),
            (right - corner, bottom),
            (left + corner, bottom),
            (left, y),
        ]),
        Mark::Same => {
            format!(
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\" {style}/>"
            )
        }
        Mark::Unmapped => {
            format!(
                "<ellipse cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{:.1}\" ry=\"{:.1}\" {style}/>",
                width / 2.0,
                height / 2.0
            )
        }
    };
}

fn words(node: &super::PictureNode, place: &Place, text: &mut String) {
    let (x, y) = place.middle;
    let name = format!("{} {}", look(node.mark).sign, shown(&node.name));
    let weight = if node.mark == Mark::Differs { " font-weight=\"bold\"" } else { "" };
    let first = if node.below.is_empty() { y + 4.0 } else { y - 3.0 };
    let _ = write!(
        text,
        "<text x=\"{x:.1}\" y=\"{first:.1}\" text-anchor=\"middle\"{weight}>{}</text>",
        escaped(&name)
    );
    if !node.below.is_empty() {
        let _ = write!(
            text,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"10\" fill=\"#333333\">{}</text>",
            y + 12.0,
            escaped(&shown(&node.below))
        );
    }
}
