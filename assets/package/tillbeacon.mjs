// The command `tillbeacon` of a package: `tillbeacon COMMAND …` is what `npm run COMMAND -- …` is
// in a checkout.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const commands = [
  'daemon',
  'launcher',
  'service',
  'backup',
  'journal',
  'managers',
  'till',
  'wire',
  'callbacks',
  'certify',
  'simulator',
];
const here = import.meta.dirname;
const [name, ...rest] = process.argv.slice(2);

if (name === '--version') {
  process.stdout.write(`${JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).version}\n`);
} else if (!commands.includes(name)) {
  const isHelp = name === '--help' || name === '-h';
  (isHelp ? process.stdout : process.stderr).write(
    `${isHelp ? '' : `${name === undefined ? 'a command is missing' : `there is no command ${name}`}\n`}usage: tillbeacon COMMAND …\ncommands: ${commands.join(', ')}\nWith --help each explains itself.\n`,
  );
  process.exitCode = isHelp ? 0 : 2;
} else {
  const file = join(here, 'out', 'main', `${name}.js`);
  if (!existsSync(file)) throw new Error(`${file} is missing: install Tillbeacon again`);
  process.env.TILLBEACON_COMMAND = 'tillbeacon';
  process.argv = [process.argv[0], file, ...rest];
  await import(pathToFileURL(file).href);
}
