/** Imported by every entry, before anything else: what this process creates is for its user alone. Windows has no such thing. */
process.umask(0o077);
