//! The best hits, how many there are in all, and how many of each kind and with each tag: found in one pass.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::LazyLock;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader};

use super::counts::{Counts, InSegment};
use super::fields::{DAY, DONE};

/// Gathers hits, and weighs each by how old it is and whether it is done.
pub(super) struct Best {
    /// How many of the best are wanted.
    pub most: usize,
    /// Counted from the year 1.
    pub today: u64,
}

/// What [`Best`] gathers.
pub(super) struct Gathered {
    /// The wanted ones, the best first.
    pub best: Vec<DocAddress>,
    /// How many there are in all.
    pub total: u64,
    /// How many of each kind, and with each tag.
    pub counts: Counts,
}

/// A hit and what it is worth; of two that are worth the same the one that stands first is the better.
#[derive(PartialEq)]
pub(super) struct Weighed {
    /// What it is worth.
    pub worth: Score,
    /// Where it stands.
    pub at: DocAddress,
}

/// [`Best`] in one segment.
pub(super) struct BestInSegment {
    number: SegmentOrdinal,
    today: u64,
    most: usize,
    /// The worst of them is on top.
    best: BinaryHeap<Reverse<Weighed>>,
    total: u64,
    counted: InSegment,
    days: Option<Column<u64>>,
    done: Option<Column<bool>>,
}

impl Collector for Best {
    type Fruit = Gathered;
    type Child = BestInSegment;

    fn for_segment(&self, number: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<BestInSegment> {
        let fast = segment.fast_fields();
        Ok(BestInSegment {
            number,
            today: self.today,
            most: self.most,
            best: BinaryHeap::new(),
            total: 0,
            counted: InSegment::of(segment)?,
            days: fast.column_opt(DAY)?,
            done: fast.column_opt(DONE)?,
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, segments: Vec<(Vec<Weighed>, u64, Counts)>) -> tantivy::Result<Gathered> {
        let (mut all, mut total, mut counts) = (Vec::new(), 0, Counts::default());
        for (best, hits, counted) in segments {
            all.extend(best);
            total += hits;
            counts.add(counted);
        }
        all.sort_unstable_by(|one, other| other.cmp(one));
        let best = all.into_iter().take(self.most).map(|hit| hit.at).collect();
        Ok(Gathered { best, total, counts })
    }
}

impl SegmentCollector for BestInSegment {
    type Fruit = (Vec<Weighed>, u64, Counts);

    fn collect(&mut self, document: DocId, score: Score) {
        self.total += 1;
        self.counted.count(document);
        let is_full = self.best.len() >= self.most;
        // No hit is worth more than its score, and those that follow stand behind: most need no look at their age.
        if is_full && self.best.peek().is_none_or(|Reverse(worst)| score <= worst.worth) {
            return;
        }
        let hit = Weighed { worth: score * self.share(document), at: DocAddress::new(self.number, document) };
        if !is_full {
            self.best.push(Reverse(hit));
        } else if let Some(mut worst) = self.best.peek_mut()
            && hit > worst.0
        {
            *worst = Reverse(hit);
        }
    }

    fn harvest(self) -> Self::Fruit {
        (self.best.into_iter().map(|Reverse(hit)| hit).collect(), self.total, self.counted.by_name())
    }
}

impl BestInSegment {
    /// The share of its score that a hit is worth, at most all of it.
    fn share(&self, document: DocId) -> Score {
        let day = self.days.as_ref().and_then(|days| days.first(document)).unwrap_or(0);
        let is_done = self.done.as_ref().and_then(|done| done.first(document)).unwrap_or(false);
        freshness(self.today, day) * if is_done { DONE_COUNTS } else { 1.0 }
    }
}

impl Eq for Weighed {}

impl Ord for Weighed {
    fn cmp(&self, other: &Weighed) -> Ordering {
        self.worth.total_cmp(&other.worth).then_with(|| other.at.cmp(&self.at))
    }
}

impl PartialOrd for Weighed {
    fn partial_cmp(&self, other: &Weighed) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is done counts less than what is not.
const DONE_COUNTS: f32 = 0.8;
/// What the oldest counts beside the newest.
const OLDEST_COUNTS: f32 = 0.6;
/// After how many days half of the difference is gone.
const HALF_AFTER_DAYS: f32 = 180.0;

/// For so many days it is told apart how old something is.
const DAYS_TOLD_APART: usize = 3_660;

/// What a document counts by its age in days.
static BY_AGE: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let of_age = |age| OLDEST_COUNTS + (1.0 - OLDEST_COUNTS) * (-(age as f32) / HALF_AFTER_DAYS).exp2();
    (0..DAYS_TOLD_APART).map(of_age).collect()
});

/// What a document of this day counts: 1 for today and the future, less the older it is. One without a day counts as old.
fn freshness(today: u64, day: u64) -> f32 {
    BY_AGE.get(today.saturating_sub(day) as usize).copied().unwrap_or(OLDEST_COUNTS)
}
