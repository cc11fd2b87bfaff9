// The real thing killed, again and again: `npm run chaos -- [--rounds N] [--seed S]`.
import './node-version.mjs';
import { buildIfNeeded } from './build.mjs';

buildIfNeeded();
await import('../test/chaos/cli.ts');
