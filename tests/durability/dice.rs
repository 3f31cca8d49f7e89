//! Chance that can be repeated: SplitMix64 (Steele, Lea, Flood 2014), seeded by a number that a failure names.

/// A seeded source of chance.
#[derive(Clone, Debug)]
pub struct Dice(u64);

/// The seed of the short form.
const SHORT_FORM_SEED: u64 = 20_261_010;

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// A seed of this run: `HANOK_SEED`, or else another one each time in the long form and always the same
    /// in the short one, so that a red gate means a changed house. A failure prints it.
    pub fn of_this_run() -> (u64, Dice) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let asked = std::env::var("HANOK_SEED").ok().and_then(|word| word.parse().ok());
        let seed = asked.unwrap_or(if crate::is_long() { now.as_nanos() as u64 } else { SHORT_FORM_SEED });
        (seed, Dice::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `0..below`.
    pub fn below(&mut self, below: usize) -> usize {
        (self.next() % below as u64) as usize
    }

    /// One of `from..to`.
    pub fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.next() % (to - from)
    }

    pub fn chance(&mut self, of_a_hundred: u64) -> bool {
        self.next() % 100 < of_a_hundred
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    /// Six different numbers of 1 to 45, ascending.
    pub fn lottery_numbers(&mut self) -> Vec<u64> {
        let mut all: Vec<u64> = (1..=45).collect();
        self.shuffle(&mut all);
        all.truncate(6);
        all.sort_unstable();
        all
    }
}
