// For tests that write much and do not test the disk: their temporary folders are in memory where
// the system has room there.
const memory = process.env['TILLBEACON_TEST_MEMORY'];
if (memory !== undefined) for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = memory;
