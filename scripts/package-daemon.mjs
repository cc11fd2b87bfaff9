// The daemon as packages with Node inside: `npm run package:daemon`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildIfNeeded, root } from './build.mjs';
import { readCommand } from './command.mjs';
import { formats } from './package-formats.mjs';
import { makeTree, manifest, run } from './package-tree.mjs';
import { windowsKey } from './signing-key.mjs';

const maxDebBytes = 45_000_000;

const { values } = readCommand({
  call: 'npm run package:daemon --',
  does: [
    `The daemon as packages with Node inside. Formats: ${Object.keys(formats).join(', ')};`,
    "an exe is Windows' installer, signed with osslsigncode when a key is given,",
    'by options or as WIN_CSC_LINK (a file in PKCS #12) and WIN_CSC_KEY_PASSWORD.',
  ].join(' '),
  options: {
    format: {
      type: 'string',
      value: 'FORMAT',
      multiple: true,
      does: 'only these formats (default: all)',
    },
    arch: { type: 'string', value: 'ARCH', does: 'x64, or arm64 for Linux', default: 'x64' },
    output: {
      type: 'string',
      value: 'DIR',
      does: 'folder for the packages',
      default: join(root, 'dist'),
    },
    certificate: {
      type: 'string',
      value: 'FILE',
      does: 'certificate chain for signing, as PEM',
    },
    key: { type: 'string', value: 'FILE', does: 'key for signing, as PEM' },
    timestamp: { type: 'string', value: 'URL', does: 'timestamp service for the signature' },
    fast: { type: 'boolean', does: 'compresses less, for tests: larger packages in less time' },
    node: { type: 'string', value: 'FILE', does: "another Node than the lockfile's, for tests" },
    'package-version': {
      type: 'string',
      value: 'VERSION',
      does: 'another version of the package, for tests',
    },
  },
});

const chosenFormats = values.format.length === 0 ? Object.keys(formats) : values.format;
const version = values['package-version'] ?? manifest.version;
const output = values.output;
const work = mkdtempSync(join(tmpdir(), 'tillbeacon-package-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const signing = signingFrom(values);
checkArguments();
try {
  buildIfNeeded();
  mkdirSync(output, { recursive: true });
  const packages = chosenFormats.map(makePackage);
  const sums = packages.map(
    (file) =>
      `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`,
  );
  writeFileSync(join(output, 'SHA256SUMS'), sums.join(''));
} catch (error) {
  process.stderr.write(`FAIL package: ${error.message}\n`);
  process.exitCode = 1;
}

function makePackage(format) {
  const { system, make } = formats[format];
  const tree = join(work, system);
  if (statSync(tree, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(tree);
    makeTree(tree, { system, arch: values.arch, version, node: values.node ?? null });
    tryTree(tree, system);
  }
  const file = make({
    tree,
    work,
    output,
    version,
    signing,
    arch: values.arch,
    isFast: values.fast,
  });
  const { size } = statSync(file);
  if (format === 'deb' && !values.fast && size > maxDebBytes)
    throw new Error(`${file} has ${size} bytes, at most ${maxDebBytes} are allowed`);
  process.stdout.write(`ok   ${file} (${(size / 1e6).toFixed(1)} MB)\n`);
  return file;
}

/** Where the packaged daemon can run on this system, loads it with everything that it imports. */
function tryTree(tree, system) {
  if (system !== process.platform || values.arch !== process.arch) return;
  const said = run(join(tree, 'tillbeacon'), ['daemon', '--help']);
  if (!said.startsWith('usage: tillbeacon daemon '))
    throw new Error(`the packaged daemon says: ${said}`);
}

function signingFrom({ certificate, key, timestamp }) {
  if ((certificate === undefined) !== (key === undefined))
    refuse('--certificate and --key: one is no use without the other');
  if (certificate !== undefined) return { key: ['-certs', certificate, '-key', key], timestamp };
  const inEnvironment = windowsKey(process.env);
  if (inEnvironment === null) return null;
  if (!existsSync(inEnvironment.file))
    refuse(`WIN_CSC_LINK: there is no file ${inEnvironment.file}`);
  // The password is in a file that only this user can read, because other users can read a
  // process's arguments.
  const password = join(work, 'password');
  writeFileSync(password, inEnvironment.password, { mode: 0o600 });
  return { key: ['-pkcs12', inEnvironment.file, '-readpass', password], timestamp };
}

function checkArguments() {
  const unknown = chosenFormats.filter((name) => !Object.hasOwn(formats, name));
  if (unknown.length > 0)
    refuse(
      `--format: must be one of ${Object.keys(formats).join(', ')}, got ${unknown.join(', ')}`,
    );
  if (!['x64', 'arm64'].includes(values.arch))
    refuse(`--arch: must be x64 or arm64, got ${values.arch}`);
  if (values.arch === 'arm64' && chosenFormats.includes('exe'))
    refuse('--arch: Windows is packaged for x64 alone; name the formats with --format');
  if (!/^\d+\.\d+\.\d+$/.test(version))
    refuse(`--package-version: must be three numbers, got ${version}`);
  const tools = Object.assign(
    {},
    ...chosenFormats.map((name) => formats[name].tools),
    signing === null ? {} : { osslsigncode: 'osslsigncode' },
  );
  const missing = Object.entries(tools).filter(
    ([tool]) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error !== undefined,
  );
  for (const [tool, from] of missing)
    process.stderr.write(
      `${tool} is missing. On Debian and Ubuntu: sudo apt-get install ${from}\n`,
    );
  if (missing.length > 0) process.exit(1);
}

function refuse(why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
