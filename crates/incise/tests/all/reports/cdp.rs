//! A real browser, talked to over pipes in its own protocol: JSON that ends with a zero.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A page in a browser of its own.
pub(super) struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    last: u64,
    session: Option<String>,
    /// What happened on the page since it was last asked.
    pub(super) events: Vec<Value>,
    _folder: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It ends with its pipes; nobody waits for it to be polite.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    /// Starts the browser with an empty page.
    pub(super) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Its pipes are the descriptors 3 and 4. Tests run as root in containers, where it cannot confine itself.
        let script = "exec chromium-headless-shell --remote-debugging-pipe --no-sandbox --disable-gpu \
            --disable-dev-shm-usage --no-first-run --user-data-dir=\"$0\" 3<&0 4>&1 >/dev/null 2>&1 </dev/null";
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("a shell runs");
        let to = process.stdin.take().expect("a pipe");
        let from = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut browser =
            Self { process, to, from, last: 0, session: None, events: Vec::new(), _folder: folder };
        let page = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", &json!({"targetId": page["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page.enable", "Runtime.enable", "Log.enable", "DOM.enable"] {
            browser.call(domain, &json!({}));
        }
        browser
    }

    /// Asks the browser for something.
    pub(super) fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let sent = write!(self.to, "{message}\0").and_then(|()| self.to.flush());
        sent.unwrap_or_else(|_| panic!("{MISSING}"));
        loop {
            let answer = self.read();
            if answer["id"] == self.last {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).expect("the browser answers");
        assert!(!bytes.is_empty(), "{MISSING}");
        bytes.pop();
        serde_json::from_slice(&bytes).expect("the browser writes JSON")
    }

    /// Opens a file on a screen of this width, in the light or in the dark.
    pub(super) fn open(&mut self, file: &Path, width: u32, dark: bool) {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &size);
        self.media("", dark);
        self.events.clear();
        self.call("Page.navigate", &json!({"url": format!("file://{}", file.display())}));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.read();
            self.events.push(event);
        }
    }

    /// On a screen, or as if it were printed.
    pub(super) fn media(&mut self, media: &str, dark: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", &json!({"media": media, "features": features}));
    }

    /// What an expression is on the page.
    pub(super) fn value(&mut self, expression: &str) -> Value {
        let answer = self.call("Runtime.evaluate", &json!({"expression": expression, "returnByValue": true}));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Presses a key.
    pub(super) fn press(&mut self, key: &str, code: u32) {
        let text = if key == "Enter" { json!("\r") } else { Value::Null };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" && !text.is_null() {
                event["text"] = text.clone();
            }
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// What went wrong on the page, in the words of the browser.
    pub(super) fn complaints(&self) -> Vec<String> {
        let wrong = [
            "Runtime.consoleAPICalled",
            "Runtime.exceptionThrown",
            "Log.entryAdded",
            "Page.javascriptDialogOpening",
        ];
        let is_wrong =
            |event: &&Value| event["method"].as_str().is_some_and(|method| wrong.contains(&method));
        self.events.iter().filter(is_wrong).map(Value::to_string).collect()
    }
}

/// What is said if there is no browser.
const MISSING: &str =
    "the browser does not run: scripts/setup.sh installs chromium-headless-shell (`make setup`)";
