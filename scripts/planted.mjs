// Whether the simulation finds the mistakes that are planted for it: `npm run planted [-- --only NN] [--runs N] [--seed S]`.
import './node-version.mjs';

await import('../test/simulation/planted/hunt.ts');
