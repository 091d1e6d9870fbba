//! Programs with threads as text in C.

use super::{Concurrent, Condition, INPUTS, LOCKS, Op, SEMAPHORES, VARIABLES};
use std::fmt::Write;

/// The line of each operation, in the order in which they are printed.
pub(super) type Lines = Vec<u32>;

impl Concurrent {
    /// The program in C. It asks for its input in `main`.
    pub fn text(&self) -> String {
        self.printed().0
    }

    /// The program in C, and the lines of the operations of `main`, of each thread and of each helper.
    pub(super) fn printed(&self) -> (String, Vec<Lines>) {
        let mut text = Text { text: String::new(), line: 1 };
        for header in ["assert", "pthread", "semaphore"] {
            text.put(&format!("#include <{header}.h>"));
        }
        text.put("int klee_range(int, int, const char *);");
        for variable in 0..VARIABLES {
            text.put(&format!("int v{variable};"));
        }
        for lock in 0..LOCKS {
            text.put(&format!("pthread_mutex_t m{lock} = PTHREAD_MUTEX_INITIALIZER;"));
        }
        for semaphore in 0..SEMAPHORES {
            text.put(&format!("sem_t s{semaphore};"));
        }
        text.put("pthread_barrier_t b;");
        let mut helpers = Vec::new();
        for (number, ops) in self.helpers.iter().enumerate() {
            text.put(&format!("static int h{number}(int r, int in) {{"));
            helpers.push(text.ops(ops));
            text.put("return r;");
            text.put("}");
        }
        let mut lines = vec![Vec::new()];
        for (number, ops) in self.threads.iter().enumerate() {
            text.put(&format!("static void *t{number}(void *given) {{"));
            text.put("int r = 0;");
            text.put("int in = (int)(long)given;");
            lines.push(text.ops(ops));
            text.put("return 0;");
            text.put("}");
        }
        text.put("int main(void) {");
        text.put("int r = 0;");
        text.put(&format!("int in = klee_range(0, {INPUTS}, \"in\");"));
        for thread in 0..self.threads.len() {
            text.put(&format!("pthread_t t_{thread};"));
        }
        for semaphore in 0..SEMAPHORES {
            text.put(&format!("sem_init(&s{semaphore}, 0, 0);"));
        }
        text.put(&format!("pthread_barrier_init(&b, 0, {});", self.barrier));
        lines[0] = text.ops(&self.main);
        text.put("return 0;");
        text.put("}");
        lines.extend(helpers);
        (text.text, lines)
    }
}

struct Text {
    text: String,
    line: u32,
}

impl Text {
    fn put(&mut self, line: &str) -> u32 {
        let _ = writeln!(self.text, "{line}");
        self.line += 1;
        self.line - 1
    }

    fn ops(&mut self, ops: &[Op]) -> Lines {
        let mut lines = Vec::new();
        for op in ops {
            lines.push(self.put(&statement(op)));
            if let Op::If(_, inner) = op {
                lines.extend(self.ops(inner));
                self.put("}");
            }
        }
        lines
    }
}

fn statement(op: &Op) -> String {
    match op {
        Op::Read(variable) => format!("r = v{variable};"),
        Op::Write(variable, number) => format!("v{variable} = {number};"),
        Op::WriteSum(variable, number) => format!("v{variable} = r + {number};"),
        Op::WriteInput(variable, number) => format!("v{variable} = in + {number};"),
        Op::Compute(number) => format!("r = (r * 2 + {number}) & 7;"),
        Op::Lock(lock) => format!("pthread_mutex_lock(&m{lock});"),
        Op::Unlock(lock) => format!("pthread_mutex_unlock(&m{lock});"),
        Op::Post(semaphore) => format!("sem_post(&s{semaphore});"),
        Op::Take(semaphore) => format!("sem_wait(&s{semaphore});"),
        Op::Arrive => "pthread_barrier_wait(&b);".to_owned(),
        Op::Await(variable, number) => format!("while (v{variable} == {number}) ;"),
        Op::If(Condition::Register(number), _) => format!("if (r == {number}) {{"),
        Op::If(Condition::Input(number), _) => format!("if (in == {number}) {{"),
        Op::Call(helper) => format!("r = h{helper}(r, in);"),
        Op::CallWith(helper, variable) => format!("r = h{helper}(v{variable}, in);"),
        Op::Assert(number) => format!("assert(r != {number});"),
        Op::Create(thread) => {
            format!("pthread_create(&t_{thread}, 0, t{thread}, (void *)(long)in);")
        }
        Op::Join(thread) => format!("pthread_join(t_{thread}, 0);"),
    }
}
