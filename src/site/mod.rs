//! Floor 3, the customers' rooms: one folder for each domain of Part B. The door stands and answers for
//! its health; its domains come in their own time.
