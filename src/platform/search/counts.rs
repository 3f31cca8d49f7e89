//! How many hits there are of each kind and with each tag, counted in the pass that finds them.

use std::collections::BTreeMap;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::StrColumn;
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use super::fields::{KIND, TAGS};

/// Hits by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// With each tag.
    pub tags: BTreeMap<String, u64>,
}

/// Counts hits by the name of their kind and of each of their tags.
pub(super) struct Named;

/// [`Named`] in one segment: by the number that the segment has given to each name.
pub(super) struct InSegment {
    kinds: Tallied,
    tags: Tallied,
}

struct Tallied {
    names: Option<StrColumn>,
    counts: Vec<u64>,
}

impl Tallied {
    fn of(segment: &SegmentReader, field: &str) -> tantivy::Result<Tallied> {
        let names = segment.fast_fields().str(field)?.filter(|names| names.num_terms() > 0);
        let counts = vec![0; names.as_ref().map_or(0, |names| names.num_terms())];
        Ok(Tallied { names, counts })
    }

    fn count(&mut self, document: DocId) {
        let Some(names) = &self.names else { return };
        for name in names.term_ords(document) {
            if let Some(count) = self.counts.get_mut(name as usize) {
                *count += 1;
            }
        }
    }

    fn by_name(self) -> BTreeMap<String, u64> {
        let Some(names) = self.names else { return BTreeMap::new() };
        let counted = self.counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
        let named = counted.filter_map(|(number, count)| {
            let mut name = String::new();
            names.ord_to_str(number as u64, &mut name).ok()?.then_some((name, count))
        });
        named.collect()
    }
}

impl Collector for Named {
    type Fruit = Counts;
    type Child = InSegment;

    fn for_segment(&self, _number: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<InSegment> {
        Ok(InSegment { kinds: Tallied::of(segment, KIND)?, tags: Tallied::of(segment, TAGS)? })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, counted: Vec<Counts>) -> tantivy::Result<Counts> {
        let mut all = Counts::default();
        for Counts { kinds, tags } in counted {
            for (sum, counts) in [(&mut all.kinds, kinds), (&mut all.tags, tags)] {
                counts.into_iter().for_each(|(name, count)| *sum.entry(name).or_default() += count);
            }
        }
        Ok(all)
    }
}

impl SegmentCollector for InSegment {
    type Fruit = Counts;

    fn collect(&mut self, document: DocId, _score: Score) {
        self.kinds.count(document);
        self.tags.count(document);
    }

    fn harvest(self) -> Counts {
        Counts { kinds: self.kinds.by_name(), tags: self.tags.by_name() }
    }
}
