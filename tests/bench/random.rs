//! Seeded random numbers: the same seed gives the same corpus and the same queries on every machine, for ever, which no
//! crate of random numbers promises across its versions.

/// SplitMix64 (Steele, Lea and Flood, 2014): good enough to make texts, and ten lines.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    /// The numbers that follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to and without `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True `percent` times of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number from 0 up to and without 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// Puts them in random order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, self.below(at + 1));
        }
    }
}

/// Draws ranks by Zipf's law: the word of rank r (from 0) is drawn in proportion to 1/(r + 1).
pub struct Zipf(Vec<f64>);

impl Zipf {
    /// Over so many ranks.
    pub fn new(ranks: usize) -> Zipf {
        let mut sum = 0.0;
        let summed = (1..=ranks).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Zipf(summed.collect())
    }

    /// A rank.
    pub fn draw(&self, random: &mut Random) -> usize {
        let at = random.unit() * self.0.last().copied().unwrap_or_default();
        self.0.partition_point(|sum| *sum <= at)
    }
}
