import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type LogEntry,
  recordingLog,
} from '../../../../main/sandbox/certification/recording-log.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { type Connection, openConnection } from '../../../../main/counter/server/connection.ts';
import { ShopPictures } from '../../../../main/counter/server/shop-pictures.ts';
import { watchMessage } from '../../../support/contract-client.ts';
import { settled } from '../../support/manual-clock.ts';
import { ScriptedViews } from './scripted-views.ts';

describe('a lane knows whether a screen can show its code', () => {
  let scripted: ScriptedViews;
  let connection: Connection;
  const watch = (about: object): void =>
    void connection.receive(watchMessage({ screen: 'customer', laneId: '1', ...about }));
  beforeEach(() => {
    scripted = new ScriptedViews();
    connection = openConnection({ views: scripted, router: scripted }, () => {});
  });

  test.each(['customer', 'cashier'])(
    'from the watch of a %s’s screen until it is closed, and no other screen counts',
    (screen) => {
      watch({ screen: 'manager' });
      expect(scripted.watched.get('1')).toBeUndefined();
      watch({ screen });
      watch({ screen });
      expect(scripted.watched.get('1')).toBe(1);
      connection.close();
      connection.close();
      expect(scripted.watched.get('1')).toBe(0);
    },
  );

  test('not while nobody can see it, nor when it watches something else', () => {
    watch({});
    watch({ hidden: true });
    expect(scripted.watched.get('1')).toBe(0);
    watch({ hidden: false, laneId: null });
    expect(scripted.watched.get('1')).toBe(1);
    watch({ screen: 'demo' });
    expect(scripted.watched.get('1')).toBe(0);
  });

  test('also the lane that has taken its place under the same id', async () => {
    watch({});
    const sentFields: string[] = [];
    scripted.showsCode = (laneId) => {
      sentFields.push(laneId);
      return () => {};
    };
    for (const listener of scripted.listeners) (listener as (laneId: string | null) => void)(null);
    await settled();
    expect(sentFields).toEqual(['1']);
  });
});

describe('the shop’s pictures', () => {
  let folder: string;
  let pictures: ShopPictures;
  let lines: LogEntry[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbeacon-pictures-'));
    mkdirSync(join(folder, 'shop'));
    writeFileSync(join(folder, 'shop/Logo (1).PNG'), 'png');
    lines = [];
    pictures = new ShopPictures(folder, recordingLog(lines));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('have an address that is another one when the file is', async () => {
    const { logo, picture } = pictures.shown({ logo: 'shop/Logo (1).PNG' });
    expect(logo).toMatch(/^\/shop\/logo\?v=\d+-3$/);
    expect(picture).toBeNull();
    expect(await pictures.read('logo')).toEqual({ type: 'image/png', content: Buffer.from('png') });
    writeFileSync(join(folder, 'shop/Logo (1).PNG'), 'another');
    expect(pictures.shown({ logo: 'shop/Logo (1).PNG' }).logo).not.toBe(logo);
    expect(pictures.shown(null)).toEqual({ logo: null, picture: null });
    expect(await pictures.read('logo')).toBeNull();
  });

  test('that are missing, no file or too large are not shown', async () => {
    writeFileSync(join(folder, 'large.jpg'), '');
    truncateSync(join(folder, 'large.jpg'), 4 * 1024 * 1024 + 1);
    mkdirSync(join(folder, 'folder.png'));
    for (const file of ['missing.png', 'large.jpg', 'folder.png'])
      expect(pictures.shown({ logo: file, picture: file }), file).toEqual({
        logo: null,
        picture: null,
      });
    expect(await pictures.read('logo')).toBeNull();
  });

  describe.skipIf(process.platform === 'win32')('are resolved before they are served:', () => {
    const outside = (): string => join(folder, '..', `${basename(folder)}-outside.png`);
    afterEach(() => rmSync(outside(), { force: true }));
    /** Replaces the file by a link. */
    const plant = (to: string): void => {
      rmSync(join(folder, 'shop/Logo (1).PNG'));
      symlinkSync(to, join(folder, 'shop/Logo (1).PNG'));
    };

    test.each([
      ['a file of the system', () => '/etc/passwd'],
      [
        'a picture outside of the data folder',
        () => {
          writeFileSync(outside(), 'png');
          return outside();
        },
      ],
      [
        'a secret in the data folder',
        () => {
          writeFileSync(join(folder, 'settings.json'), 'secret');
          return '../settings.json';
        },
      ],
      ['a device', () => '/dev/zero'],
    ])(
      '%s that a link leads to is not shown, nor served where the link is younger',
      async (_what, target) => {
        expect(pictures.shown({ logo: 'shop/Logo (1).PNG' }).logo).not.toBeNull();
        plant(target());
        expect(await pictures.read('logo')).toBeNull();
        expect(pictures.shown({ logo: 'shop/Logo (1).PNG' }).logo).toBeNull();
        expect(lines.at(-1)?.message).toContain('it is not shown');
      },
    );

    test('a pipe is not waited for', async () => {
      pictures.shown({ logo: 'shop/Logo (1).PNG' });
      rmSync(join(folder, 'shop/Logo (1).PNG'));
      spawnSync('mkfifo', [join(folder, 'shop/Logo (1).PNG')]);
      expect(await pictures.read('logo')).toBeNull();
    });

    test('a folder on the way that is a link leads nowhere else', () => {
      mkdirSync(join(folder, 'real'));
      writeFileSync(join(folder, 'real/logo.png'), 'png');
      symlinkSync('real', join(folder, 'inside'));
      symlinkSync('/etc', join(folder, 'outside'));
      expect(pictures.shown({ logo: 'inside/logo.png', picture: 'outside/passwd.png' })).toEqual({
        logo: expect.any(String),
        picture: null,
      });
    });

    test('a data folder that is a link itself is where it leads', async () => {
      const link = `${folder}-link`;
      symlinkSync(folder, link);
      const there = new ShopPictures(link, silentLog);
      expect(there.shown({ logo: 'shop/Logo (1).PNG' }).logo).not.toBeNull();
      expect(await there.read('logo')).toMatchObject({ type: 'image/png' });
      rmSync(link);
    });
  });
});
