// Attacks the built product as a web page, another user, a device in the network and a lying
// service would: `npm run attack -- [AREA …]`.
import './node-version.mjs';

await import('../test/attack/cli.ts');
