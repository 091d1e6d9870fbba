//! The page in a real browser: nothing runs, nothing complains, links lead somewhere, it can be read on small and large
//! screens in the light, in the dark and on paper, and worked with by keys alone.
//!
//! `INCISE_SCREENSHOTS=DIR` keeps pictures to look at.

use super::cdp::Browser;
use super::schema::hostile;
use super::{Changed, top, usual};
use crate::common::{Said, incise};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Links that lead nowhere or out of the page.
const BROKEN: &str = "[...document.querySelectorAll('a')].map(a => a.getAttribute('href')).filter(href =>
    !href.startsWith('#') || !document.getElementById(href.slice(1)))";

/// Texts that hardly stand out from what is behind them, by the contrast of the Web Content Accessibility Guidelines.
const PALE: &str = "(() => {
    const numbers = color => color.match(/[\\d.]+/g).map(Number);
    const light = color => {
        const [r, g, b] = numbers(color).map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = element => {
        for (let each = element; each; each = each.parentElement) {
            const color = getComputedStyle(each).backgroundColor;
            const parts = numbers(color);
            if (parts.length < 4 || parts[3] > 0) return color;
        }
        return 'rgb(255, 255, 255)';
    };
    const pale = [];
    for (const element of document.body.querySelectorAll('*:not(svg *)')) {
        const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!own) continue;
        const style = getComputedStyle(element);
        const [one, other] = [light(style.color), light(behind(element))].sort((a, b) => b - a);
        const contrast = (one + 0.05) / (other + 0.05);
        if (contrast < 4.5 || parseFloat(style.fontSize) < 11)
            pale.push(`${element.tagName}.${element.className} ${contrast.toFixed(1)} ${style.fontSize}`);
    }
    return pale;
})()";

/// What reaches out of the screen, but for what scrolls by itself.
const TOO_WIDE: &str = "[...document.querySelectorAll('body *')].filter(each =>
    !each.closest('.scroll') && each.getBoundingClientRect().right > innerWidth + 1).map(each => each.outerHTML.slice(0, 80))";

/// Writes the page of a change.
fn page(changed: &Changed) -> PathBuf {
    let said = changed.diff(&["--html", "r.html"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    changed.root().join("r.html").canonicalize().expect("it is there")
}

fn keep(browser: &mut Browser, name: &str) {
    let Some(folder) = std::env::var_os("INCISE_SCREENSHOTS") else { return };
    let picture = browser.call("Page.captureScreenshot", &json!({"captureBeyondViewport": true}));
    let text = picture["data"].as_str().expect("a picture").to_owned();
    // It comes in base 64, which `base64 -d` reads.
    std::fs::write(PathBuf::from(folder).join(format!("{name}.png.base64")), text)
        .expect("a file is written");
}

#[test]
fn pages_are_shown_without_complaints_at_every_width() {
    let nothing: Value = json!([]);
    let mut browser = Browser::start();
    for (name, changed) in [("usual", usual()), ("hostile", hostile())] {
        let file = page(&changed);
        for (width, dark) in [(400, false), (400, true), (1400, false), (1400, true)] {
            browser.open(&file, width, dark);
            keep(&mut browser, &format!("{name}-{width}{}", if dark { "-dark" } else { "" }));
            assert_eq!(browser.value(BROKEN), nothing, "links of {name}");
            assert!(browser.value("document.links.length").as_u64().is_some_and(|count| count > 10));
            assert_eq!(browser.value(TOO_WIDE), nothing, "{name} at {width}");
            assert_eq!(
                browser.value("document.documentElement.scrollWidth > innerWidth"),
                false,
                "{name} at {width}"
            );
            browser.value("document.querySelectorAll('details').forEach(each => each.open = true)");
            assert_eq!(browser.value(TOO_WIDE), nothing, "{name} at {width}, all opened");
            assert_eq!(browser.value(PALE), nothing, "{name} at {width}, dark: {dark}");
            assert_eq!(browser.value("document.scripts.length + document.images.length"), 0);
            assert_eq!(browser.complaints(), Vec::<String>::new(), "{name}");
        }
    }
}

#[test]
fn hostile_text_is_shown_and_not_run() {
    let changed = hostile();
    let file = page(&changed);
    let mut browser = Browser::start();
    browser.open(&file, 1000, false);
    let shown = browser.value("document.body.innerText");
    let shown = shown.as_str().expect("a text");
    assert!(shown.contains("</script><script>alert(1)</script><img src=x onerror=alert(2)>"), "{shown}");
    assert!(shown.contains("script><b>&\"|`%,\u{e9}.c"), "{shown}");
    assert_eq!(browser.value("document.querySelectorAll('b, img, script').length"), 0);
    // Even if something got through, the policy of the page forbids it.
    browser.value("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = 1\">')");
    browser.value("(() => { const script = document.createElement('script'); script.textContent = 'window.ran = 1'; document.body.append(script) })()");
    assert_eq!(browser.value("window.ran === undefined"), true);
}

#[test]
fn keys_are_enough() {
    let changed = usual();
    let file = page(&changed);
    let mut browser = Browser::start();
    browser.open(&file, 1000, false);
    let tab = |browser: &mut Browser, wanted: &str| {
        for _ in 0..400 {
            browser.press("Tab", 9);
            if browser.value(&format!("document.activeElement.matches('{wanted}')")) == true {
                return;
            }
        }
        panic!("no key leads to {wanted}");
    };
    tab(&mut browser, "nav a[href=\"#change\"]");
    let outline = browser.value("getComputedStyle(document.activeElement).outlineStyle");
    assert_eq!(outline, "solid", "where one is can be seen");
    browser.press("Enter", 13);
    assert_eq!(browser.value("location.hash"), "#change");
    browser.open(&file, 1000, false);
    tab(&mut browser, "#functions summary");
    assert_eq!(browser.value("document.activeElement.parentElement.open"), false);
    browser.press("Enter", 13);
    assert_eq!(browser.value("document.activeElement.parentElement.open"), true);
    // A step leads to its line.
    tab(&mut browser, ".path a");
    browser.press("Enter", 13);
    let marked = browser.value("document.querySelector('td:target')?.closest('tr').innerText");
    assert!(marked.as_str().is_some_and(|text| text.contains("if (") || text.contains("return")), "{marked}");
}

#[test]
fn what_is_folded_up_is_printed() {
    let changed = usual();
    let file = page(&changed);
    let mut browser = Browser::start();
    browser.open(&file, 800, true);
    let height = "document.querySelector('details .path').getBoundingClientRect().height > 0 && document.querySelector('details .path').checkVisibility()";
    assert_eq!(browser.value(height), false, "it is folded up on the screen");
    browser.media("print", true);
    assert_eq!(browser.value(height), true);
    // Paper is white, whatever the screen is.
    assert_eq!(browser.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
    let printed = browser.call("Page.printToPDF", &json!({}));
    assert!(printed["data"].as_str().is_some_and(|data| data.len() > 10_000));
}

/// Writes the page of a monitor.
fn monitor_page(folder: &std::path::Path, name: &str, words: &[&str]) -> PathBuf {
    let file = folder.join(format!("{name}.html"));
    let mut command = incise();
    command.current_dir(top()).arg("monitor").args(words).arg("--html").arg(&file);
    let said = Said::by(&mut command);
    assert_eq!(said.status, 1, "{}", said.stderr);
    file.canonicalize().expect("it is there")
}

#[test]
fn pages_of_monitors_are_shown_without_complaints_at_every_width() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = |limit: u32| {
        format!(
            "int A, B;\nvoid step(int x) {{\n    if (x > {limit}) /* </script><b>& */\n        A = 1;\n    B = x;\n}}\n"
        )
    };
    let hostile = "network \"</title><script>alert(1)</script>\" { }\nvariable A { type discrete [ 2 ] { a, b }; }\n\
        variable \"<img src=x onerror=alert(2)>\" { type discrete [ 2 ] { a, b }; }\nprobability ( A | \"<img src=x onerror=alert(2)>\" ) { default 0.5, 0.5; }\n";
    for (name, text) in [("old.c", text(3)), ("new.c", text(4)), ("hostile.bif", hostile.to_owned())] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (bif, old, new) = (path("hostile.bif"), path("old.c"), path("new.c"));
    let figure = ["examples/monitor/wbs.bif", "examples/monitor/old.c", "examples/monitor/new.c"];
    let pages = [
        ("figure", monitor_page(folder.path(), "figure", &figure)),
        ("hostile", monitor_page(folder.path(), "hostile", &[&bif, &old, &new])),
    ];
    let nothing: Value = json!([]);
    let mut browser = Browser::start();
    for (name, file) in pages {
        for (width, dark) in [(400, false), (400, true), (1400, false), (1400, true)] {
            browser.open(&file, width, dark);
            keep(&mut browser, &format!("monitor-{name}-{width}{}", if dark { "-dark" } else { "" }));
            assert_eq!(browser.value(BROKEN), nothing, "links of {name}");
            assert_eq!(browser.value(TOO_WIDE), nothing, "{name} at {width}");
            assert_eq!(
                browser.value("document.documentElement.scrollWidth > innerWidth"),
                false,
                "{name} at {width}"
            );
            assert_eq!(browser.value(PALE), nothing, "{name} at {width}, dark: {dark}");
            assert_eq!(browser.value("document.querySelectorAll('script, img, b').length"), 0, "{name}");
            assert_eq!(browser.complaints(), Vec::<String>::new(), "{name}");
        }
        // A click on a node of the picture leads to what is known of it, and from there to the line that changed.
        browser
            .value("document.querySelector('svg a').dispatchEvent(new MouseEvent('click', {bubbles: true}))");
        assert_eq!(browser.value("document.querySelector('section:target') !== null"), true, "{name}");
        browser.value("document.querySelector('ol a').click()");
        assert_eq!(browser.value("document.querySelector('code.hit:target') !== null"), true, "{name}");
    }
}
