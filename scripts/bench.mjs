// Measures times, sizes and loads: `npm run bench`, as a table; `npm run bench -- --json` as JSON.
import './node-version.mjs';

await import('../test/bench/bench.ts');
