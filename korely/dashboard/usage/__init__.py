"""Usage: the month and its days, rate limits, the plan."""
