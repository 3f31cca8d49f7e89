//! A few of the best combinations that differ from each other.
//!
//! The best of a search are alike: they share their best numbers. Whoever plays several sets wants
//! them spread, which changes no chance but keeps all sets from losing together.

use super::history::SLOTS;
use super::search::Scored;

/// Picks `count` of `sets` (best first) so that they differ. Going from the best down, a set is taken
/// when it shares at most three numbers with every set that was taken before, and none of its numbers
/// is already in a third of the picks. When too few are found, the same is done with half of the picks,
/// then without that bound, then with four shared numbers and then with five. The picks keep the order of
/// `sets`.
pub fn diverse(sets: &[Scored], count: usize) -> Vec<Scored> {
    let mut taken = vec![false; sets.len()];
    let mut picks: Vec<usize> = Vec::with_capacity(count);
    let mut uses = [0usize; SLOTS];
    for (most_shared, most_uses) in [(3, count.div_ceil(3)), (3, count.div_ceil(2)), (3, count), (4, count), (5, count)]
    {
        for (place, set) in sets.iter().enumerate() {
            if picks.len() == count {
                break;
            }
            let differs = picks.iter().all(|&pick| sets[pick].numbers.shared(&set.numbers) <= most_shared);
            let fresh = set.numbers.iter().all(|number| uses[usize::from(number)] < most_uses);
            if !taken[place] && differs && fresh {
                taken[place] = true;
                picks.push(place);
                set.numbers.iter().for_each(|number| uses[usize::from(number)] += 1);
            }
        }
    }
    picks.sort_unstable();
    picks.into_iter().map(|place| sets[place]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::numbers::Numbers;
    use super::super::random::SplitMix64;
    use super::*;

    fn scored(numbers: [u8; 6], points: i32) -> Scored {
        Scored { numbers: Numbers::new(numbers).unwrap(), points }
    }

    #[test]
    fn a_set_that_is_too_alike_waits_until_no_other_is_left() {
        let best = scored([1, 2, 3, 4, 5, 6], 30);
        let alike = scored([1, 2, 3, 4, 5, 7], 20);
        let other = scored([1, 2, 3, 40, 41, 42], 10);
        assert_eq!(diverse(&[best, alike, other], 2), [best, other]);
        assert_eq!(diverse(&[best, alike, other], 3), [best, alike, other]);
        assert_eq!(diverse(&[best], 5), [best]);
        assert_eq!(diverse(&[], 5), []);
    }

    #[test]
    fn no_number_is_in_more_than_a_third_of_the_picks_while_others_are_left() {
        let mut generator = SplitMix64::new(4);
        let mut sets: Vec<Scored> = Vec::new();
        for place in 0..4_000 {
            let with_27 = |set: &Scored| place >= 2_000 || set.numbers.contains(27);
            sets.extend(Some(Scored { numbers: generator.numbers(), points: -place }).filter(with_27));
        }
        let picks = diverse(&sets, 20);
        assert_eq!(picks.iter().filter(|pick| pick.numbers.contains(27)).count(), 7);
        assert_eq!(picks[0], sets[0], "the best stays");
    }

    proptest! {
        #[test]
        fn picks_are_as_many_as_can_be_and_keep_their_order(seed in any::<u64>(), count in 1usize..30) {
            let mut generator = SplitMix64::new(seed);
            let mut sets: Vec<Scored> =
                (0..60).map(|place| Scored { numbers: generator.numbers(), points: 60 - place }).collect();
            sets.dedup_by_key(|set| set.numbers);
            let picks = diverse(&sets, count);
            prop_assert_eq!(picks.len(), count);
            prop_assert!(picks.is_sorted_by_key(|pick| -pick.points));
        }
    }
}
