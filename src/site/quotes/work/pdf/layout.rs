//! Text on pages of A4: lines are broken and pages begun by the measured widths of the signs. Lengths are points from the
//! upper left corner.

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};

use super::font;
use hanok_base::{Error, Result};

const WIDTH: f32 = 595.28;
const HEIGHT: f32 = 841.89;
/// Where text begins and ends, from the left.
pub(super) const LEFT: f32 = 48.0;
/// See [`LEFT`].
pub(super) const RIGHT: f32 = WIDTH - LEFT;
const TOP: f32 = 52.0;
const BOTTOM: f32 = HEIGHT - 60.0;
/// A row that is no higher than this stays on one page.
const KEPT_TOGETHER: f32 = 220.0;

/// Asked again and again whether to go on: an error ends the work.
pub(super) type GoOn<'a> = &'a dyn Fn() -> Result<()>;

/// How a text looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Style {
    size: f32,
    is_bold: bool,
    is_faint: bool,
}

impl Style {
    /// Plain text of this size.
    pub const fn of(size: f32) -> Style {
        Style { size, is_bold: false, is_faint: false }
    }

    /// The same, bold.
    pub const fn bold(self) -> Style {
        Style { is_bold: true, ..self }
    }

    /// The same, in grey.
    pub const fn faint(self) -> Style {
        Style { is_faint: true, ..self }
    }

    /// How far the next line stands below.
    fn line_height(self) -> f32 {
        self.size * 1.45
    }
}

/// Where a column stands, and whether its text ends at its right edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    left: f32,
    width: f32,
    is_right: bool,
}

impl Column {
    /// The whole width of the page.
    pub const WHOLE: Column = Column::left(LEFT, RIGHT - LEFT);

    /// A column whose text begins at its left edge.
    pub const fn left(left: f32, width: f32) -> Column {
        Column { left, width, is_right: false }
    }

    /// A column whose text ends at its right edge.
    pub const fn right(left: f32, width: f32) -> Column {
        Column { left, width, is_right: true }
    }
}

/// What stands in one column of a row: texts below one another.
#[derive(Debug, Default)]
pub(super) struct Cell(Vec<(String, Style)>);

impl Cell {
    /// One text.
    pub fn of(text: impl Into<String>, style: Style) -> Cell {
        Cell::default().and(text, style)
    }

    /// The same with another text below it; an empty one is left out.
    pub fn and(mut self, text: impl Into<String>, style: Style) -> Cell {
        let text = text.into();
        if !text.trim().is_empty() {
            self.0.push((text, style));
        }
        self
    }

    /// Its lines in this column.
    fn lines(&self, column: Column) -> Vec<(String, Style)> {
        let broken = |(text, style): &(String, Style)| {
            let lines = broken(&font::drawable(text), column.width, style.size);
            lines.into_iter().map(|line| (line, *style)).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(broken).collect()
    }
}

/// Something that stands at its place on a page.
#[derive(Debug)]
enum Mark {
    Text { x: f32, y: f32, text: String, style: Style },
    Rule { from: (f32, f32), to: (f32, f32), width: f32 },
}

/// A table's heading, drawn again on each page that the table goes on to.
#[derive(Debug)]
struct Heading {
    columns: Vec<Column>,
    names: Vec<String>,
}

/// The pages that are being written, and the place on the last of them.
#[derive(Debug)]
pub(super) struct Sheet {
    pages: Vec<Vec<Mark>>,
    y: f32,
    heading: Option<Heading>,
}

impl Sheet {
    /// An empty page.
    pub fn new() -> Sheet {
        Sheet { pages: vec![Vec::new()], y: TOP, heading: None }
    }

    /// Where the next line stands.
    pub fn y(&self) -> f32 {
        self.y
    }

    /// Goes on at this place of the page.
    pub fn go_to(&mut self, y: f32) {
        self.y = y;
    }

    /// Leaves this much free.
    pub fn gap(&mut self, height: f32) {
        self.y += height;
    }

    /// Every line of text, in the order in which it was written.
    #[cfg(test)]
    pub fn texts(&self) -> Vec<&str> {
        let marks = self.pages.iter().flatten();
        marks.filter_map(|mark| if let Mark::Text { text, .. } = mark { Some(text.as_str()) } else { None }).collect()
    }

    /// Begins another page where the rest of this one is not as high.
    pub fn keep(&mut self, height: f32) {
        if self.y + height > BOTTOM && self.y > TOP {
            self.break_page();
        }
    }

    /// A line across the page.
    pub fn rule(&mut self, width: f32) {
        let y = self.y;
        self.mark(Mark::Rule { from: (LEFT, y), to: (RIGHT, y), width });
    }

    /// A text across the page.
    pub fn text(&mut self, text: impl Into<String>, style: Style) {
        self.row(&[Column::WHOLE], &[Cell::of(text, style)]);
    }

    /// A row of as many cells as columns. One that is high goes on over pages, line by line.
    pub fn row(&mut self, columns: &[Column], cells: &[Cell]) {
        let cells: Vec<Vec<(String, Style)>> =
            columns.iter().zip(cells).map(|(column, cell)| cell.lines(*column)).collect();
        let lines = cells.iter().map(Vec::len).max().unwrap_or(0);
        let height = |line: usize| {
            let heights = cells.iter().filter_map(|cell| cell.get(line)).map(|(_, style)| style.line_height());
            heights.fold(0.0, f32::max)
        };
        let whole: f32 = (0..lines).map(height).sum();
        if whole <= KEPT_TOGETHER {
            self.keep(whole);
        }
        for line in 0..lines {
            self.keep(height(line));
            let in_line = || columns.iter().zip(&cells).filter_map(|(column, cell)| Some((*column, cell.get(line)?)));
            // Texts of different sizes stand on one base line.
            let base = in_line().map(|(_, (_, style))| style.size).fold(0.0, f32::max);
            for (column, (text, style)) in in_line() {
                self.write(column, text, *style, base);
            }
            self.y += height(line);
        }
    }

    /// Begins a table of these columns.
    pub fn begin_table(&mut self, columns: &[Column], names: &[&str]) {
        self.keep(80.0);
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        self.heading = Some(Heading { columns: columns.to_vec(), names });
        self.draw_heading();
    }

    /// Ends the table.
    pub fn end_table(&mut self) {
        self.heading = None;
    }

    /// The finished file; each page carries `foot` and its number.
    ///
    /// # Errors
    /// `INTERNAL` where the font cannot be read or the file cannot be made; that of `go_on`.
    pub fn into_pdf(self, metadata: Metadata, foot: &str, go_on: GoOn<'_>) -> Result<Vec<u8>> {
        let font = Font::new(font::BYTES.into(), 0).ok_or_else(|| Error::internal("the font cannot be read"))?;
        let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(|| Error::internal("no page of this size"))?;
        let mut document = Document::new();
        document.set_metadata(metadata);
        let (pages, style) = (self.pages.len(), Style::of(8.0).faint());
        let foot = broken(&font::drawable(foot), RIGHT - LEFT - 80.0, style.size).into_iter().next();
        for (index, marks) in self.pages.iter().enumerate() {
            go_on()?;
            let mut page = document.start_page_with(size.clone());
            let mut surface = page.surface();
            for mark in marks {
                mark.draw(&mut surface, &font);
            }
            let y = HEIGHT - 36.0;
            Mark::Text { x: LEFT, y, text: foot.clone().unwrap_or_default(), style }.draw(&mut surface, &font);
            let text = format!("{} / {pages}", index + 1);
            let x = RIGHT - font::width(&text, style.size);
            Mark::Text { x, y, text, style }.draw(&mut surface, &font);
            surface.finish();
            page.finish();
        }
        go_on()?;
        document.finish().map_err(|error| Error::internal(format!("{error:?}")))
    }

    fn break_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = TOP;
        self.draw_heading();
    }

    fn draw_heading(&mut self) {
        let Some(Heading { columns, names }) = self.heading.take() else { return };
        let style = Style::of(8.5).faint();
        for (column, name) in columns.iter().zip(&names) {
            self.write(*column, name, style, style.size);
        }
        self.y += style.line_height() + 3.0;
        self.rule(0.8);
        self.y += 5.0;
        self.heading = Some(Heading { columns, names });
    }

    fn write(&mut self, column: Column, text: &str, style: Style, base: f32) {
        let x = if column.is_right { column.left + column.width - font::width(text, style.size) } else { column.left };
        let y = self.y + base;
        self.mark(Mark::Text { x, y, text: text.to_owned(), style });
    }

    fn mark(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }
}

impl Mark {
    fn draw(&self, surface: &mut Surface<'_>, font: &Font) {
        match self {
            Mark::Text { x, y, text, style } => draw_text(surface, font, (*x, *y), text, *style),
            Mark::Rule { from, to, width } => {
                let mut path = PathBuilder::new();
                path.move_to(from.0, from.1);
                path.line_to(to.0, to.1);
                let Some(path) = path.finish() else { return };
                surface.set_fill(None);
                surface.set_stroke(Some(stroke(rgb::Color::new(150, 150, 150), *width)));
                surface.draw_path(&path);
                surface.set_stroke(None);
            }
        }
    }
}

/// Draws a line of text, each sign as wide as it was measured.
fn draw_text(surface: &mut Surface<'_>, font: &Font, (x, y): (f32, f32), text: &str, style: Style) {
    if text.is_empty() {
        return;
    }
    let color = if style.is_faint { rgb::Color::new(95, 95, 95) } else { rgb::Color::new(20, 20, 20) };
    let glyphs: Vec<KrillaGlyph> = text
        .char_indices()
        .map(|(at, sign)| {
            let (glyph, advance) = font::glyph(sign);
            KrillaGlyph::new(GlyphId::new(glyph), advance, 0.0, 0.0, 0.0, at..at + sign.len_utf8(), None)
        })
        .collect();
    surface.set_fill(Some(Fill { paint: color.into(), opacity: NormalizedF32::ONE, rule: Default::default() }));
    // There is one weight of the font; a thin outline makes it bold.
    surface.set_stroke(style.is_bold.then(|| stroke(color, style.size * 0.028)));
    surface.draw_glyphs(Point::from_xy(x, y), &glyphs, font.clone(), text, style.size, false);
    surface.set_fill(None);
    surface.set_stroke(None);
}

fn stroke(color: rgb::Color, width: f32) -> Stroke {
    Stroke { paint: color.into(), width, ..Stroke::default() }
}

/// `text` in lines no wider than `width`: broken between words, and within one only where it alone is too wide.
fn broken(text: &str, width: f32, size: f32) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        let mut used = 0.0;
        for word in paragraph.split_inclusive(' ') {
            let wide = font::width(word.trim_end(), size);
            if used + wide > width && !line.is_empty() {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
                used = 0.0;
            }
            if wide <= width {
                line.push_str(word);
                used += font::width(word, size);
                continue;
            }
            for sign in word.chars() {
                let one = font::glyph(sign).1 * size;
                if used + one > width && !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                    used = 0.0;
                }
                line.push(sign);
                used += one;
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_between_words_and_within_one_only_where_it_alone_is_too_wide() {
        // A syllable is 1770 of 2048 units wide (see the font's test): 8.64 at size 10; a space is 2.51.
        assert_eq!(broken("가나 다라 마바", 40.0, 10.0), ["가나 다라", "마바"]);
        assert_eq!(broken("가나다라마 바", 26.0, 10.0), ["가나다", "라마", "바"]);
        assert_eq!(broken("가\n\n나", 40.0, 10.0), ["가", "", "나"]);
        assert_eq!(broken("", 40.0, 10.0), [""]);
        let long = "가".repeat(5_000);
        let lines = broken(&long, 100.0, 10.0);
        assert!(lines.iter().all(|line| font::width(line, 10.0) <= 100.0));
        assert_eq!(lines.concat(), long);
    }

    #[test]
    fn a_column_narrower_than_a_sign_takes_one_sign_a_line() {
        assert_eq!(broken("가나", 1.0, 10.0), ["가", "나"]);
    }
}
