import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exposuresOf, programExposure } from '../../../main/support/exposure.ts';

const asRoot = process.getuid?.() === 0 ? test : test.skip;
const me = process.getuid?.() ?? 0;
const someone = 65_534;

let folder: string;
let file: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tillbeacon-exposure-')));
  file = join(folder, 'settings.json');
  writeFileSync(file, '');
  chmodSync(file, 0o600);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const commands = (path = file, holdsSecret = true): string[] =>
  exposuresOf({ path, holdsSecret }).map(({ command }) => command);

describe.skipIf(process.platform === 'win32')('a file with a secret', () => {
  test.each(['640', '604', '660', '620', '601'])(
    'of mode %s is open to others, and a command closes it',
    (mode) => {
      chmodSync(file, Number.parseInt(mode, 8));
      expect(exposuresOf({ path: file, holdsSecret: true })).toEqual([
        { path: file, command: `chmod 600 ${file}` },
      ]);
    },
  );

  test('of its owner alone is not, nor is one that is not there', () => {
    expect([...commands(), ...commands(join(folder, 'missing'))]).toEqual([]);
  });

  test('is looked at where it really is', () => {
    chmodSync(file, 0o644);
    symlinkSync(file, join(folder, 'link'));
    expect(commands(join(folder, 'link'))).toEqual([`chmod 600 ${file}`]);
  });

  test('has a command that a shell takes, whatever it is called', () => {
    const odd = join(folder, "it's; rm -rf $HOME.json");
    writeFileSync(odd, '', { mode: 0o644 });
    expect(commands(odd)).toEqual([`chmod 600 '${folder}/it'\\''s; rm -rf $HOME.json'`]);
  });

  asRoot('is another user’s to read and to change when it belongs to them', () => {
    chownSync(file, someone, someone);
    expect(commands()).toEqual([`chown ${me} ${file} && chmod 600 ${file}`]);
  });
});

describe.skipIf(process.platform === 'win32')('a file without a secret', () => {
  test('may be read by others, and not be changed by them', () => {
    chmodSync(file, 0o644);
    expect(commands(file, false)).toEqual([]);
    chmodSync(file, 0o664);
    expect(commands(file, false)).toEqual([`chmod go-w ${file}`]);
  });
});

describe.skipIf(process.platform === 'win32')('a folder on the way', () => {
  test('in which everybody can exchange what is in it, is named', () => {
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'a', 'settings.json'), '', { mode: 0o600 });
    chmodSync(folder, 0o777);
    expect(exposuresOf({ path: join(folder, 'a', 'settings.json'), holdsSecret: false })).toEqual([
      { path: folder, command: `chmod o-w ${folder}` },
    ]);
    // As /tmp, where a file can be replaced by its owner only.
    chmodSync(folder, 0o1777);
    expect(commands(join(folder, 'a', 'settings.json'))).toEqual([]);
  });

  test('counts on the way through a link as well', () => {
    mkdirSync(join(folder, 'open'));
    chmodSync(join(folder, 'open'), 0o777);
    symlinkSync(file, join(folder, 'open', 'link'));
    expect(commands(join(folder, 'open', 'link'))).toEqual([`chmod o-w ${folder}/open`]);
  });

  test('is itself open to others when it is what is asked for', () => {
    chmodSync(folder, 0o755);
    expect(commands(folder)).toEqual([`chmod 700 ${folder}`]);
  });
});

describe.skipIf(process.platform === 'win32' || process.getuid?.() !== 0)(
  'a file of root that a daemon of another user reads',
  () => {
    const commandsFor = (user: number): string[] =>
      exposuresOf({ path: file, holdsSecret: true }, { user, groups: [user] }).map(
        ({ command }) => command,
      );

    test('may be readable by that daemon’s group, as an administrator installs it', () => {
      chownSync(file, 0, someone);
      chmodSync(file, 0o640);
      expect(commandsFor(someone)).toEqual([]);
      chmodSync(file, 0o644);
      expect(commandsFor(someone)).toEqual([`chmod 640 ${file}`]);
      chownSync(file, 0, 0);
      expect(commandsFor(someone)).toEqual([`chgrp ${someone} ${file} && chmod 640 ${file}`]);
    });
  },
);

describe.skipIf(process.platform === 'win32')('a program', () => {
  const programFolder = (): string => join(folder, 'program');
  const at = (path: string): string => join(programFolder(), path);
  beforeEach(() => {
    chmodSync(folder, 0o755);
    mkdirSync(at('bin'), { recursive: true });
    mkdirSync(at('node_modules/serialport/build'), { recursive: true });
    writeFileSync(at('bin/node'), '', { mode: 0o755 });
    writeFileSync(at('node_modules/serialport/build/bindings.node'), '', { mode: 0o644 });
  });

  test('is closed when its owner alone may change each file and folder', () => {
    expect(programExposure(programFolder())).toBeNull();
    expect(programExposure(join(folder, 'missing'))).toBeNull();
  });

  test.each([
    'bin/node',
    'bin',
    'node_modules',
    'node_modules/serialport/build',
    'node_modules/serialport/build/bindings.node',
  ])('is exposed by %s when its group or everybody may change that', (path) => {
    for (const mode of [0o775, 0o757]) {
      chmodSync(at(path), mode);
      expect(programExposure(programFolder())).toEqual({
        path: at(path),
        command: `chmod go-w ${at(path)}`,
      });
    }
  });

  test('is exposed by a link, which no package has', () => {
    symlinkSync('/bin/sh', at('bin/sh'));
    expect(programExposure(programFolder())).toEqual({
      path: at('bin/sh'),
      command: `rm ${at('bin/sh')}`,
    });
  });

  asRoot('is exposed by a file of another user, and by a folder of another user on the way', () => {
    chownSync(at('bin/node'), someone, someone);
    expect(programExposure(programFolder())).toMatchObject({ path: at('bin/node') });
    chownSync(at('bin/node'), me, me);
    chownSync(folder, someone, someone);
    expect(programExposure(programFolder())).toEqual({
      path: folder,
      command: `chown ${me} ${folder}`,
    });
  });
});
