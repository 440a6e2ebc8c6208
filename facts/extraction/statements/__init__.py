"""What clauses state: one module per family of predicates, each a table from verb to reading."""
