//! Jobs in a world of their own: a store in memory and a clock in the hand.
