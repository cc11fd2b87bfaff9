// Not one øre lost: `npm run prove -- --runs N --seed S [--story]`, straight from the sources.
import './node-version.mjs';

await import('../test/simulation/prove.ts');
