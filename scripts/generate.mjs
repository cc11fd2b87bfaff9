// Makes everything in the repository that is made from something else in it: `npm run generate`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './build.mjs';
import { readCommand } from './command.mjs';

const generators = [
  'locales',
  'settings-schema',
  'wallet-reference',
  'metrics-page',
  'zvt-page',
  'glossary',
  'settlement-diagram',
  'areas-picture',
];

readCommand({
  call: 'npm run generate --',
  does: 'Generates the text modules, the settings schema, references, tables and pictures. Icons have their own command: node scripts/icons.mjs.',
  options: {},
});
for (const name of generators) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', `${name}.mjs`)], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
