//! What is made from models, as others see it.

mod change_report;
