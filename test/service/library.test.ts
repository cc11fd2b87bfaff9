/** The package for other people's programs: packed, installed into an empty project, and README's example type-checked and run there. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const heading = '### Use the client and the simulator in your own tests';
let project: string;

/** @throws with all that it said */
function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout;
}
const compile = (...files: string[]): string => run(join(root, 'node_modules/.bin/tsc'), ['-p', '.', ...files], project);

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'tillbeacon-library-'));
  run(process.execPath, ['scripts/build-library.mjs'], root);
  run('npm', ['pack', '--pack-destination', project, join(root, 'out/library')], root);
  const [archive] = readdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  run('npm', ['install', '--no-audit', '--no-fund', `./${archive}`], project);
  const compilerOptions = {
    target: 'ES2024',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
}, 300_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('brings zod and nothing else', () => {
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed.sort()).toEqual(['tillbeacon', 'zod']);
});

test("README's example compiles, and passes as it stands there", { timeout: 120_000 }, () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const example = readme.split(heading)[1]?.match(/```ts\n([\s\S]*?)```/)?.[1] ?? '';
  expect(example).toContain('startSimulator');
  writeFileSync(join(project, 'example.ts'), example);
  compile();
  expect(run(process.execPath, ['example.ts'], project)).toMatch(/pass 1\b/);
});

test('its declarations refuse what the client does not know', { timeout: 120_000 }, () => {
  const mistake = "import { startSimulator } from 'tillbeacon/simulator';\nvoid startSimulator({ colour: 'blue' });\n";
  writeFileSync(join(project, 'mistake.ts'), mistake);
  expect(() => compile()).toThrow(/mistake\.ts\(2,\d+\): error TS2353.*colour/);
  rmSync(join(project, 'mistake.ts'));
});
