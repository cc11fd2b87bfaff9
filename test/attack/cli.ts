/** `npm run attack` */
import { command, readCommand } from '../../main/support/command-line.ts';
import buildFirst from '../build-first.ts';
// @ts-expect-error: plain JavaScript
import { ensureSystemTools } from '../../scripts/system-tools.mjs';
import { attackAreas } from './areas.ts';

const { operands: wanted } = readCommand(
  command({
    call: 'npm run attack --',
    does: [
      'Attacks the built product as a web page, another user, a device in the network and a lying service would.',
      `Areas: ${attackAreas.map(({ area }) => area).join(', ')}. Ends with 1 if an attack succeeds.`,
    ].join(' '),
    operands: '[AREA …]',
    options: {},
  }),
);
const unknown = wanted.filter((name) => !attackAreas.some(({ area }) => area === name));
if (unknown.length > 0) {
  process.stderr.write(
    `unknown area: ${unknown.join(', ')}; there are ${attackAreas.map(({ area }) => area).join(', ')}\n`,
  );
  process.exit(2);
}

ensureSystemTools();
buildFirst();
let held = 0;
let failed = 0;
for (const area of attackAreas) {
  if (wanted.length > 0 && !wanted.includes(area.area)) continue;
  await area.run(({ name, held: isHeld, seen }) => {
    if (isHeld) held += 1;
    else failed += 1;
    process.stdout.write(
      `${isHeld ? 'held' : 'FAIL'}  ${area.area}: ${name}: ${seen.replaceAll(/\s+/g, ' ').slice(0, 300)}\n`,
    );
  });
}
process.stdout.write(`${held} attacks held off, ${failed} succeeded\n`);
process.exitCode = failed > 0 ? 1 : 0;
