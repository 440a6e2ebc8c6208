"""The attempts: a module for each way to get at what belongs to somebody else."""
