//! The picture to click through: one file without scripts. Behind each node is what is known of it, with links to the
//! nodes around it and to the lines of the source that give it its value.

use super::look::look;
use super::svg::drawn;
use super::{Picture, PictureNode, PicturePage};
use incise_markup::xml::text as escaped;
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");

/// Nothing is fetched and nothing runs, whatever got into a name.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The picture as a page.
pub fn html(picture: &Picture) -> String {
    let title = escaped(&picture.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1 id=\"top\">{title}</h1>\n<p>{}</p>\n\
         <div class=\"scroll\" tabindex=\"0\">\n",
        escaped(&picture.summary)
    );
    text += &drawn(picture, &|number| Some(format!("#node-{number}")));
    text += "</div>\n";
    for (heading, lines) in &picture.lines {
        section(heading, lines, "h2", &mut text);
    }
    // What has to be looked at comes first.
    let mut order: Vec<usize> = (0..picture.nodes.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(picture.nodes[number].mark));
    let around = Around::of(picture);
    for number in order {
        node_section(picture, number, &around, &mut text);
    }
    for (number, page) in picture.pages.iter().enumerate() {
        page_section(number, page, &mut text);
    }
    text + "</body>\n</html>\n"
}

/// The nodes that each node hangs on, and those that hang on it.
struct Around {
    parents: Vec<Vec<usize>>,
    children: Vec<Vec<usize>>,
}

impl Around {
    fn of(picture: &Picture) -> Self {
        let none = vec![Vec::new(); picture.nodes.len()];
        let mut around = Self { parents: none.clone(), children: none };
        for edge in &picture.edges {
            around.parents[edge.to].push(edge.from);
            around.children[edge.from].push(edge.to);
        }
        around
    }
}

fn node_section(picture: &Picture, number: usize, around: &Around, text: &mut String) {
    let node = &picture.nodes[number];
    let look = look(node.mark);
    let _ = writeln!(
        text,
        "<section id=\"node-{number}\"><h2><span class=\"sign\" style=\"background:{}\">{}</span> {} \
         <small>{}{}</small></h2>",
        look.fill,
        look.sign,
        escaped(&node.name),
        node.mark.words(),
        if node.below.is_empty() { String::new() } else { format!(", {}", escaped(&node.below)) },
    );
    for (heading, lines) in &node.details {
        section(heading, lines, "h3", text);
    }
    steps(node, text);
    for (what, others) in [("hangs on", &around.parents[number]), ("leads to", &around.children[number])] {
        if !others.is_empty() {
            let link = |&other: &usize| {
                format!("<a href=\"#node-{other}\">{}</a>", escaped(&picture.nodes[other].name))
            };
            let links: Vec<String> = others.iter().map(link).collect();
            let _ = writeln!(text, "<p>{what} {}</p>", links.join(", "));
        }
    }
    *text += "<p><a href=\"#top\">to the picture</a></p></section>\n";
}

/// From the value of a node to the change, each step with a link to its line.
fn steps(node: &PictureNode, text: &mut String) {
    if node.steps.is_empty() {
        return;
    }
    *text += "<h3>From its value to the change</h3>\n<ol>\n";
    for step in &node.steps {
        let words = escaped(&step.text);
        let _ = match step.line {
            Some((page, line)) => writeln!(text, "<li><a href=\"#line-{page}-{line}\">{words}</a></li>"),
            None => writeln!(text, "<li>{words}</li>"),
        };
    }
    *text += "</ol>\n";
}

/// Lines of a source file; those that steps lead to stand out.
fn page_section(number: usize, page: &PicturePage, text: &mut String) {
    let _ = writeln!(
        text,
        "<section><h2>{}</h2>\n<div class=\"scroll lines\" tabindex=\"0\">",
        escaped(&page.title)
    );
    let mut last = None;
    for line in &page.lines {
        if last.is_some_and(|last| line.number > last + 1) {
            *text += "<code>...</code>";
        }
        last = Some(line.number);
        let (id, class) = match line.hit {
            true => (format!(" id=\"line-{number}-{}\"", line.number), " class=\"hit\""),
            false => (String::new(), ""),
        };
        let _ = write!(text, "<code{id}{class}>{:>5}  {}</code>", line.number, escaped(&line.text));
    }
    *text += "</div>\n</section>\n";
}

fn section(heading: &str, lines: &[String], level: &str, text: &mut String) {
    let _ = writeln!(text, "<{level}>{}</{level}>", escaped(heading));
    if !lines.is_empty() {
        let _ = writeln!(text, "<pre>{}</pre>", escaped(&lines.join("\n")));
    }
}
