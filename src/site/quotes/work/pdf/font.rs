//! The font of the PDF: which signs it has, and how wide each is. The four tables that say so are read here (OpenType 1.9:
//! `cmap` format 12, `head`, `hhea`, `hmtx`), since a line has to be measured before it is drawn.

use std::sync::LazyLock;

/// Pretendard, whole: its licence is `assets/fonts/Pretendard-LICENSE.txt`.
pub(super) static BYTES: &[u8] = include_bytes!("../../../../../assets/fonts/Pretendard-Regular.otf");

/// What stands for a sign that the font does not have.
const MISSING: char = '□';

static METRICS: LazyLock<Metrics> = LazyLock::new(|| Metrics::read(BYTES).unwrap_or_default());
/// The glyph of each sign of the basic plane, 0 where there is none: every sign of a text is looked up several times.
static BASIC: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let glyph = |code| char::from_u32(code).and_then(|sign| METRICS.found(sign)).unwrap_or(0);
    (0..=u32::from(u16::MAX)).map(glyph).collect()
});

/// Signs from `first` to `last`; the first is the glyph `glyph`, and so on.
#[derive(Debug, Clone, Copy)]
struct Group {
    first: u32,
    last: u32,
    glyph: u32,
}

/// What is known of the glyphs.
#[derive(Debug, Default)]
struct Metrics {
    groups: Vec<Group>,
    /// The width of each glyph, in units.
    advances: Vec<u16>,
    /// How many units the size of the font has.
    units_per_em: u16,
}

impl Metrics {
    /// None where the bytes are no such font.
    fn read(font: &[u8]) -> Option<Metrics> {
        let head = table(font, b"head")?;
        let glyphs = u16_at(table(font, b"hhea")?, 34)?;
        let hmtx = table(font, b"hmtx")?;
        let advances = (0..usize::from(glyphs)).map(|glyph| u16_at(hmtx, glyph * 4)).collect::<Option<_>>()?;
        let cmap = table(font, b"cmap")?;
        let records = usize::from(u16_at(cmap, 2)?);
        let mut subtables = (0..records).filter_map(|record| cmap.get(u32_at(cmap, 4 + record * 8 + 4)? as usize..));
        let signs = subtables.find(|subtable| u16_at(subtable, 0) == Some(12))?;
        let group = |index: usize| {
            let at = 16 + index * 12;
            Some(Group { first: u32_at(signs, at)?, last: u32_at(signs, at + 4)?, glyph: u32_at(signs, at + 8)? })
        };
        let groups = (0..u32_at(signs, 12)? as usize).map(group).collect::<Option<_>>()?;
        Some(Metrics { groups, advances, units_per_em: u16_at(head, 18)? })
    }

    /// The glyph of a sign, sought among the groups.
    fn found(&self, sign: char) -> Option<u32> {
        let code = u32::from(sign);
        let found = self.groups.partition_point(|group| group.last < code);
        let group = self.groups.get(found).filter(|group| group.first <= code)?;
        Some(group.glyph + (code - group.first)).filter(|glyph| *glyph != 0)
    }
}

/// The glyph of a sign; 0 where the font does not have it.
fn number_of(sign: char) -> u32 {
    let basic = BASIC.get(u32::from(sign) as usize).copied();
    basic.or_else(|| METRICS.found(sign)).unwrap_or(0)
}

/// The glyph of a sign, and its width for a size of 1. A sign that the font does not have is glyph 0.
pub(super) fn glyph(sign: char) -> (u32, f32) {
    let glyph = number_of(sign);
    let advance = METRICS.advances.get(glyph as usize).copied().unwrap_or(0);
    (glyph, f32::from(advance) / f32::from(METRICS.units_per_em.max(1)))
}

/// How wide a line is in this size, in points.
pub(super) fn width(line: &str, size: f32) -> f32 {
    line.chars().map(|sign| glyph(sign).1).sum::<f32>() * size
}

/// `text` as it can be drawn: without signs that are not seen or turn the way of writing, and with □ for those that the
/// font does not have. New lines stay.
pub(super) fn drawable(text: &str) -> String {
    let shown = |sign: char| match sign {
        '\n' => Some('\n'),
        '\t' => Some(' '),
        sign if is_unseen(sign) => None,
        sign if number_of(sign) == 0 => Some(MISSING),
        sign => Some(sign),
    };
    text.chars().filter_map(shown).collect()
}

/// Controls, joiners, marks of direction, selectors of a variant, and what modifies the emoji before it.
fn is_unseen(sign: char) -> bool {
    sign.is_control()
        || matches!(sign,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0000}'..='\u{e0fff}')
}

/// The table of this name.
fn table<'f>(font: &'f [u8], name: &[u8; 4]) -> Option<&'f [u8]> {
    let tables = usize::from(u16_at(font, 4)?);
    let mut records = (0..tables).filter_map(|index| font.get(12 + index * 16..28 + index * 16));
    let record = records.find(|record| record.starts_with(name))?;
    let (from, length) = (u32_at(record, 8)? as usize, u32_at(record, 12)? as usize);
    font.get(from..from.checked_add(length)?)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_be_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_says_which_signs_it_has_and_how_wide_they_are() {
        // Read from the tables by Python's `struct`: glyph 1536 is 1770 of 2048 units wide, glyph 13802 is ₩.
        assert_eq!(glyph('가'), (1536, 1770.0 / 2048.0));
        assert_eq!(glyph('₩').0, 13802);
        assert_eq!((glyph('☑').0, glyph('漢').0, glyph('😀').0), (0, 0, 0));
        assert!((width("가가", 10.0) - 2.0 * 17700.0 / 2048.0).abs() < 0.001);
    }

    #[test]
    fn what_cannot_be_drawn_becomes_a_box_and_what_turns_the_text_goes() {
        assert_eq!(drawable("가\u{202e}나\u{200f}\u{0}\u{7}다\tx\r\ny"), "가나다 x\ny");
        assert_eq!(drawable("👩\u{200d}💻 漢字 שלום"), "□□ □□ □□□□");
        assert_eq!(drawable("①㈜₩·“”→쀍"), "①㈜₩·“”→쀍");
        assert!(Metrics::read(b"no font").is_none() && Metrics::read(&BYTES[..2_000]).is_none());
    }
}
