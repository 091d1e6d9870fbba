//! Whether places of two functions may be the same: what one writes through its pointers, another may read through its
//! own.

use crate::effects::Effects;
use crate::places::{Base, MemoryPlace, ranges_overlap};
use crate::points_to::{ObjectId, ObjectKind, View};
use incise_ir::{FunctionId, Program};

/// A place as the whole program sees it.
enum Seen {
    /// A part of an object.
    Object(ObjectId),
    /// Somewhere in what a pointer may point into.
    View(View),
    /// What unknown code may touch.
    Everything,
}

impl Effects {
    /// Whether a place of one function and a place of another, or of the same in another call, may have a byte in
    /// common, one that may be written. Variables of a function are told apart from those of others, and not between
    /// its calls.
    pub fn may_overlap(
        &self,
        program: &Program,
        left: (FunctionId, &MemoryPlace),
        right: (FunctionId, &MemoryPlace),
    ) -> bool {
        let (range, other_range) = (left.1.range, right.1.range);
        match (self.seen(left), self.seen(right)) {
            (Some(Seen::Object(object)), Some(Seen::Object(other))) => {
                object == other && !self.is_constant(program, object) && ranges_overlap(range, other_range)
            }
            (Some(Seen::Object(object)), Some(other)) | (Some(other), Some(Seen::Object(object))) => {
                self.leads_to(program, &other, object)
            }
            (Some(Seen::View(view)), Some(Seen::View(other))) => {
                self.points_to().sets().overlap(view.borrow(), other.borrow())
            }
            (Some(Seen::Everything), Some(_)) | (Some(_), Some(Seen::Everything)) => true,
            // A value, or a variable that nobody has the address of.
            (None, _) | (_, None) => {
                left.0 == right.0 && left.1.base == right.1.base && ranges_overlap(range, other_range)
            }
        }
    }

    /// The part of a place of a function that pointers lead into which lead to some objects.
    pub(crate) fn part_led_to(
        &self,
        program: &Program,
        led: &View,
        (function, place): (FunctionId, &MemoryPlace),
    ) -> Vec<MemoryPlace> {
        if led.objects.is_empty() && !led.outside && !led.unknown {
            return Vec::new();
        }
        let leads = match self.seen((function, place)) {
            Some(Seen::Object(object)) => self.leads_to(program, &Seen::View(led.clone()), object),
            Some(Seen::View(view)) => self.points_to().sets().overlap(led.borrow(), view.borrow()),
            Some(Seen::Everything) => true,
            None => false,
        };
        // What may be many objects is no more than those that the pointers lead to.
        let many = matches!(place.base, Base::Memory | Base::Everything | Base::Outside | Base::Objects(_));
        match leads {
            false => Vec::new(),
            true if led.unknown || !many => vec![*place],
            true => {
                let objects = led.objects.iter().map(|number| ObjectId::from_index(number as usize));
                let outside = led.outside.then_some(Base::Outside);
                let bases = outside.into_iter().chain(objects.map(|object| self.base_of(object)));
                bases.map(MemoryPlace::whole).collect()
            }
        }
    }

    /// How the whole program sees a place; `None` if only its own function can.
    fn seen(&self, (function, place): (FunctionId, &MemoryPlace)) -> Option<Seen> {
        let points_to = self.points_to();
        Some(match place.base {
            Base::Result(_) => return None,
            Base::Local(value) => Seen::Object(points_to.object(ObjectKind::Local(function, value))?),
            Base::Global(global) => Seen::Object(points_to.object(ObjectKind::Global(global))?),
            Base::Object(object) => Seen::Object(object),
            Base::Objects(set) => {
                Seen::View(View { objects: points_to.sets().get(set).clone(), ..View::default() })
            }
            Base::Pointee(parameter) => Seen::View(points_to.view(function, parameter)),
            Base::Outside => Seen::View(View { outside: true, ..View::default() }),
            Base::Memory => Seen::View(View { unknown: true, ..View::default() }),
            Base::Everything => Seen::Everything,
        })
    }

    fn leads_to(&self, program: &Program, seen: &Seen, object: ObjectId) -> bool {
        let global = match self.points_to().kind(object) {
            ObjectKind::Global(global) => Some(global),
            _ => None,
        };
        match seen {
            Seen::Object(other) => *other == object,
            Seen::Everything => !self.is_constant(program, object),
            Seen::View(view) => {
                // A pointer that may point anywhere does not know a variable whose address is not used.
                let known = |global| self.is_exposed(global) || !view.borrow().is_anything();
                global.is_none_or(|global| !program.globals[global].constant && known(global))
                    && self.points_to().sets().contains(view.borrow(), object)
            }
        }
    }

    fn is_constant(&self, program: &Program, object: ObjectId) -> bool {
        matches!(self.points_to().kind(object), ObjectKind::Global(global) if program.globals[global].constant)
    }
}
