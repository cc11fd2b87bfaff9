/** With the tool `age` (Debian: `age`). It asks for its passphrase in a terminal: socat is one. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SealedReader, writeSealed } from '../../../../main/counter/backup/sealed-file.ts';

const isThere = (program: string): boolean => spawnSync(program, ['-h']).error === undefined;
const hasTools = isThere('age') && isThere('socat');
if (!hasTools)
  console.warn(
    'skipped: the tools age and socat are not installed (apt-get install age socat), so backups were not opened with age',
  );

const passphrase = 'Kaffe på Strøget 12';
const content = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, at) => (at * 7) % 251));
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tillbeacon-age-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

/** @returns what age said in its terminal */
function age(options: string, typed: string): string {
  const { stdout } = spawnSync(
    'socat',
    ['-t', '20', '-', `EXEC:age ${options},pty,setsid,ctty,stderr`],
    {
      input: `${typed}\n`.repeat(2),
      encoding: 'utf8',
      timeout: 30_000,
    },
  );
  return stdout;
}

describe.skipIf(!hasTools)('with the tool age', () => {
  test('a backup is opened', async () => {
    const opened = openSync(at('made'), 'w');
    await writeSealed(opened, { content: [content], passphrase });
    closeSync(opened);
    const ageOutput = age(`-d -o ${at('plain')} ${at('made')}`, passphrase);
    expect(existsSync(at('plain')), ageOutput).toBe(true);
    expect(readFileSync(at('plain')).equals(content)).toBe(true);
    age(`-d -o ${at('other')} ${at('made')}`, 'Kaffe');
    expect(existsSync(at('other'))).toBe(false);
  });

  test('what it made is opened here', async () => {
    writeFileSync(at('plain'), content);
    const ageOutput = age(`-p -o ${at('made')} ${at('plain')}`, passphrase);
    expect(existsSync(at('made')), ageOutput).toBe(true);
    const opened = openSync(at('made'), 'r');
    const reader = await SealedReader.open(opened, passphrase);
    const parts: Buffer[] = [];
    for (let left = content.length; left > 0; left -= 50_000) parts.push(await reader.read(50_000));
    await reader.end();
    closeSync(opened);
    expect(Buffer.concat(parts).equals(content)).toBe(true);
  });
});
