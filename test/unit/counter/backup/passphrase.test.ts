import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passphraseFrom } from '../../../../main/counter/backup/passphrase.ts';
import { Folder } from '../../core/journal/support.ts';

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder[Symbol.dispose]());

describe('a passphrase', () => {
  const from = (about: object): Promise<string> =>
    passphraseFrom({ file: undefined, environment: {}, ask: null, isNew: true, ...about });
  const inFile = (content: string, mode = 0o600): { file: string } => {
    const path = join(folder.path, 'word');
    writeFileSync(path, content);
    chmodSync(path, mode);
    return { file: path };
  };
  const answering = (...answers: string[]) => ({ ask: async () => answers.shift() ?? '' });

  test('comes from a file, a variable or a person, in this order', async () => {
    const environment = { TILLBEACON_BACKUP_PASSPHRASE: 'from the variable' };
    expect(
      await from({
        ...inFile('from the file\n'),
        environment,
        ...answering('from a person', 'from a person'),
      }),
    ).toBe('from the file');
    expect(await from({ environment, ...answering('from a person', 'from a person') })).toBe(
      'from the variable',
    );
    expect(await from(answering('from a person', 'from a person'))).toBe('from a person');
  });

  test.each([
    ['is missing', () => ({}), /the passphrase is missing: name a file with --passphrase-file/],
    ['is too short', () => inFile('short'), /must have at least 12 characters/],
    ['has two lines', () => inFile('twelve characters\nand more'), /alone and on one line/],
    [
      'is in a file that is not there',
      () => ({ file: '/nowhere/word' }),
      /\/nowhere\/word cannot be read/,
    ],
    ['is in a folder', () => ({ file: folder.path }), /is not a regular file/],
    [
      'is typed differently',
      () => answering('from a person', 'from a persom'),
      /the passphrases differ/,
    ],
    ...(process.platform === 'win32'
      ? []
      : [
          [
            'is open to others',
            () => inFile('twelve characters', 0o644),
            /other users of this computer can get at/,
          ] as const,
        ]),
  ] as const)('that %s is refused, and not told', async (_name, about, why) => {
    const refusal = await from(about()).catch((error: Error) => error.message);
    expect(refusal).toMatch(why);
    expect(refusal).not.toMatch(/twelve characters\n?$|from a person/);
  });
});
