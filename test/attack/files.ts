import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { socketPath } from '../../preload/contract.ts';
import { watchMessage } from '../support/contract-client.ts';
import { type DaemonReady, Product, type SimulatorReady, until } from '../support/processes.ts';
import { attackArea } from './attack.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

interface Target {
  /** Other users can enter it, like every folder above. */
  readonly folder: string;
  readonly data: string;
  readonly service: Product;
  readonly settings: object;
  readonly secret: string;
  readonly daemon: Product;
  readonly screens: string;
}

/**
 * Runs this as a user of the computer who has nothing to do with Tillbeacon. @returns what it told.
 * Only root can be somebody else: elsewhere what decides is looked at, the folder's mode.
 */
function asAnotherUser(target: Pick<Target, 'folder' | 'data'>, script: string): string[] {
  if (!isRoot) {
    if ((statSync(target.data).mode & 0o077) !== 0)
      throw new Error('others may enter the data folder');
    return ['EACCES (by the mode of the folder: this is not root)'];
  }
  const told = `
    const fs = require('node:fs');
    process.setgroups([${nobody}]); process.setgid(${nobody}); process.setuid(${nobody});
    fs.readFileSync(${JSON.stringify(join(target.folder, 'public'))});
    const told = [];
    const attempt = (what, act) => { try { act(); told.push(what + ' done'); } catch (error) { told.push(what + ' ' + error.message.split(',')[0]); } };
    ${script}
    console.log(JSON.stringify(told));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', told], { encoding: 'utf8' });
  if (stdout === '') throw new Error(`the other user could not even try: ${stderr}`);
  return JSON.parse(stdout) as string[];
}

function allRefused(told: readonly string[]): string {
  const done = told.filter((one) => !/EACCES|unable to open|EPERM/.test(one));
  if (told.length === 0 || done.length > 0)
    throw new Error(`the other user got through: ${done.join('; ')}`);
  return told.join('; ');
}

/** Starts with a umask of 0, so that only the daemon itself protects its files. */
function start(entry: string, args: readonly string[]): Product {
  const before = process.umask(0);
  try {
    return new Product(entry, args);
  } finally {
    process.umask(before);
  }
}

/** @returns the one line of output when the daemon does not start */
async function refusal(args: readonly string[]): Promise<string> {
  const daemon = start('daemon', ['--port', '0', ...args]);
  const ended = await Promise.race([daemon.exited, daemon.ready().then(() => null)]);
  await daemon.end('SIGKILL');
  if (ended === null) throw new Error('it started');
  return daemon.stderr.trim().split('\n').at(-1) ?? '';
}

function refusedWith(said: string, reason: string): string {
  if (!said.includes(reason)) throw new Error(`it ended without saying why: ${said}`);
  return said;
}

/**
 * Runs a script as another user, who then owns the links that it makes; without root as this user.
 */
function plant(target: Pick<Target, 'folder'>, script: string): void {
  if (isRoot)
    spawnSync(process.execPath, [
      '-e',
      `process.setgid(${nobody}); process.setuid(${nobody}); const fs = require('node:fs'); ${script}`,
    ]);
  else
    spawnSync(process.execPath, ['-e', `const fs = require('node:fs'); ${script}`], {
      cwd: target.folder,
    });
}

const open = (path: string, mode: number): string => {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
};
const victimOf = (folder: string): string => join(folder, 'victim');
/** Files that earlier versions wrote under predictable names. */
const written = [
  'settings.json',
  'settings.previous.json',
  'managers.json',
  'daemon.json',
  'recreations.json',
  'setup-draft.json',
];

/**
 * An older installation that everybody could write to, and that another user has changed before the
 * daemon is updated.
 */
async function openTarget(): Promise<Target> {
  const folder = open(mkdtempSync(join(tmpdir(), 'tillbeacon-attack-files-')), 0o755);
  const data = open(join(folder, 'data'), 0o777);
  writeFileSync(join(folder, 'public'), '', { mode: 0o644 });
  writeFileSync(victimOf(folder), 'somebody’s');
  plant(
    { folder },
    written
      .map(
        (name) =>
          `fs.symlinkSync(${JSON.stringify(victimOf(folder))}, ${JSON.stringify(join(data, `${name}.new`))});`,
      )
      .join('\n'),
  );
  const service = new Product('simulator', ['--port', '0']);
  const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } =
    await service.ready<SimulatorReady>();
  const pointOfSale = {
    merchantPosId: 'attacked',
    storeId: storeIds[0],
    name: 'Check-out 1',
    beaconTypes: ['QR'],
  };
  const settings = {
    wallet: { baseUrl, authUrl, clientId, clientSecret, merchantVat },
    shop: { logo: 'shop/logo.png' },
    lanes: [
      {
        id: '1',
        name: 'Check-out 1',
        currency: 'DKK',
        pointOfSale,
        till: { protocol: 'zvt', transport: 'tcp', port: 0 },
      },
    ],
  };
  open(join(data, 'shop'), 0o755);
  writeFileSync(join(data, 'shop/logo.png'), 'the logo', { mode: 0o644 });
  writeFileSync(join(data, 'settings.json'), JSON.stringify(settings), { mode: 0o644 });
  const daemon = start('daemon', ['--data', data, '--port', '0']);
  const { screens } = await daemon.ready<DaemonReady>();
  return { folder, data, service, settings, secret: clientSecret, daemon, screens };
}

async function picture(screens: string): Promise<string> {
  const answer = await fetch(`${screens}/shop/logo`, { signal: AbortSignal.timeout(5_000) });
  return `${answer.status} ${(await answer.text()).slice(0, 40)}`;
}

/** A picture is served once a screen has shown it. */
async function showPictures(screens: string): Promise<void> {
  const socket = new WebSocket(`${screens.replace('http', 'ws')}${socketPath}`, {
    origin: screens,
  });
  await new Promise((resolve, reject) =>
    socket
      .on('message', resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('the daemon closed the connection')))
      .on('open', () =>
        socket.send(JSON.stringify(watchMessage({ screen: 'customer', laneId: '1' }))),
      ),
  );
  socket.close();
}

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
        const said = readFileSync(victimOf(folder), 'utf8');
        if (said !== 'somebody’s') throw new Error(`written through the link: ${said}`);
        return 'the file behind them is as it was';
      },
    },
    {
      name: 'a link in the place of the logo leads to /etc/passwd, to the settings, to a device that never ends, to a pipe',
      async attempt({ data, screens }) {
        const logo = join(data, 'shop/logo.png');
        await showPictures(screens);
        const before = await picture(screens);
        if (before !== '200 the logo') throw new Error(`the logo is not even served: ${before}`);
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
          'the newer version is not started: another user could have put it there',
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
        const told: string[] = [];
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
          told.push(refusedWith(launcher.stderr, join(version, path)) && path);
        }
        return `not started: anybody could have changed ${told.join(', ')}`;
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
        const said = refusedWith(make.stderr, 'other users of this computer can get at');
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
        return `${said.trim()}; ${allRefused(asAnotherUser(target, `attempt('read', () => fs.readFileSync(${JSON.stringify(file)}));`))}`;
      },
    },
    {
      name: 'the data folder is another user’s, or everybody’s, or another program’s',
      async attempt({ folder }) {
        const shared = open(join(folder, 'shared'), 0o1777);
        const used = open(join(folder, 'used'), 0o755);
        open(join(used, 'apt'), 0o755);
        const said = [
          refusedWith(await refusal(['--data', shared]), 'everybody shares it'),
          refusedWith(await refusal(['--data', used]), 'holds other things'),
        ];
        if ((statSync(shared).mode & 0o7777) !== 0o1777 || (statSync(used).mode & 0o777) !== 0o755)
          throw new Error('it was closed to those who need it');
        if (!isRoot) return said.join('; ');
        const theirs = open(join(folder, 'theirs'), 0o777);
        plant({ folder }, `fs.mkdirSync(${JSON.stringify(join(theirs, 'data'))})`);
        return [
          ...said,
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
