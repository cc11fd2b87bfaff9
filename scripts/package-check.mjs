// Packs everything but Electron's binary and checks what the package contains:
// `npm run package:check`.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractFile, listPackage, statFile } from '@electron/asar';
import { buildIfNeeded, root } from './build.mjs';
import { programAtStart, screenBytes } from './bundle-sizes.mjs';
import { readCommand } from './command.mjs';
import { readFuses, releasedFuses, wantedFuses } from './fuses.mjs';
import { packageApp } from './package-app.mjs';

readCommand({
  call: 'npm run package:check --',
  does: "Packs the app without Electron's binary, and checks the content.",
  options: {},
});

const maxOwnBytes = 25 * 1024 * 1024;
/**
 * Limits for compressed sizes. For a screen: what a window loads before it shows something, and
 * what each part adds later.
 */
const maxBytes = { program: 1_000_000, screen: 65_000 };
/** What a program's start reads: `byThemselves` in electron.vite.config.ts says why. */
const maxFilesAtStart = 30;
const programs = ['daemon', 'desktop'];
const screens = ['cashier', 'customer', 'manager', 'setup', 'demo'];
const required = [
  'package.json',
  'LICENSE',
  'out/main/desktop.js',
  'node_modules/electron-updater/out/main.js',
  'node_modules/builder-util-runtime/out/index.js',
  'out/preload/preload.cjs',
  'out/renderer/cashier/index.html',
  'out/renderer/customer/index.html',
];
/** Files beside the archive: licences of what is loaded, of what is built in, and of Electron. */
const requiredBeside = [
  'licenses/serialport.txt',
  'licenses/electron-updater.txt',
  'licenses/zod.txt',
  'licenses/electron.txt',
  'sbom.cdx.json',
];
const forbidden = [
  /^node_modules\/node-(linux|win|darwin)-/,
  /^(main|preload|renderer|test|scripts)\//,
  /\.map$/,
  /^data\//,
  /^node_modules\/(vitest|playwright|vite|typescript|electron)\//,
];

buildIfNeeded();
const work = mkdtempSync(join(tmpdir(), 'tillbeacon-package-'));
try {
  checkSizes();
  const released = join(root, 'node_modules', 'electron', 'dist');
  const isReal = existsSync(join(released, 'electron'));
  const electronDist = isReal ? released : join(work, 'electron');
  if (!isReal) {
    // A file with nothing but its fuses in the binary's place: electron-builder then packs the rest
    // for real.
    mkdirSync(electronDist);
    writeFileSync(join(electronDist, 'electron'), releasedFuses());
    chmodSync(join(electronDist, 'electron'), 0o755);
  }
  const output = join(work, 'dist');
  const args = [
    '--dir',
    '--linux',
    '--publish',
    'never',
    `-c.electronDist=${electronDist}`,
    `-c.directories.output=${output}`,
  ];
  const packed = packageApp(args, { encoding: 'utf8' });
  if (packed.status !== 0) fail(`electron-builder failed:\n${packed.stdout}${packed.stderr}`);
  const resources = join(output, 'linux-unpacked', 'resources');
  const asar = join(resources, 'app.asar');
  if (!existsSync(asar)) fail('electron-builder made no app.asar');

  const files = listPackage(asar, { isPack: false }).map((path) =>
    path.replace(/^[\\/]/, '').replaceAll('\\', '/'),
  );
  const missing = required.filter((path) => !files.includes(path));
  if (missing.length > 0) fail(`missing: ${missing.join(', ')}`);
  const missingBeside = requiredBeside.filter((path) => !existsSync(join(resources, path)));
  if (missingBeside.length > 0) fail(`missing beside the archive: ${missingBeside.join(', ')}`);
  const { components } = JSON.parse(readFileSync(join(resources, 'sbom.cdx.json'), 'utf8'));
  const unlisted = ['electron', 'electron-updater', 'serialport', 'zod'].filter(
    (name) => !components.some((one) => one.name === name),
  );
  if (unlisted.length > 0) fail(`not in sbom.cdx.json: ${unlisted.join(', ')}`);
  const unwanted = files.filter((path) => forbidden.some((pattern) => pattern.test(path)));
  if (unwanted.length > 0) fail(`does not belong there: ${unwanted.slice(0, 10).join(', ')}`);
  const native = files.filter((path) => path.endsWith('.node'));
  if (native.length === 0) fail('the serial port binding is missing');
  const inside = native.filter((path) => !statFile(asar, path).unpacked);
  if (inside.length > 0)
    fail(`a native module cannot be loaded from within the archive: ${inside.join(', ')}`);
  const { main } = JSON.parse(extractFile(asar, 'package.json').toString());
  if (!files.includes(main)) fail(`package.json starts ${main}, which is not there`);
  const bytes =
    statSync(asar).size +
    native.reduce((sum, path) => sum + statSync(join(`${asar}.unpacked`, path)).size, 0);
  const megabytes = (bytes / 1024 / 1024).toFixed(1);
  if (bytes > maxOwnBytes)
    fail(`${megabytes} MB of our own, at most ${maxOwnBytes / 1024 / 1024} are allowed`);
  const fuses = readFuses(join(output, 'linux-unpacked', 'tillbeacon-app'));
  const wrong = Object.keys(wantedFuses).filter((name) => fuses[name] !== wantedFuses[name]);
  if (wrong.length > 0)
    fail(
      `fuses are not as wanted: ${wrong.map((name) => `${name} is ${fuses[name] ? 'on' : 'off'}`).join(', ')}`,
    );
  process.stdout.write(
    `ok   fuses: ${Object.keys(wantedFuses).length} as wanted, read back from ${isReal ? 'the binary' : "a file in the binary's place"}\n`,
  );
  process.stdout.write(
    `ok   package: ${files.length} files, ${megabytes} MB of our own, ${native.length} native modules outside the archive\n`,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

function checkSizes() {
  const out = join(root, 'out');
  const sizes = screens.map((screen) => ({ screen, ...screenBytes(out, screen) }));
  const starts = programs.map((program) => ({ program, ...programAtStart(out, program) }));
  const scattered = starts.filter(({ files }) => files > maxFilesAtStart);
  if (scattered.length > 0)
    fail(
      `too many files are read at a start, at most ${maxFilesAtStart}: ${scattered.map(({ program, files }) => `${program} ${files}`).join(', ')}`,
    );
  const all = starts.map(({ program, bytes }) => [program, bytes, maxBytes.program]);
  for (const { screen, first, parts } of sizes)
    for (const [part, bytes] of [['at its start', first], ...parts])
      all.push([`${screen} ${part}`, bytes, maxBytes.screen]);
  const large = all.filter(([, bytes, most]) => bytes > most);
  if (large.length > 0)
    fail(
      `too large when compressed: ${large.map(([name, bytes, most]) => `${name} ${bytes} bytes, at most ${most}`).join(', ')}`,
    );
  const inKb = (bytes) => Math.ceil(bytes / 1000);
  const screenSizes = sizes.map(
    ({ screen, first, parts }) =>
      `${screen} ${inKb(first)}${parts.length === 0 ? '' : ` (its parts up to ${inKb(parts[0][1])})`}`,
  );
  const ofPrograms = starts.map(
    ({ program, files, bytes }) => `${program} ${inKb(bytes)} in ${files} files`,
  );
  process.stdout.write(
    `ok   sizes at the start, compressed, in kB: ${ofPrograms.join(', ')}; screens ${screenSizes.join(', ')}\n`,
  );
}

function fail(why) {
  rmSync(work, { recursive: true, force: true });
  process.stderr.write(`FAIL package: ${why}\n`);
  process.exit(1);
}
