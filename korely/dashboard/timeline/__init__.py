"""Facts of end users: what is true, what was, what is to come, on both clocks; one fact; acts."""
