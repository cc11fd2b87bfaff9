// Kills the built product and the simulated service at random moments and compares the books:
// `npm run chaos -- [--rounds N] [--seed S]`.
import './node-version.mjs';

await import('../test/chaos/cli.ts');
