import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
// @ts-expect-error: a script, without types
import { suites } from '../../scripts/suites.mjs';

const folder = fileURLToPath(new URL('../../.github/workflows/', import.meta.url));
const workflows = readdirSync(folder).map((file) => ({
  file,
  text: readFileSync(`${folder}${file}`, 'utf8'),
}));

const textOf = (file: string): string => workflows.find((one) => one.file === file)?.text ?? '';
const text = textOf('suites.yml');

/** The values of a matrix as this file writes it: `suite: [a, b]`. */
const matrix = [...text.matchAll(/^ +suite: \[(.+)\]$/gm)].flatMap(([, names = '']) =>
  names.split(', '),
);

test('every change is tested, and every night everything at full length', () => {
  const runs = ['long.yml', 'test.yml'].map((file) => {
    const { on, jobs } = parse(textOf(file)) as { on: object; jobs: { suites: object } };
    return { on: Object.keys(on), ...jobs.suites };
  });
  const uses = './.github/workflows/suites.yml';
  expect(runs).toEqual([
    {
      on: ['schedule', 'workflow_dispatch'],
      uses,
      with: { long: true, minutes: 180, 'electron-minutes': 180 },
    },
    {
      on: ['push', 'pull_request'],
      uses,
      with: { long: false, minutes: 30, 'electron-minutes': 60 },
    },
  ]);
  expect(text).toContain(
    "npm run ${{ inputs.long && 'test:long' || 'test' }} -- ${{ matrix.suite }}\n",
  );
  expect(text).toContain(
    "npm run test:windows -- ${{ inputs.long && '--long ' || '' }}--required\n",
  );
});

test('every suite is a job of its own on three systems, and none that does not exist', () => {
  const ofTheirOwn = ['electron', 'windows'].filter((name) =>
    text.includes(`npm run test:${name}`),
  );
  expect([...matrix, ...ofTheirOwn].toSorted()).toEqual(suites.toSorted());
  expect(text.match(/ os: \[ubuntu-latest, windows-latest, macos-latest\]/g)).toHaveLength(2);
});

test('the daemon’s packages are made at full compression, and installed as root; nothing is left out for want of a tool', () => {
  const job = text.slice(text.indexOf('\n  packages:'), text.indexOf('\n  electron:'));
  expect(job).toMatch(/apt-get install .*rpm nsis\n/);
  expect(job).toMatch(/npm run package:daemon\n/);
  const [, files = ''] =
    /sudo env .*TILLBEACON_BOOT_REQUIRED=1 npx vitest run --project counter (.+)\n/.exec(job) ?? [];
  const booting = readdirSync(fileURLToPath(new URL('../counter/', import.meta.url))).filter(
    (file) =>
      readFileSync(fileURLToPath(new URL(`../counter/${file}`, import.meta.url)), 'utf8').includes(
        'BootedDebian.open()',
      ),
  );
  expect(files.split(' ').map((name) => `${name}.test.ts`)).toEqual(booting);
  const inWine = text.slice(text.indexOf('\n  windows-in-wine:'), text.indexOf('\n  packages:'));
  expect(inWine).toMatch(/apt-get install .*\bnsis\b/);
});

test('installers of three systems are built, installed silently, and the suite for Electron runs with what is installed', () => {
  const job = text.slice(text.indexOf('\n  electron:'));
  expect(job).toContain('os: [ubuntu-latest, windows-latest, macos-latest]');
  const steps = [
    'npm run test:electron -- --required\n',
    'npm run package -- --publish never',
    'npm run test:electron -- --required --program',
  ];
  expect(steps.map((step) => job.indexOf(step)).toSorted((one, other) => one - other)).toEqual(
    steps.map((step) => job.indexOf(step)),
  );
  expect(steps.filter((step) => !job.includes(step))).toEqual([]);
  // The workflow installs the file that electron-builder makes.
  const builder = readFileSync(
    fileURLToPath(new URL('../../electron-builder.yml', import.meta.url)),
    'utf8',
  );
  const [, name] = /^productName: (\S+)$/m.exec(builder) ?? [];
  const made = {
    Linux: ['deb', /target: \[.*\bdeb\b/, '/opt/NAME/tillbeacon-app'],
    Windows: ['exe', /target: nsis/, 'tillbeacon-app\\tillbeacon-app.exe'],
    macOS: ['dmg', /target: \[dmg/, '/Applications/NAME.app/Contents/MacOS/NAME'],
  } as const;
  for (const [system, [ending, target, installed]] of Object.entries(made)) {
    const [, step = ''] =
      new RegExp(`- name: install \\(${system}\\)\n([^]*?)(?=\n      - )`).exec(job) ?? [];
    expect(step, system).toContain(`runner.os == '${system}'`);
    expect(step, system).toContain(`*.${ending}`);
    expect(step, system).toContain('INSTALLED=');
    expect(step.replaceAll(name ?? '', 'NAME'), system).toContain(installed);
    expect(builder, system).toMatch(target);
  }
  expect(job).toContain("ArgumentList '/S'");
  expect(builder).toMatch(/perMachine: true/);
  expect(manifest.name).toBe('tillbeacon');
});

test.each(workflows)(
  '$file calls scripts that exist, may only read, keeps no credentials, names each action with a major version, and has an end',
  ({ text: own }) => {
    const scripts = [...own.matchAll(/npm run ([\w:]+)|npm (test)\b/g)].map(
      ([, named, other]) => named ?? other,
    );
    expect(scripts.filter((name) => !Object.keys(manifest.scripts).includes(name ?? ''))).toEqual(
      [],
    );
    expect(own.match(/^ *permissions:(?:\n +.*)*/gm)).toEqual(['permissions:\n  contents: read']);
    const count = (of: string): number => own.split(of).length - 1;
    expect([count('persist-credentials: false'), count('timeout-minutes: ')]).toEqual([
      count('actions/checkout@'),
      count('runs-on: '),
    ]);
    for (const [, action = ''] of own.matchAll(/uses: (\S+)/g))
      expect(action).toMatch(/^(actions\/[\w-]+@v\d+|\.\/\.github\/workflows\/suites\.yml)$/);
  },
);
