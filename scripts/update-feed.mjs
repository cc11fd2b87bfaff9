// Writes a feed of updates: of packages of the daemon the files by their SHA-256, of the app its installers, and signed lists of either.
import './node-version.mjs';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommand } from './command.mjs';

/** @param packages a package's folder by platform and processor, e.g. `linux-x64` @param key an Ed25519 private key, PEM */
export function writeFeed({ out, version, minimumVersion, channel, packages, key }) {
  mkdirSync(join(out, 'files'), { recursive: true });
  const listed = Object.fromEntries(Object.entries(packages).map(([platform, folder]) => [platform, filesIn(folder, join(out, 'files'))]));
  const text = `${JSON.stringify({ product: 'tillbeacon', channel, version, minimumVersion, packages: listed })}\n`;
  for (const name of [channel, version]) writeSigned(join(out, `${name}.json`), text, key);
}

/** @param from what electron-builder has made: its `latest….yml` and the files that they name */
export function writeAppFeed({ out, version, minimumVersion, channel, from, key }) {
  mkdirSync(out, { recursive: true });
  const lists = readdirSync(from).filter((name) => /^latest.*\.yml$/.test(name));
  if (lists.length === 0) throw new Error(`${from}: has no latest….yml of electron-builder`);
  for (const list of lists) {
    const text = readFileSync(join(from, list), 'utf8');
    const [, found] = /^version: '?([^'\s]+)/m.exec(text) ?? [];
    if (found !== version) throw new Error(`${list}: is of ${found}, not of ${version}`);
    for (const [, file] of text.matchAll(/^ *-? *url: '?([^'\n]+?)'?$/gm)) copyFileSync(join(from, file), join(out, file));
    // The versions that may be updated to this one, under the same signature.
    const ours = `product: tillbeacon-app\nchannel: ${channel}\nminimumVersion: ${minimumVersion}\n`;
    for (const name of [channel, version]) writeSigned(join(out, list.replace('latest', name)), `${text.trimEnd()}\n${ours}`, key);
  }
}

/** A client that asks between the two writes refuses the signature, and asks again later. */
function writeSigned(file, text, key) {
  writeFileSync(file, text);
  writeFileSync(`${file}.sig`, `${sign(null, Buffer.from(text), createPrivateKey(key)).toString('base64')}\n`);
}

function filesIn(folder, files) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const content = readFileSync(file);
      const sha256 = createHash('sha256').update(content).digest('hex');
      if (!existsSync(join(files, sha256))) copyFileSync(file, join(files, sha256));
      const path = file.slice(folder.length).replaceAll(sep, '/').replace(/^\//, '');
      return { path, bytes: content.length, sha256, executable: (statSync(file).mode & 0o100) !== 0 };
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** The public key in the format of `updates.publicKey` in the settings. */
export const publicKeyOf = (key) => createPublicKey(createPrivateKey(key)).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, operands } = readCommand({
    call: 'npm run update-feed --',
    does: 'Writes a signed feed of updates from unpacked packages, each named as PLATFORM=FOLDER, e.g. linux-x64=out/tillbeacon. Says the public key.',
    operands: '[PACKAGE …]',
    options: {
      out: { type: 'string', value: 'DIR', does: 'what a web server serves', isRequired: true },
      key: { type: 'string', value: 'FILE', does: 'an Ed25519 private key: openssl genpkey -algorithm ed25519', isRequired: true },
      version: { type: 'string', value: 'X.Y.Z', does: 'of the packages', isRequired: true },
      minimum: { type: 'string', value: 'X.Y.Z', does: 'older ones are updated by hand', default: '0.0.0' },
      app: { type: 'string', value: 'DIR', does: "the app's installers, as electron-builder has made them" },
      channel: { type: 'string', value: 'NAME', does: 'stable or beta', default: 'stable' },
    },
  });
  const key = readFileSync(values.key, 'utf8');
  const packages = Object.fromEntries(operands.map((one) => one.split(/=(.*)/s, 2)));
  const about = { out: values.out, version: values.version, minimumVersion: values.minimum, channel: values.channel, key };
  if (operands.length === 0 && values.app === undefined) throw new Error('name packages, or the folder of the app’s installers with --app');
  if (operands.length > 0) writeFeed({ ...about, packages });
  if (values.app !== undefined) writeAppFeed({ ...about, from: values.app });
  process.stdout.write(`"publicKey": "${publicKeyOf(key)}"\n`);
}
