"""The audit log: who did what, filtered, an event at a time, and as a file."""
