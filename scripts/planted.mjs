// Plants one money bug at a time and lets the simulation find it:
// `npm run planted [-- --only NN] [--runs N] [--seed S] [--seconds N] [--first NN]`.
import './node-version.mjs';

await import('../test/simulation/planted/hunt.ts');
