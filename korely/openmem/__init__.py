"""The MemOS dialect: the same store as the API, in another envelope, below `/api/openmem/v1`."""
