import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
// @ts-expect-error: a script, without types
import { suites } from '../../scripts/suites.mjs';

const folder = fileURLToPath(new URL('../../.github/workflows/', import.meta.url));
const workflows = readdirSync(folder).map((file) => ({ file, text: readFileSync(`${folder}${file}`, 'utf8') }));

/** The values of a matrix as these files write it: `suite: [a, b]`. */
const matrixOf = (text: string): string[] => [...text.matchAll(/^ +suite: \[(.+)\]$/gm)].flatMap(([, names = '']) => names.split(', '));

test('every change is tested, and every night everything at full length', () => {
  const runs = workflows.map(({ file, text }) => ({
    file,
    on: /^on:\n((?: .*\n)+)/m.exec(text)?.[1]?.match(/\w+(?=:)/g),
    run: /npm .*(?= -- \$\{\{ matrix\.suite \}\}$)/m.exec(text)?.[0],
  }));
  expect(runs).toEqual([
    { file: 'long.yml', on: ['schedule', 'cron', 'workflow_dispatch'], run: 'npm run test:long' },
    { file: 'test.yml', on: ['push', 'branches', 'pull_request'], run: 'npm test' },
  ]);
});

test.each(workflows)('$file runs every suite as a job of its own, and none that does not exist', ({ text }) => {
  const ofTheirOwn = ['electron', 'windows'].filter((name) => text.includes(`npm run test:${name}`));
  expect([...matrixOf(text), ...ofTheirOwn].toSorted()).toEqual(suites.toSorted());
});

test.each(workflows)(
  '$file builds the installers of three systems, installs each silently, and runs the suite for Electron with what is installed',
  ({ text }) => {
    const job = text.slice(text.indexOf('\n  electron:'));
    expect(job).toContain('os: [ubuntu-latest, windows-latest, macos-latest]');
    const steps = ['npm run test:electron -- --required\n', 'npm run package -- --publish never', 'npm run test:electron -- --required --program'];
    expect(steps.map((step) => job.indexOf(step)).toSorted((one, other) => one - other)).toEqual(steps.map((step) => job.indexOf(step)));
    expect(steps.filter((step) => !job.includes(step))).toEqual([]);
    // What is installed is what electron-builder makes, and where it puts it.
    const builder = readFileSync(fileURLToPath(new URL('../../electron-builder.yml', import.meta.url)), 'utf8');
    const [, name] = /^productName: (\S+)$/m.exec(builder) ?? [];
    const made = {
      Linux: ['deb', /target: \[.*\bdeb\b/, '/opt/NAME/tillbeacon-app'],
      Windows: ['exe', /target: nsis/, 'tillbeacon-app\\tillbeacon-app.exe'],
      macOS: ['dmg', /target: \[dmg/, '/Applications/NAME.app/Contents/MacOS/NAME'],
    } as const;
    for (const [system, [ending, target, installed]] of Object.entries(made)) {
      const [, step = ''] = new RegExp(`- name: install \\(${system}\\)\n([^]*?)(?=\n      - )`).exec(job) ?? [];
      expect(step, system).toContain(`runner.os == '${system}'`);
      expect(step, system).toContain(`*.${ending}`);
      expect(step, system).toContain('INSTALLED=');
      expect(step.replaceAll(name ?? '', 'NAME'), system).toContain(installed);
      expect(builder, system).toMatch(target);
    }
    expect(job).toContain("ArgumentList '/S'");
    expect(builder).toMatch(/perMachine: true/);
    expect(manifest.name).toBe('tillbeacon');
  },
);

test.each(workflows)(
  '$file calls scripts that exist, may only read, keeps no credentials, names each action with a major version, and has an end',
  ({ text }) => {
    const scripts = [...text.matchAll(/npm run ([\w:]+)|npm (test)\b/g)].map(([, named, other]) => named ?? other);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((name) => !Object.keys(manifest.scripts).includes(name ?? ''))).toEqual([]);
    expect(text.match(/^ *permissions:(?:\n +.*)*/gm)).toEqual(['permissions:\n  contents: read']);
    const count = (of: string): number => text.split(of).length - 1;
    expect([count('persist-credentials: false'), count('timeout-minutes: ')]).toEqual([count('actions/checkout@'), count('runs-on: ')]);
    for (const [, action = ''] of text.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/^actions\/[\w-]+@v\d+$/);
  },
);
