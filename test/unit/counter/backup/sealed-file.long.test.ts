import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SealedReader, SealedWriter } from '../../../../main/counter/backup/sealed-file.ts';

const passphrase = 'correct horse battery';
const cost = 12;
const chunk = 65_536 + 16;
const header = 83;
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-sealed-'));
  file = join(folder, 'sealed');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function seal(...parts: readonly Uint8Array[]): Buffer {
  const opened = openSync(file, 'w');
  const writer = new SealedWriter(opened, passphrase, cost);
  for (const part of parts) writer.write(part);
  writer.end();
  closeSync(opened);
  return readFileSync(file);
}

function open(content: Uint8Array, length: number, word = passphrase): Buffer {
  writeFileSync(file, content);
  const opened = openSync(file, 'r');
  try {
    const reader = new SealedReader(opened, word);
    const parts: Buffer[] = [];
    for (let left = length; left > 0; left -= Math.min(left, 50_000))
      parts.push(Buffer.from(reader.read(Math.min(left, 50_000))));
    reader.end();
    return Buffer.concat(parts);
  } finally {
    closeSync(opened);
  }
}

const numbered = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7) % 251));

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])(
  '%i bytes come out as they went in',
  (length) => {
    const plain = numbered(length);
    const sealed = seal(plain.subarray(0, length / 3), plain.subarray(length / 3));
    if (length > 64) expect(sealed.includes(plain.subarray(0, 64))).toBe(false);
    expect(open(sealed, length).equals(plain)).toBe(true);
  },
);

test('the same content is sealed in another way each time', () => {
  const [one, other] = [seal(numbered(100)), seal(numbered(100))];
  expect(one.subarray(header).equals(other.subarray(header))).toBe(false);
});

describe('refused', () => {
  const length = 3 * 65_536 + 10;
  const changed = (sealed: Buffer, at: number): Buffer => {
    const copy = Buffer.from(sealed);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };

  test('another passphrase, and says that it is that', () => {
    expect(() => open(seal(numbered(10)), 10, 'correct horse batterz')).toThrow(
      'the passphrase is not the one',
    );
  });

  test('a file of something else', () => {
    expect(() => open(Buffer.from('PK\x03\x04 and more that is none of ours'), 10)).toThrow(
      'is not a backup of Tillbeacon',
    );
    expect(() => open(Buffer.alloc(0), 10)).toThrow('is not a backup of Tillbeacon');
  });

  test('a newer format', () => {
    const sealed = seal(numbered(10));
    sealed[18] = 2;
    expect(() => open(sealed, 10)).toThrow(
      'written by a newer Tillbeacon (version 2 of its format',
    );
  });

  test.each([19, 20, 40, 45, 50, 82])('a changed header, at byte %i', (at) => {
    expect(() => open(changed(seal(numbered(10)), at), 10)).toThrow(/damaged|passphrase/);
  });

  test('a header whose cost would take the memory, although its sum is right', async () => {
    const { hash } = await import('node:crypto');
    const sealed = seal(numbered(10));
    sealed[19] = 30;
    Buffer.from(hash('sha256', sealed.subarray(0, 43), 'buffer')).copy(sealed, 43, 0, 8);
    expect(() => open(sealed, 10)).toThrow('damaged');
  });

  test('every changed chunk, wherever', () => {
    const sealed = seal(numbered(length));
    for (const at of [
      header,
      header + chunk - 1,
      header + chunk,
      header + 2 * chunk + 5,
      sealed.length - 1,
    ])
      expect(() => open(changed(sealed, at), length)).toThrow('damaged');
  });

  test('chunks that are exchanged, repeated, or of another file with the same passphrase', () => {
    const sealed = seal(numbered(length));
    const part = (from: Buffer, number: number): Buffer =>
      from.subarray(header + number * chunk, header + (number + 1) * chunk);
    const head = sealed.subarray(0, header);
    const of = (...numbers: readonly number[]): Buffer =>
      Buffer.concat([head, ...numbers.map((number) => part(sealed, number))]);
    expect(open(of(0, 1, 2, 3), length).length).toBe(length);
    for (const order of [
      [1, 0, 2, 3],
      [0, 0, 2, 3],
      [0, 1, 3],
      [0, 1, 2],
      [0, 1, 2, 3, 3],
    ])
      expect(() => open(of(...order), length)).toThrow('damaged');
    const other = seal(numbered(length));
    expect(() =>
      open(
        Buffer.concat([head, part(sealed, 0), part(other, 1), part(sealed, 2), part(sealed, 3)]),
        length,
      ),
    ).toThrow('damaged');
  });

  test('a file that was cut off, at any place, also between chunks', () => {
    const sealed = seal(numbered(length));
    for (const end of [
      10,
      19,
      header - 1,
      header,
      header + 5,
      header + chunk,
      header + chunk + 1,
      header + 3 * chunk,
      sealed.length - 1,
    ])
      expect(() => open(sealed.subarray(0, end), length)).toThrow(/damaged|not a backup/);
  });

  test('a file that was cut off where all that is asked for has come', () => {
    const sealed = seal(numbered(2 * 65_536));
    expect(() => open(sealed.subarray(0, header + chunk), 65_536)).toThrow('its end is missing');
  });

  test('more content than was asked for, and less', () => {
    expect(() => open(seal(numbered(100)), 99)).toThrow('more follows');
    expect(() => open(seal(numbered(100)), 101)).toThrow('ends too early');
  });
});
