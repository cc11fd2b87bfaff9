import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/processes.ts';
import { attackArea } from './attack.ts';
import {
  nobody,
  isRoot,
  type Target,
  asAnotherUser,
  allRefused,
  start,
  refusal,
  refusedWith,
  plant,
  open,
  victimOf,
  openTarget,
  picture,
  showPictures,
} from './planted-folder.ts';

/** Needs root for its preparation, because only root can create files of another user. */
const plantedManagers = {
  name: 'another user has put managers with a PIN of their own into the data folder before the first start',
  async attempt({ folder }: Target) {
    const data = open(join(folder, 'planted'), 0o777);
    plant({ folder }, `fs.writeFileSync(${JSON.stringify(join(data, 'managers.json'))}, '{}')`);
    return refusedWith(
      await refusal(['--data', data]),
      `managers.json in it belongs to user ${nobody}: remove it`,
    );
  },
};

export const filesArea = attackArea<Target>('files', {
  open: openTarget,
  async close({ daemon, service, folder }) {
    await daemon.end('SIGKILL');
    await service.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  },
  attacks: [
    {
      name: 'another user reads the journal, the settings and whatever else the daemon keeps',
      async attempt(target) {
        const names = [
          'journal.sqlite',
          'journal.sqlite-wal',
          'daemon.lock',
          'daemon.json',
          'settings.json',
          'shop/logo.png',
        ];
        for (const name of names)
          if (!existsSync(join(target.data, name))) throw new Error(`there is no ${name} to read`);
        for (const name of readdirSync(target.data)) {
          const stat = lstatSync(join(target.data, name));
          if (!stat.isSymbolicLink() && (stat.mode & 0o077) !== 0)
            throw new Error(`${name} has mode ${(stat.mode & 0o777).toString(8)}`);
        }
        const paths = JSON.stringify(names.map((name) => join(target.data, name)));
        return allRefused(
          asAnotherUser(
            target,
            `for (const path of ${paths}) attempt('read', () => fs.readFileSync(path));`,
          ),
        );
      },
    },
    {
      name: 'another user lists the data folder, adds a file, exchanges the settings, removes the journal',
      async attempt(target) {
        const script = `
          const data = ${JSON.stringify(target.data)};
          attempt('list', () => fs.readdirSync(data));
          attempt('add', () => fs.writeFileSync(data + '/added', ''));
          attempt('exchange', () => fs.renameSync(data + '/settings.json', data + '/managers.json'));
          attempt('remove', () => fs.rmSync(data + '/journal.sqlite'));`;
        return allRefused(asAnotherUser(target, script));
      },
    },
    {
      name: 'another user holds the lock, so that the daemon cannot start',
      async attempt(target) {
        const script = `
          const { DatabaseSync } = require('node:sqlite');
          attempt('lock', () => { const lock = new DatabaseSync(${JSON.stringify(join(target.data, 'daemon.lock'))}); lock.exec('BEGIN; SELECT * FROM sqlite_schema'); });`;
        return allRefused(asAnotherUser(target, script));
      },
    },
    {
      name: 'links planted where files are about to be written lead nowhere',
      async attempt({ folder, data, settings, daemon }) {
        if (!lstatSync(join(data, 'settings.previous.json.new')).isSymbolicLink())
          throw new Error('nothing was planted');
        writeFileSync(join(data, 'settings.json'), JSON.stringify({ ...settings, language: 'fi' }));
        await daemon.logs('the settings file was changed and is in use');
        if (!lstatSync(join(data, 'settings.previous.json')).isFile())
          throw new Error('the previous settings were not kept');
        const content = readFileSync(victimOf(folder), 'utf8');
        if (content !== 'somebody’s') throw new Error(`written through the link: ${content}`);
        return 'the file behind them is as it was';
      },
    },
    {
      name: 'a link in the place of the logo leads to /etc/passwd, to the settings, to a device that never ends, to a pipe',
      async attempt({ data, screens }) {
        const logo = join(data, 'shop/logo.png');
        await showPictures(screens);
        await until(async () => (await picture(screens)) === '200 the logo', 'the logo');
        renameSync(logo, `${logo}.kept`);
        const seen: string[] = [];
        for (const to of ['/etc/passwd', join(data, 'settings.json'), '/dev/zero', null]) {
          if (to === null) spawnSync('mkfifo', [logo]);
          else symlinkSync(to, logo);
          const answer = await picture(screens);
          rmSync(logo);
          if (!answer.startsWith('404')) throw new Error(`${to ?? 'a pipe'} is served: ${answer}`);
          seen.push(answer.slice(0, 3));
        }
        renameSync(`${logo}.kept`, logo);
        return seen.join(', ');
      },
    },
    {
      name: 'settings that name a picture behind a link are refused with their rule',
      async attempt({ folder, settings }) {
        const data = open(join(folder, 'linked'), 0o755);
        open(join(data, 'shop'), 0o755);
        symlinkSync('/etc/passwd', join(data, 'shop/logo.png'));
        const file = join(folder, 'linked.json');
        writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
        return refusedWith(
          await refusal(['--data', data, '--settings', file]),
          'shop.logo: must be a png',
        );
      },
    },
    ...(isRoot ? [plantedManagers] : []),
    {
      name: 'another user has put a newer version into an open data folder, for the launcher to start',
      async attempt({ folder }) {
        const data = open(join(folder, 'launched'), 0o777);
        const main = join(data, 'updates/versions/9.0.0/out/main');
        const current = {
          version: '9.0.0',
          state: 'good',
          starts: 0,
          previous: null,
          journalLayout: 0,
          failed: [],
        };
        const ran = join(folder, 'shared-version-ran');
        plant(
          { folder },
          `fs.mkdirSync(${JSON.stringify(main)}, { recursive: true }); fs.chmodSync(${JSON.stringify(join(data, 'updates'))}, 0o777);
          fs.writeFileSync(${JSON.stringify(join(data, 'updates/current.json'))}, ${JSON.stringify(JSON.stringify(current))});
          fs.writeFileSync(${JSON.stringify(join(main, 'daemon.js'))}, ${JSON.stringify(`require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`)});`,
        );
        if (!existsSync(join(main, 'daemon.js'))) throw new Error('nothing was planted');
        const launcher = start('launcher', ['--data', data, '--port', '0']);
        await Promise.race([launcher.exited, launcher.ready().catch(() => {})]);
        await launcher.end();
        if (existsSync(ran)) throw new Error('it was started');
        return refusedWith(
          launcher.stderr,
          'newer version is not started: another user could have changed its files',
        ).split('\n', 1)[0] as string;
      },
    },
    {
      name: 'another user changes one file of a newer version: its Node, an add-on, a part of the program, or a folder on the way',
      async attempt({ folder }) {
        const data = open(join(folder, 'changed'), 0o755);
        const version = join(data, 'updates/versions/9.0.0');
        for (const below of ['out/main/chunks', 'bin', 'node_modules/serialport'])
          open(join(version, below), 0o755);
        const ran = join(folder, 'changed-version-ran');
        open(ran, 0o777);
        const leaves = (name: string): string =>
          `require('node:fs').writeFileSync(${JSON.stringify(join(ran, name))}, ''); process.exit(7);`;
        const put = (path: string, text: string, mode = 0o644): void =>
          writeFileSync(join(version, path), text, { mode });
        put('out/main/daemon.js', leaves('daemon'));
        put('out/main/chunks/part.js', '');
        put('node_modules/serialport/add-on.node', '');
        put('bin/node', `#!/bin/sh\nexec ${process.execPath} "$@"\n`, 0o755);
        const current = {
          version: '9.0.0',
          state: 'good',
          starts: 0,
          previous: null,
          journalLayout: 0,
          failed: [],
        };
        writeFileSync(join(data, 'updates/current.json'), JSON.stringify(current), { mode: 0o644 });
        const report: string[] = [];
        for (const path of [
          'bin/node',
          'node_modules/serialport/add-on.node',
          'out/main/chunks/part.js',
          'out/main/chunks',
          'node_modules',
        ]) {
          const { mode } = statSync(join(version, path));
          chmodSync(join(version, path), 0o777);
          const launcher = start('launcher', ['--data', data, '--port', '0']);
          await Promise.race([
            launcher.exited,
            launcher.ready().catch(() => {}),
            until(() => launcher.stderr.includes('is not started'), 'the refusal'),
          ]);
          await launcher.end();
          chmodSync(join(version, path), mode & 0o777);
          chmodSync(data, 0o755);
          if (readdirSync(ran).length > 0)
            throw new Error(`it was started, although anybody could have changed ${path}`);
          report.push(refusedWith(launcher.stderr, join(version, path)) && path);
        }
        return `not started: anybody could have changed ${report.join(', ')}`;
      },
    },
    {
      name: 'another user reads a backup, or the passphrase in a file',
      async attempt(target) {
        const backups = open(join(target.folder, 'backups'), 0o777);
        const [file, passphrase] = ['counter.backup', 'passphrase'].map((name) =>
          join(backups, name),
        ) as [string, string];
        writeFileSync(passphrase, 'correct horse battery', { mode: 0o644 });
        const make = start('backup', [
          'create',
          file,
          '--data',
          target.data,
          '--passphrase-file',
          passphrase,
        ]);
        await make.exited;
        const message = refusedWith(make.stderr, 'other users of this computer can get at');
        rmSync(passphrase);
        const elsewhere = open(join(target.folder, 'closed'), 0o700);
        writeFileSync(join(elsewhere, 'passphrase'), 'correct horse battery', { mode: 0o600 });
        const again = start('backup', [
          'create',
          file,
          '--data',
          target.data,
          '--passphrase-file',
          join(elsewhere, 'passphrase'),
        ]);
        await again.exited;
        if (!existsSync(file)) throw new Error(`there is no backup to read: ${again.stderr}`);
        if ((statSync(file).mode & 0o077) !== 0) throw new Error('others may read it');
        return `${message.trim()}; ${allRefused(asAnotherUser(target, `attempt('read', () => fs.readFileSync(${JSON.stringify(file)}));`))}`;
      },
    },
    {
      name: 'the data folder is another user’s, or everybody’s, or another program’s',
      async attempt({ folder }) {
        const shared = open(join(folder, 'shared'), 0o1777);
        const used = open(join(folder, 'used'), 0o755);
        open(join(used, 'apt'), 0o755);
        const errors = [
          refusedWith(await refusal(['--data', shared]), 'all users share it'),
          refusedWith(await refusal(['--data', used]), 'contains other files'),
        ];
        if ((statSync(shared).mode & 0o7777) !== 0o1777 || (statSync(used).mode & 0o777) !== 0o755)
          throw new Error('it was closed to those who need it');
        if (!isRoot) return errors.join('; ');
        const theirs = open(join(folder, 'theirs'), 0o777);
        plant({ folder }, `fs.mkdirSync(${JSON.stringify(join(theirs, 'data'))})`);
        return [
          ...errors,
          refusedWith(
            await refusal(['--data', join(theirs, 'data')]),
            `it belongs to user ${nobody}`,
          ),
        ].join('; ');
      },
    },
    {
      name: 'another user reads the secret in a settings file and in a secret’s file elsewhere: the log says so, with the command',
      async attempt({ folder, settings, secret }) {
        const elsewhere = open(join(folder, 'elsewhere'), 0o777);
        const file = join(elsewhere, 'settings.json');
        writeFileSync(
          file,
          JSON.stringify({
            ...settings,
            wallet: { ...(settings as { wallet: object }).wallet, reportingKey: { file: 'key' } },
          }),
          {
            mode: 0o644,
          },
        );
        writeFileSync(join(elsewhere, 'key'), `${secret}\n`, { mode: 0o640 });
        const daemon = start('daemon', [
          '--settings',
          file,
          '--data',
          join(folder, 'second'),
          '--port',
          '0',
        ]);
        try {
          await until(
            () =>
              daemon.log().filter(({ command }) => command !== undefined).length >= 3 ||
              daemon.child.exitCode !== null,
            'the warnings',
          );
          const commands = daemon
            .log()
            .flatMap(({ command }) => (typeof command === 'string' ? [command] : []));
          for (const wanted of [
            `chmod 600 ${file}`,
            `chmod 600 ${join(elsewhere, 'key')}`,
            `chmod o-w ${elsewhere}`,
          ])
            if (!commands.includes(wanted))
              throw new Error(`nobody is told: ${wanted}; only ${commands.join(', ')}`);
          if (daemon.stderr.includes(secret)) throw new Error('the secret is in the log');
          return commands.join('; ');
        } finally {
          await daemon.end('SIGKILL');
        }
      },
    },
    {
      name: 'another user reads what was called back',
      async attempt({ folder }) {
        const data = open(join(folder, 'callbacks'), 0o777);
        const file = join(folder, 'callbacks.json');
        writeFileSync(file, '{"checkin":true}', { mode: 0o600 });
        const receiver = start('callbacks', ['--settings', file, '--data', data, '--port', '0']);
        try {
          await receiver.ready();
          const paths = JSON.stringify(
            ['', '-wal', '-shm'].map((ending) => join(data, `callbacks.db${ending}`)),
          );
          return allRefused(
            asAnotherUser(
              { folder, data },
              `for (const path of ${paths}) attempt('read', () => fs.readFileSync(path));`,
            ),
          );
        } finally {
          await receiver.end('SIGKILL');
        }
      },
    },
  ],
});
