//! Keys whose order is that of up to three numbers.

/// A key that is made of numbers, which put it in order.
pub trait Ordinal: Copy + Ord + std::fmt::Debug {
    /// The numbers, filled up with 0.
    fn numbers(self) -> [u64; 3];
    /// The key of these numbers.
    fn of(numbers: [u64; 3]) -> Self;
}

impl Ordinal for u64 {
    fn numbers(self) -> [u64; 3] {
        [self, 0, 0]
    }

    fn of([number, ..]: [u64; 3]) -> Self {
        number
    }
}

impl Ordinal for (u64, u64) {
    fn numbers(self) -> [u64; 3] {
        [self.0, self.1, 0]
    }

    fn of([first, second, _]: [u64; 3]) -> Self {
        (first, second)
    }
}

impl Ordinal for (u64, u64, u64) {
    fn numbers(self) -> [u64; 3] {
        [self.0, self.1, self.2]
    }

    fn of([first, second, third]: [u64; 3]) -> Self {
        (first, second, third)
    }
}
