// Whole shops on simulated time, from the sources: `npm run prove -- [--runs N] [--seed S] [--jobs N] [--pairs] [--story]`.
import './node-version.mjs';

await import('../test/simulation/prove.ts');
