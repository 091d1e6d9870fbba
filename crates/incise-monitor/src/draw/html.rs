//! The picture to click through: one file without scripts. Behind each node is what is known of it.

use super::Picture;
use super::look::look;
use super::svg::drawn;
use incise_markup::xml::text as escaped;
use std::fmt::Write as _;

const STYLE: &str = "body{font-family:sans-serif;margin:0 auto;max-width:76rem;padding:1rem;color:#111}\
.picture{border:1px solid #ccc}.picture svg{max-width:100%;height:auto}section{border-top:1px solid #ccc;padding:.4rem 0}\
section:target{background:#fff7d6}pre{white-space:pre-wrap;background:#f6f6f6;padding:.4rem;margin:.3rem 0}\
h2{font-size:1.05rem;margin:.4rem 0}h3{font-size:.9rem;margin:.4rem 0 0}a{color:#0b5394}\
.sign{display:inline-block;min-width:1.4em;text-align:center;border:1px solid #999;border-radius:3px}";

/// The picture as a page.
pub fn html(picture: &Picture) -> String {
    let title = escaped(&picture.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n<div class=\"picture\">\n",
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
    for number in order {
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
            section(heading, lines, "h3", &mut text);
        }
        text += "</section>\n";
    }
    text + "</body>\n</html>\n"
}

fn section(heading: &str, lines: &[String], level: &str, text: &mut String) {
    let _ = writeln!(text, "<{level}>{}</{level}>", escaped(heading));
    if !lines.is_empty() {
        let _ = writeln!(text, "<pre>{}</pre>", escaped(&lines.join("\n")));
    }
}
