//! The best so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use super::super::numbers::Numbers;

/// A combination and its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scored {
    /// The combination.
    pub numbers: Numbers,
    /// Its points; 10,000 are one unit of score.
    pub points: i32,
}

/// The best combinations of what was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Top {
    /// How many different combinations were looked at.
    pub candidates: u64,
    /// The best of them, best first; equal points by the numbers, the smaller first.
    pub best: Vec<Scored>,
}

impl Top {
    /// The best `top_k` of several answers.
    pub(super) fn merge(top_k: usize, parts: Vec<Top>) -> Top {
        let candidates = parts.iter().map(|part| part.candidates).sum();
        let mut best: Vec<Scored> = parts.into_iter().flat_map(|part| part.best).collect();
        best.sort_unstable_by_key(|scored| (Reverse(scored.points), scored.numbers));
        best.truncate(top_k);
        Top { candidates, best }
    }
}

/// Points below which nothing real can lie, and above which no excluded number can get.
pub(super) const FLOOR: i32 = -(1 << 29);
/// The points of a number that must not be used: with any sum of the others still below [`FLOOR`].
pub(super) const NEVER: i32 = -(1 << 30);

/// Keeps the best few of many combinations.
pub(super) struct Best {
    top_k: usize,
    // The worst one on top. A smaller set has a larger mirrored mask, so the pair orders as answers do.
    heap: BinaryHeap<Reverse<(i32, u64)>>,
    threshold: i32,
}

impl Best {
    pub(super) fn new(top_k: usize) -> Self {
        Best { top_k, heap: BinaryHeap::with_capacity(top_k + 1), threshold: FLOOR }
    }

    /// What has fewer points than this cannot enter.
    pub(super) fn threshold(&self) -> i32 {
        self.threshold
    }

    pub(super) fn offer(&mut self, points: i32, mask: u64) {
        self.heap.push(Reverse((points, mask.reverse_bits())));
        if self.heap.len() > self.top_k {
            self.heap.pop();
        }
        if self.heap.len() == self.top_k {
            self.threshold = self.heap.peek().map_or(FLOOR, |Reverse((points, _))| *points);
        }
    }

    pub(super) fn into_top(self, candidates: u64) -> Top {
        let scored = |Reverse((points, mirrored)): Reverse<(i32, u64)>| {
            Some(Scored { numbers: Numbers::from_mask(mirrored.reverse_bits())?, points })
        };
        // The reversed order of the heap is: worst last.
        Top { candidates, best: self.heap.into_sorted_vec().into_iter().filter_map(scored).collect() }
    }
}
