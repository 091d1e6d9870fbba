//! The trail, and what follows from it by single gates and single learnt clauses.

use super::clauses::ClauseRef;
use super::{Members, NO_LINK, Reason, Sat, Watch};
use crate::blast::gates::{Bit, Gate, GateNode, Gates};

const OUTPUT: Members = 1;
const FIRST: Members = 2;
const SECOND: Members = 4;
const THIRD: Members = 8;

/// A contradiction, with what is contradictory. It never is `Reason::Decision`.
pub(super) struct Conflict(pub(super) Reason);

impl Sat {
    pub(super) fn enqueue(&mut self, literal: Bit, reason: Reason) {
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        let level = self.level_starts.len() as u32;
        let data = &mut self.nodes[literal.node().index()];
        data.level = level;
        data.reason = reason;
        self.unassigned -= usize::from(data.in_cone);
        self.trail.push(literal);
    }

    /// Undoes all levels above `level`.
    pub(super) fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.level_starts.get(level) else { return };
        for &literal in self.trail[start..].iter().rev() {
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            let data = &mut self.nodes[literal.node().index()];
            data.phase = literal.is_positive();
            if data.in_cone {
                self.unassigned += 1;
                if data.is_input || self.heap.is_active(literal.node()) {
                    self.heap.insert(literal.node());
                }
            }
        }
        self.trail.truncate(start);
        self.level_starts.truncate(level);
        self.propagated = self.propagated.min(start);
    }

    /// Draws all conclusions, or stops at the first contradiction.
    pub(super) fn propagate(&mut self, gates: &Gates) -> Result<(), Conflict> {
        loop {
            while let Some(&literal) = self.trail.get(self.propagated) {
                self.propagated += 1;
                self.counters.propagations += 1;
                self.propagate_gates(gates, literal.node())?;
                self.propagate_clauses(literal)?;
            }
            // A gate that leads to a conflict is taken off all the same: the conflict unassigns one of its
            // nodes, and the gate is looked at again when that node gets its value.
            let Some(gate) = self.entered.pop() else { return Ok(()) };
            if self.nodes[gate.index()].in_cone {
                self.visit(gates, gate)?;
            }
        }
    }

    fn propagate_gates(&mut self, gates: &Gates, node: GateNode) -> Result<(), Conflict> {
        if self.nodes[node.index()].in_cone {
            self.visit(gates, node)?;
        }
        // The list does not change while gates are looked at.
        let mut next = self.users[node.index()];
        while next != NO_LINK {
            let link = self.links[next as usize];
            self.visit(gates, link.user)?;
            next = link.before;
        }
        Ok(())
    }

    /// Draws a conclusion from a gate and the values of its nodes. One is enough: it brings the gate back here.
    fn visit(&mut self, gates: &Gates, node: GateNode) -> Result<(), Conflict> {
        match gates.gate(node) {
            Gate::Constant | Gate::Input => Ok(()),
            Gate::And(a, b) => self.visit_and(node, a, b),
            Gate::Xor(a, b) => self.visit_xor(node, a, b),
            Gate::Mux(c, t, e) => self.visit_mux(node, c, t, e),
            Gate::Majority(a, b, c) => self.visit_majority(node, a, b, c),
        }
    }

    /// The gate's nodes `members` imply that `literal` has the sign of `value`; `own` is which of the gate's
    /// nodes it is.
    fn imply(
        &mut self,
        gate: GateNode,
        literal: Bit,
        value: i8,
        own: Members,
        members: Members,
    ) -> Result<(), Conflict> {
        let current = self.value_of(literal);
        if current == 0 {
            self.enqueue(literal.negated_if(value < 0), Reason::Gate(gate, members));
            Ok(())
        } else if current == value {
            Ok(())
        } else {
            Err(Conflict(Reason::Gate(gate, members | own)))
        }
    }

    fn visit_and(&mut self, node: GateNode, a: Bit, b: Bit) -> Result<(), Conflict> {
        let (x, y) = (self.value_of(a), self.value_of(b));
        let output = node.bit(true);
        if x < 0 {
            return self.imply(node, output, -1, OUTPUT, FIRST);
        }
        if y < 0 {
            return self.imply(node, output, -1, OUTPUT, SECOND);
        }
        if x > 0 && y > 0 {
            return self.imply(node, output, 1, OUTPUT, FIRST | SECOND);
        }
        match self.value_of(output) {
            0 => Ok(()),
            1 => {
                self.imply(node, a, 1, FIRST, OUTPUT)?;
                self.imply(node, b, 1, SECOND, OUTPUT)
            }
            _ if x > 0 => self.imply(node, b, -1, SECOND, OUTPUT | FIRST),
            _ if y > 0 => self.imply(node, a, -1, FIRST, OUTPUT | SECOND),
            _ => Ok(()),
        }
    }

    fn visit_xor(&mut self, node: GateNode, a: Bit, b: Bit) -> Result<(), Conflict> {
        let output = node.bit(true);
        let (x, y, z) = (self.value_of(a), self.value_of(b), self.value_of(output));
        if x != 0 && y != 0 {
            self.imply(node, output, -x * y, OUTPUT, FIRST | SECOND)
        } else if z == 0 {
            Ok(())
        } else if x != 0 {
            self.imply(node, b, -x * z, SECOND, OUTPUT | FIRST)
        } else if y != 0 {
            self.imply(node, a, -y * z, FIRST, OUTPUT | SECOND)
        } else {
            Ok(())
        }
    }

    fn visit_mux(
        &mut self,
        node: GateNode,
        condition: Bit,
        then: Bit,
        otherwise: Bit,
    ) -> Result<(), Conflict> {
        let output = node.bit(true);
        let (x, y, z) = (self.value_of(then), self.value_of(otherwise), self.value_of(output));
        let choice = self.value_of(condition);
        if choice != 0 {
            let (branch, value, own) = if choice > 0 { (then, x, SECOND) } else { (otherwise, y, THIRD) };
            return if value != 0 {
                self.imply(node, output, value, OUTPUT, FIRST | own)
            } else if z != 0 {
                self.imply(node, branch, z, own, OUTPUT | FIRST)
            } else {
                Ok(())
            };
        }
        if x != 0 && x == y {
            self.imply(node, output, x, OUTPUT, SECOND | THIRD)
        } else if z == 0 {
            Ok(())
        } else if x == -z {
            self.imply(node, condition, -1, FIRST, OUTPUT | SECOND)
        } else if y == -z {
            self.imply(node, condition, 1, FIRST, OUTPUT | THIRD)
        } else {
            Ok(())
        }
    }

    fn visit_majority(&mut self, node: GateNode, a: Bit, b: Bit, c: Bit) -> Result<(), Conflict> {
        let output = node.bit(true);
        let (x, y, z) = (self.value_of(a), self.value_of(b), self.value_of(c));
        if x != 0 && x == y {
            return self.imply(node, output, x, OUTPUT, FIRST | SECOND);
        }
        if x != 0 && x == z {
            return self.imply(node, output, x, OUTPUT, FIRST | THIRD);
        }
        if y != 0 && y == z {
            return self.imply(node, output, y, OUTPUT, SECOND | THIRD);
        }
        let value = self.value_of(output);
        if value == 0 {
            return Ok(());
        }
        // An operand that differs from the result forces the others, of which no other differs by what is
        // above.
        if x == -value {
            self.imply(node, b, value, SECOND, OUTPUT | FIRST)?;
            self.imply(node, c, value, THIRD, OUTPUT | FIRST)
        } else if y == -value {
            self.imply(node, a, value, FIRST, OUTPUT | SECOND)?;
            self.imply(node, c, value, THIRD, OUTPUT | SECOND)
        } else if z == -value {
            self.imply(node, a, value, FIRST, OUTPUT | THIRD)?;
            self.imply(node, b, value, SECOND, OUTPUT | THIRD)
        } else {
            Ok(())
        }
    }

    /// Watches the first two literals of a clause.
    pub(super) fn watch(&mut self, clause: ClauseRef) {
        let (first, second) = (self.clauses.literal(clause, 0), self.clauses.literal(clause, 1));
        self.watches[(!first).index()].push(Watch { clause, blocker: second });
        self.watches[(!second).index()].push(Watch { clause, blocker: first });
    }

    fn propagate_clauses(&mut self, literal: Bit) -> Result<(), Conflict> {
        if self.watches[literal.index()].is_empty() {
            return Ok(());
        }
        let mut list = std::mem::take(&mut self.watches[literal.index()]);
        let (mut read, mut write) = (0, 0);
        let mut result = Ok(());
        while read < list.len() {
            let watch = list[read];
            read += 1;
            match self.visit_clause(watch, !literal) {
                Visit::Moved => {}
                Visit::Keep(blocker) => {
                    list[write] = Watch { clause: watch.clause, blocker };
                    write += 1;
                }
                Visit::Conflict => {
                    list[write] = watch;
                    write += 1;
                    result = Err(Conflict(Reason::Clause(watch.clause)));
                    break;
                }
            }
        }
        list.copy_within(read.., write);
        list.truncate(write + list.len() - read);
        self.watches[literal.index()] = list;
        result
    }

    fn visit_clause(&mut self, watch: Watch, falsified: Bit) -> Visit {
        if self.value_of(watch.blocker) > 0 {
            return Visit::Keep(watch.blocker);
        }
        let clause = watch.clause;
        if self.clauses.literal(clause, 0) == falsified {
            self.clauses.swap(clause, 0, 1);
        }
        let first = self.clauses.literal(clause, 0);
        if self.value_of(first) > 0 {
            return Visit::Keep(first);
        }
        for position in 2..self.clauses.len(clause) {
            let other = self.clauses.literal(clause, position);
            if self.value_of(other) >= 0 {
                self.clauses.swap(clause, 1, position);
                self.watches[(!other).index()].push(Watch { clause, blocker: first });
                return Visit::Moved;
            }
        }
        if self.value_of(first) < 0 {
            return Visit::Conflict;
        }
        if self.nodes[first.node().index()].in_cone {
            self.enqueue(first, Reason::Clause(clause));
        }
        Visit::Keep(first)
    }
}

/// What becomes of a watch after looking at its clause.
enum Visit {
    /// The clause watches another literal.
    Moved,
    /// The watch stays, with this blocker.
    Keep(Bit),
    Conflict,
}
