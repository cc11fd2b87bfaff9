// Whole shops on simulated time, from the sources:
// `npm run prove -- [--runs N] [--service NAME] [--seed S] [--jobs N] [--pairs] [--story]`.
import './node-version.mjs';

await import('../test/simulation/prove.ts');
