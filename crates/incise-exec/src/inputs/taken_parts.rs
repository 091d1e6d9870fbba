//! What is taken of the parts of inputs, each by its own name: numbers that are enumerators, arrays of a fixed size
//! that hold strings.

use crate::engine::state::State;
use crate::inputs::input::InputObject;
use crate::inputs::maker::InputMaker;
use crate::inputs::parts::{PartKind, ShapePart, parts};
use crate::inputs::shape::ScalarKind;
use incise_reading::What;
use incise_solver::ExprId;
use std::collections::BTreeMap;

impl InputMaker<'_> {
    /// What holds of scalars, and of arrays that are no larger than their types say.
    pub(super) fn scalar_conditions(&mut self, state: &State, conditions: &mut Vec<ExprId>) {
        let about = |what: &What| matches!(what, What::Enumerator | What::Text);
        if !self.config.inputs.reading.parts.iter().any(|taken| about(&taken.what)) {
            return;
        }
        for input in state.inputs.to_vec() {
            if input.shape.is_large() {
                continue;
            }
            let mut texts: BTreeMap<String, Vec<ShapePart>> = BTreeMap::new();
            for part in parts(&input.name, &input.shape) {
                self.enumerator_condition(input, &part, conditions);
                // The elements of what a pointer leads to are as many as an input says.
                let array = part.name.rsplit_once('[').map(|(array, _)| array.to_owned());
                if let Some(array) = array.filter(|array| input.counted_name.as_ref() != Some(array)) {
                    texts.entry(array).or_default().push(part);
                }
            }
            for (array, elements) in texts {
                if self.config.inputs.reading.of(&array).any(|what| *what == What::Text) {
                    self.text_condition(input, &elements, conditions);
                }
            }
        }
    }

    fn enumerator_condition(&mut self, input: &InputObject, part: &ShapePart, conditions: &mut Vec<ExprId>) {
        let PartKind::Number(ScalarKind::Enumeration { names, .. }) = &part.kind else { return };
        if !self.config.inputs.reading.of(&part.name).any(|what| *what == What::Enumerator) {
            return;
        }
        let Some(value) = self.whole_leaf(input, part) else { return };
        let mut any = self.exprs.boolean(false);
        for (_, enumerator) in names {
            let enumerator = self.exprs.constant(*enumerator as u128, self.exprs.width(value));
            let here = self.exprs.eq(value, enumerator);
            any = self.exprs.or(any, here);
        }
        conditions.push(any);
    }

    /// One of the elements is zero.
    fn text_condition(&mut self, input: &InputObject, elements: &[ShapePart], conditions: &mut Vec<ExprId>) {
        let mut any = self.exprs.boolean(false);
        for part in elements {
            let PartKind::Number(_) = part.kind else { return };
            let Some(value) = self.whole_leaf(input, part) else { return };
            let zero = self.exprs.constant(0, self.exprs.width(value));
            let here = self.exprs.eq(value, zero);
            any = self.exprs.or(any, here);
        }
        conditions.push(any);
    }

    /// The value of a part that is a leaf by itself.
    fn whole_leaf(&self, input: &InputObject, part: &ShapePart) -> Option<ExprId> {
        let at = input.leaves.binary_search_by_key(&(part.offset_bits / 8), |leaf| leaf.offset).ok()?;
        let leaf = input.leaves[at];
        (leaf.bytes * 8 == part.bits && part.offset_bits.is_multiple_of(8)).then_some(leaf.expr)
    }
}
