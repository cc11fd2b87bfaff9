// Attacks the built product as a web page, another user, a device in the network and a lying service would: `npm run attack -- [AREA …]`.
import './node-version.mjs';
import { buildIfNeeded } from './build.mjs';
import { ensureSystemTools } from './system-tools.mjs';

ensureSystemTools();
buildIfNeeded();
await import('../test/attack/cli.ts');
