/**
 * Imported by every entry before anything else, so that all files are created for this user alone.
 * Windows has no umask.
 */
process.umask(0o077);
