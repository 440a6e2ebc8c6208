"""A small English grammar: subjects, verb groups, clauses and object spans, without a model."""
