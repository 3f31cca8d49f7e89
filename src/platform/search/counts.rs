//! How many hits there are of each kind and with each tag.

use std::collections::BTreeMap;

use tantivy::columnar::StrColumn;
use tantivy::{DocAddress, DocId, Searcher, SegmentReader};

use super::fields::{KIND, TAGS};

/// Hits by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// With each tag.
    pub tags: BTreeMap<String, u64>,
}

/// Counts in one segment, by the number that the segment has given to each name.
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

impl InSegment {
    /// Nothing is counted yet of what is in `segment`.
    pub fn of(segment: &SegmentReader) -> tantivy::Result<InSegment> {
        Ok(InSegment { kinds: Tallied::of(segment, KIND)?, tags: Tallied::of(segment, TAGS)? })
    }

    /// Counts a hit.
    pub fn count(&mut self, document: DocId) {
        self.kinds.count(document);
        self.tags.count(document);
    }

    /// What was counted.
    pub fn by_name(self) -> Counts {
        Counts { kinds: self.kinds.by_name(), tags: self.tags.by_name() }
    }
}

impl Counts {
    /// Those of `documents`.
    pub fn of(searcher: &Searcher, documents: &[DocAddress]) -> tantivy::Result<Counts> {
        let mut counts = Counts::default();
        for (number, segment) in (0..).zip(searcher.segment_readers()) {
            let mut counted = InSegment::of(segment)?;
            let here = documents.iter().filter(|address| address.segment_ord == number);
            here.for_each(|address| counted.count(address.doc_id));
            counts.add(counted.by_name());
        }
        Ok(counts)
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: Counts) {
        for (sum, counts) in [(&mut self.kinds, other.kinds), (&mut self.tags, other.tags)] {
            counts.into_iter().for_each(|(name, count)| *sum.entry(name).or_default() += count);
        }
    }
}
