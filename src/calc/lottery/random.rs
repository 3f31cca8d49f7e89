//! The two sources of chance in this room, both pure functions of a seed, so that a seed means the
//! same for ever and on every machine.
//!
//! - [`SplitMix64`]: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (OOPSLA
//!   2014), with the constants of Vigna's public-domain reference code.
//! - [`Shuffle`]: every whole number below a bound in a seeded order, without keeping a list: a
//!   Feistel network on the next power of two, walked until it falls below the bound (Black and
//!   Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002). Different places give different
//!   numbers, so candidates drawn through it are distinct by construction.
//!
//! Not for secrets.

use super::numbers::{HIGHEST, Numbers, bit};

/// The largest seed: 2^53 − 1, so that a seed survives JSON numbers in a browser.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;

/// A generator of 64-bit numbers.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator whose whole sequence follows from `seed`.
    pub fn new(seed: u64) -> Self {
        SplitMix64 { state: seed }
    }

    /// A generator for one purpose among several that share a seed, told apart by `stream`.
    pub fn stream(seed: u64, stream: u64) -> Self {
        SplitMix64 { state: mix(seed ^ mix(stream.wrapping_add(GOLDEN_GAMMA))) }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        mix(self.state)
    }

    /// A whole number below `bound`, 0 when the bound is 0. The bias is below bound / 2^64
    /// (multiply and shift, Lemire 2019, without its rejection step).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Six different numbers, every combination equally likely.
    pub fn numbers(&mut self) -> Numbers {
        let mut mask = 0u64;
        loop {
            mask |= bit(1 + self.below(u64::from(HIGHEST)) as u8);
            if let Some(numbers) = Numbers::from_mask(mask) {
                return numbers;
            }
        }
    }

    /// Takes `count` different entries out of `from`, each equally likely.
    pub fn choose<T: Copy>(&mut self, from: &[T], count: usize) -> Vec<T> {
        let mut rest = from.to_vec();
        for place in 0..count.min(rest.len()) {
            let other = place + self.below((rest.len() - place) as u64) as usize;
            rest.swap(place, other);
        }
        rest.truncate(count);
        rest
    }
}

/// Every whole number below a bound, in a seeded order.
#[derive(Debug, Clone)]
pub struct Shuffle {
    bound: u64,
    low_bits: u32,
    high_bits: u32,
    keys: [u64; ROUNDS],
}

const ROUNDS: usize = 6;

impl Shuffle {
    /// The order of the numbers below `bound` that belongs to `seed`.
    pub fn new(seed: u64, bound: u64) -> Self {
        let bits = (u64::BITS - bound.saturating_sub(1).leading_zeros()).max(2);
        let mut generator = SplitMix64::stream(seed, 1);
        Shuffle {
            bound,
            low_bits: bits / 2,
            high_bits: bits - bits / 2,
            keys: std::array::from_fn(|_| generator.next_u64()),
        }
    }

    /// The number at `place`; `place` must be below the bound.
    pub fn at(&self, place: u64) -> u64 {
        let mut number = self.permute(place);
        while number >= self.bound {
            number = self.permute(number);
        }
        number
    }

    /// The place at which `number` stands; `number` must be below the bound.
    pub fn place(&self, number: u64) -> u64 {
        let mut place = self.permute_back(number);
        while place >= self.bound {
            place = self.permute_back(place);
        }
        place
    }

    fn permute_back(&self, number: u64) -> u64 {
        let (low_mask, high_mask) = self.masks();
        let mut low = number & low_mask;
        let mut high = number >> self.low_bits;
        for pair in self.keys.chunks_exact(2).rev() {
            high ^= mix(low ^ pair[1]) & high_mask;
            low ^= mix(high ^ pair[0]) & low_mask;
        }
        high << self.low_bits | low
    }

    fn masks(&self) -> (u64, u64) {
        ((1 << self.low_bits) - 1, (1 << self.high_bits) - 1)
    }

    fn permute(&self, number: u64) -> u64 {
        let (low_mask, high_mask) = self.masks();
        let mut low = number & low_mask;
        let mut high = number >> self.low_bits;
        for pair in self.keys.chunks_exact(2) {
            low ^= mix(high ^ pair[0]) & low_mask;
            high ^= mix(low ^ pair[1]) & high_mask;
        }
        high << self.low_bits | low
    }
}

/// The odd increment of SplitMix64: 2^64 divided by the golden ratio.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of SplitMix64 (Stafford's variant 13 of the MurmurHash3 finalizer).
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_generator_gives_the_published_sequence() {
        // Vigna's splitmix64.c for the seed 1234567.
        let mut generator = SplitMix64::new(1_234_567);
        let first: Vec<u64> = (0..5).map(|_| generator.next_u64()).collect();
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(first, published);
    }

    #[test]
    fn every_number_is_equally_likely_in_random_sets() {
        let mut generator = SplitMix64::new(7);
        let mut counts = [0u32; 46];
        (0..45_000).for_each(|_| generator.numbers().iter().for_each(|number| counts[usize::from(number)] += 1));
        let chi_square: f64 = counts[1..].iter().map(|&count| (f64::from(count) - 6000.0).powi(2) / 6000.0).sum();
        assert!(chi_square < 80.0, "{chi_square}");
    }

    proptest! {
        #[test]
        fn a_shuffle_has_every_number_once(seed in any::<u64>(), bound in 1u64..3000) {
            let shuffle = Shuffle::new(seed, bound);
            prop_assert!((0..bound).all(|place| shuffle.place(shuffle.at(place)) == place));
            let mut seen: Vec<u64> = (0..bound).map(|place| shuffle.at(place)).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..bound).collect::<Vec<_>>());
        }
    }
}
