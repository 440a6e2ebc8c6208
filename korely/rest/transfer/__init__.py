"""`/v1/export` and `/v1/import`: a project as lines of JSON (contract, section 19)."""

FORMAT, VERSION = "korely-export", 1
