"""How the embedded PostgreSQL is tuned: a small footprint, nothing given up in durability."""

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "60",
    "shared_buffers": "128MB",
    "max_wal_size": "512MB",
    "max_worker_processes": "4",
    "autovacuum_max_workers": "2",
    "io_method": "sync",  # no extra processes
    "max_logical_replication_workers": "0",  # nor a launcher of them
    "dynamic_shared_memory_type": "mmap",  # leaves nothing outside the data directory
    "recovery_init_sync_method": "syncfs",  # one flush instead of one for each file
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    # A logged error would carry the statement or the failing row, and with it a memory's text.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
