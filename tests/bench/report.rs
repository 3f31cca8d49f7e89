//! What was measured, as lines of a Markdown table.

/// What a figure must reach.
#[derive(Clone, Copy)]
pub enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

/// The lines of one part.
#[derive(Default)]
pub struct Report {
    missed: usize,
}

impl Report {
    /// Begins the table of a part.
    pub fn begin(&mut self, title: &str) {
        println!("\n### {title}\n\n| what | measured | at least | | |\n|---|---|---|---|---|");
    }

    /// A figure without a goal.
    pub fn line(&mut self, what: &str, figure: String) {
        println!("| {what} | {figure} | | | |");
    }

    /// A figure and whether it reaches its goal.
    pub fn goal(&mut self, what: &str, figure: f64, goal: Goal, unit: &str, detail: String) {
        let (reached, wanted) = match goal {
            Goal::AtLeast(least) => (figure >= least, format!("{least} {unit}")),
            Goal::AtMost(most) => (figure <= most, format!("under {most} {unit}")),
        };
        self.missed += usize::from(!reached);
        let word = if reached { "yes" } else { "**no**" };
        println!("| {what} | {figure:.2} {unit} | {wanted} | {word} | {detail} |");
    }

    /// How many figures fell short.
    pub fn missed(&self) -> usize {
        self.missed
    }
}

/// The figure in the middle.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
