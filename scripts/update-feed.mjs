// Writes a feed of updates: of packages of the daemon the files by their SHA-256, of the app its
// installers, and signed lists of either.
import './node-version.mjs';
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommand } from './command.mjs';

/**
 * @param packages a package's folder by platform and processor, e.g. `linux-x64` @param about
 * `key`, an Ed25519 private key as PEM, and what else `writeList` takes
 */
export function writeFeed({ out, version, minimumVersion, channel, packages, ...about }) {
  mkdirSync(join(out, 'files'), { recursive: true });
  const listed = Object.fromEntries(
    Object.entries(packages).map(([platform, folder]) => [
      platform,
      filesIn(folder, join(out, 'files')),
    ]),
  );
  const text = `${JSON.stringify({ product: 'tillbeacon', channel, version, minimumVersion, packages: listed })}\n`;
  for (const name of [channel, version]) writeList(join(out, `${name}.json`), text, about);
}

/** @param from what electron-builder has made: its `latest….yml` and the files that they name */
export function writeAppFeed({ out, version, minimumVersion, channel, from, ...about }) {
  mkdirSync(out, { recursive: true });
  const lists = readdirSync(from).filter((name) => /^latest.*\.yml$/.test(name));
  if (lists.length === 0) throw new Error(`${from}: has no latest….yml of electron-builder`);
  for (const list of lists) {
    const text = readFileSync(join(from, list), 'utf8');
    const [, found] = /^version: '?([^'\s]+)/m.exec(text) ?? [];
    if (found !== version) throw new Error(`${list}: is of ${found}, not of ${version}`);
    for (const [, file] of text.matchAll(/^ *-? *url: '?([^'\n]+?)'?$/gm))
      copyFileSync(join(from, file), join(out, file));
    // The versions that may be updated to this one, under the same signature.
    const ours = `product: tillbeacon-app\nchannel: ${channel}\nminimumVersion: ${minimumVersion}\n`;
    for (const name of [channel, version])
      writeList(join(out, list.replace('latest', name)), `${text.trimEnd()}\n${ours}`, about);
  }
}

/** How long a list counts as the newest. Then it has to be signed anew, with `--renew`. */
const defaultValidDays = 90;
const dayMs = 24 * 60 * 60_000;

/**
 * A signed list, and its signed timestamp. A client that asks between the writes refuses what does
 * not fit, and asks again later.
 * @param serial other than the next one, and `expires` other than in `validDays`: for tests
 */
export function writeList(
  file,
  text,
  {
    key,
    validDays = defaultValidDays,
    serial = nextSerial(dirname(file)),
    expires = new Date(Date.now() + validDays * dayMs),
  },
) {
  writeSigned(file, text, key);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const timestamp = {
    product: 'tillbeacon-timestamp',
    list: basename(file),
    sha256,
    serial,
    expires: expires.toISOString(),
  };
  writeSigned(`${file}.timestamp`, `${JSON.stringify(timestamp)}\n`, key);
}

/** Larger than any in the feed, and than those of a feed that is lost: seconds since 1970. */
function nextSerial(out) {
  const lists = existsSync(out)
    ? readdirSync(out).filter((name) => name.endsWith('.timestamp'))
    : [];
  const serials = lists.map((name) => JSON.parse(readFileSync(join(out, name), 'utf8')).serial);
  return Math.max(Math.floor(Date.now() / 1_000), ...serials.map((serial) => serial + 1));
}

/** Signs each list of a feed anew, so that it does not expire. @returns their names */
export function renewFeed({ out, key, validDays }) {
  const lists = readdirSync(out).filter(
    (name) => /\.(json|yml)$/.test(name) && existsSync(join(out, `${name}.sig`)),
  );
  const texts = lists.map((name) => ({ name, text: signedText(join(out, name), key) }));
  for (const { name, text } of texts) writeList(join(out, name), text, { key, validDays });
  return lists;
}

/** Only what this key has signed before: somebody may have put another list on the server. */
function signedText(file, key) {
  const text = readFileSync(file, 'utf8');
  const signature = Buffer.from(readFileSync(`${file}.sig`, 'utf8').trim(), 'base64');
  if (!verify(null, Buffer.from(text), createPublicKey(createPrivateKey(key)), signature))
    throw new Error(`${file}: is not signed by this key`);
  return text;
}

function writeSigned(file, text, key) {
  writeFileSync(file, text);
  writeFileSync(
    `${file}.sig`,
    `${sign(null, Buffer.from(text), createPrivateKey(key)).toString('base64')}\n`,
  );
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
      return {
        path,
        bytes: content.length,
        sha256,
        executable: (statSync(file).mode & 0o100) !== 0,
      };
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** The public key in the format of `updates.publicKey` in the settings. */
export const publicKeyOf = (key) =>
  createPublicKey(createPrivateKey(key))
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('base64');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, operands } = readCommand({
    call: 'npm run update-feed --',
    does: [
      'Writes a signed feed of updates from unpacked packages, each named as PLATFORM=FOLDER, e.g. linux-x64=out/tillbeacon. Says the public key.',
      'Lists expire: sign them anew with --renew, in time.',
    ].join(' '),
    operands: '[PACKAGE …]',
    options: {
      out: {
        type: 'string',
        value: 'DIR',
        does: 'folder that a web server serves',
        isRequired: true,
      },
      key: {
        type: 'string',
        value: 'FILE',
        does: 'an Ed25519 private key: openssl genpkey -algorithm ed25519',
        isRequired: true,
      },
      version: { type: 'string', value: 'X.Y.Z', does: 'version of the packages' },
      renew: {
        type: 'boolean',
        does: 'signs the existing lists again, without a new version',
      },
      days: {
        type: 'string',
        value: 'N',
        does: 'how long the lists are valid',
        default: String(defaultValidDays),
      },
      minimum: {
        type: 'string',
        value: 'X.Y.Z',
        does: 'oldest version that can update itself; older ones need an installer',
        default: '0.0.0',
      },
      app: {
        type: 'string',
        value: 'DIR',
        does: "folder with the app's installers from electron-builder",
      },
      channel: { type: 'string', value: 'NAME', does: 'stable or beta', default: 'stable' },
    },
  });
  const key = readFileSync(values.key, 'utf8');
  const validDays = Number(values.days);
  if (!(validDays >= 1 && validDays <= 3_650))
    throw new Error(`--days: must be from 1 to 3650, got ${values.days}`);
  const packages = Object.fromEntries(operands.map((one) => one.split(/=(.*)/s, 2)));
  const hasPackages = operands.length > 0 || values.app !== undefined;
  if (values.renew && (hasPackages || values.version !== undefined))
    throw new Error('--renew: goes without a version and its packages');
  if (!values.renew && values.version === undefined) throw new Error('--version: is missing');
  if (!values.renew && !hasPackages)
    throw new Error('name packages, or the folder of the app’s installers with --app');
  const about = {
    out: values.out,
    version: values.version,
    minimumVersion: values.minimum,
    channel: values.channel,
    key,
    validDays,
  };
  if (values.renew)
    process.stdout.write(
      `signed anew: ${renewFeed({ out: values.out, key, validDays }).join(', ')}\n`,
    );
  if (operands.length > 0) writeFeed({ ...about, packages });
  if (values.app !== undefined) writeAppFeed({ ...about, from: values.app });
  process.stdout.write(`"publicKey": "${publicKeyOf(key)}"\n`);
}
