import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SealedReader, writeSealed } from '../../../../main/counter/backup/sealed-file.ts';

const passphrase = 'correct horse battery';
const chunk = 65_536 + 16;
/** With the nonce. */
const header = 150 + 16;
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-sealed-'));
  file = join(folder, 'sealed');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function seal(...content: readonly Uint8Array[]): Promise<Buffer> {
  const opened = openSync(file, 'w');
  await writeSealed(opened, { content, passphrase, cost: 12 });
  closeSync(opened);
  return readFileSync(file);
}

async function open(content: Uint8Array, length: number, word = passphrase): Promise<Buffer> {
  writeFileSync(file, content);
  const opened = openSync(file, 'r');
  try {
    const reader = await SealedReader.open(opened, word);
    const parts: Buffer[] = [];
    for (let left = length; left > 0; left -= Math.min(left, 50_000))
      parts.push(await reader.read(Math.min(left, 50_000)));
    await reader.end();
    return Buffer.concat(parts);
  } finally {
    closeSync(opened);
  }
}

const numbered = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7) % 251));

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])(
  '%i bytes come out as they went in',
  async (length) => {
    const plain = numbered(length);
    const sealed = await seal(plain.subarray(0, length / 3), plain.subarray(length / 3));
    if (length > 64) expect(sealed.includes(plain.subarray(0, 64))).toBe(false);
    expect((await open(sealed, length)).equals(plain)).toBe(true);
  },
);

test('the same content is sealed in another way each time', async () => {
  const [one, other] = [await seal(numbered(100)), await seal(numbered(100))];
  expect(one.subarray(header).equals(other.subarray(header))).toBe(false);
});

test('a letter that another keyboard composes differently is the same', async () => {
  const opened = openSync(file, 'w');
  await writeSealed(opened, {
    content: [],
    passphrase: 'smörgås på bordet'.normalize('NFD'),
    cost: 12,
  });
  closeSync(opened);
  expect(await open(readFileSync(file), 0, 'smörgås på bordet'.normalize('NFC'))).toHaveLength(0);
});

test('an error while the content is read is thrown unchanged', async () => {
  const opened = openSync(file, 'w');
  const broken = new Error('the disk is gone');
  function* content(): Generator<Uint8Array> {
    yield numbered(200_000);
    throw broken;
  }
  await expect(writeSealed(opened, { content: content(), passphrase, cost: 12 })).rejects.toBe(
    broken,
  );
  closeSync(opened);
});

test('a large file takes no more memory than a small one', async () => {
  const parts = 200 * 16;
  const { rss } = process.memoryUsage();
  let grown = 0;
  const note = (): void => void (grown = Math.max(grown, process.memoryUsage.rss() - rss));
  function* content(): Generator<Uint8Array> {
    for (let part = 0; part < parts; part += 1) {
      note();
      yield Buffer.alloc(65_536, part);
    }
  }
  const opened = openSync(file, 'w+');
  await writeSealed(opened, { content: content(), passphrase, cost: 12 });
  const reader = await SealedReader.open(opened, passphrase);
  let wrong = 0;
  for (let part = 0; part < parts; part += 1) {
    if ((await reader.read(65_536))[0] !== part % 256) wrong += 1;
    note();
  }
  await reader.end();
  closeSync(opened);
  expect(wrong).toBe(0);
  expect(grown).toBeLessThan(100_000_000);
});

describe('refused', () => {
  const length = 3 * 65_536 + 10;
  const changed = (sealed: Buffer, at: number): Buffer => {
    const copy = Buffer.from(sealed);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };

  test('another passphrase, and says that it is that', async () => {
    await expect(open(await seal(numbered(10)), 10, 'correct horse batterz')).rejects.toMatchObject(
      { problem: 'wrongPassphrase' },
    );
  });

  test('a file of something else', async () => {
    for (const content of [
      Buffer.from('PK\x03\x04 and more that is none of ours'),
      Buffer.from('age'),
      Buffer.alloc(0),
    ])
      await expect(open(content, 10)).rejects.toThrow('is not a backup of Tillbeacon');
  });

  test('a file that a key opens', async () => {
    const encrypter = new Encrypter();
    encrypter.addRecipient(await identityToRecipient(await generateIdentity()));
    await expect(open(await encrypter.encrypt('content'), 7)).rejects.toThrow(
      'no passphrase opens it, but a key',
    );
  });

  test('a newer format', async () => {
    const sealed = await seal(numbered(10));
    sealed.write('2', 'age-encryption.org/v'.length);
    await expect(open(sealed, 10)).rejects.toMatchObject({ problem: 'newer' });
  });

  test('a changed header, wherever', async () => {
    const sealed = await seal(numbered(10));
    for (let at = 'age-encryption.org/v1'.length; at < header; at += 1)
      await expect(open(changed(sealed, at), 10), String(at)).rejects.toThrow(
        /damaged|passphrase|but a key|newer format/,
      );
  });

  test.each(['19', '20', '31', '1000', '18.5', '0x40', '-1', '17 '])(
    'a cost of %j, before it takes the memory',
    async (cost) => {
      const sealed = (await seal(numbered(10)))
        .toString('latin1')
        .replace(/^(-> scrypt \S+) 12$/m, `$1 ${cost}`);
      await expect(open(Buffer.from(sealed, 'latin1'), 10)).rejects.toMatchObject({
        problem: 'damaged',
      });
    },
  );

  test('a header without an end, before it takes the memory', async () => {
    const endless = Buffer.concat([
      Buffer.from('age-encryption.org/v1\n-> '),
      Buffer.alloc(50_000_000, 'a'),
    ]);
    const before = process.memoryUsage().arrayBuffers;
    await expect(open(endless, 10)).rejects.toMatchObject({ problem: 'damaged' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });

  test('every changed chunk, wherever', async () => {
    const sealed = await seal(numbered(length));
    for (const at of [
      header - 1,
      header,
      header + chunk - 1,
      header + chunk,
      header + 2 * chunk + 5,
      sealed.length - 1,
    ])
      await expect(open(changed(sealed, at), length)).rejects.toMatchObject({ problem: 'damaged' });
  });

  test('chunks that are exchanged, repeated, or of another file with the same passphrase', async () => {
    const sealed = await seal(numbered(length));
    const part = (from: Buffer, number: number): Buffer =>
      from.subarray(header + number * chunk, header + (number + 1) * chunk);
    const head = sealed.subarray(0, header);
    const of = (...numbers: readonly number[]): Buffer =>
      Buffer.concat([head, ...numbers.map((number) => part(sealed, number))]);
    expect((await open(of(0, 1, 2, 3), length)).length).toBe(length);
    for (const order of [
      [1, 0, 2, 3],
      [0, 0, 2, 3],
      [0, 1, 3],
      [0, 1, 2],
      [0, 1, 2, 3, 3],
    ])
      await expect(open(of(...order), length)).rejects.toMatchObject({ problem: 'damaged' });
    const other = await seal(numbered(length));
    const mixed = Buffer.concat([
      head,
      part(sealed, 0),
      part(other, 1),
      part(sealed, 2),
      part(sealed, 3),
    ]);
    await expect(open(mixed, length)).rejects.toMatchObject({ problem: 'damaged' });
  });

  test('a file that was cut off, at any place, also between chunks', async () => {
    const sealed = await seal(numbered(length));
    for (const end of [
      10,
      19,
      21,
      22,
      80,
      header - 17,
      header - 1,
      header,
      header + 5,
      header + chunk,
      header + chunk + 1,
      header + 3 * chunk,
      sealed.length - 1,
    ])
      await expect(open(sealed.subarray(0, end), length), String(end)).rejects.toThrow(
        /damaged|not a backup/,
      );
  });

  test('a file that was cut off where all that is asked for has come', async () => {
    const sealed = await seal(numbered(2 * 65_536));
    await expect(open(sealed.subarray(0, header + chunk), 65_536)).rejects.toThrow(
      'its end is missing',
    );
  });

  test('more content than was asked for, and less', async () => {
    await expect(open(await seal(numbered(100)), 99)).rejects.toThrow('more follows');
    await expect(open(await seal(numbered(100)), 101)).rejects.toThrow('ends too early');
  });
});
