/** A data folder of an older installation, which another user of the computer has changed. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { socketPath } from '../../preload/contract.ts';
import { watchMessage } from '../support/contract-client.ts';
import { type DaemonReady, Product, type SimulatorReady } from '../support/processes.ts';

export const nobody = 65_534;
export const isRoot = process.getuid?.() === 0;

export interface Target {
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
export function asAnotherUser(target: Pick<Target, 'folder' | 'data'>, script: string): string[] {
  if (!isRoot) {
    if ((statSync(target.data).mode & 0o077) !== 0)
      throw new Error('others may enter the data folder');
    return ['EACCES (by the mode of the folder: this is not root)'];
  }
  const report = `
    const fs = require('node:fs');
    process.setgroups([${nobody}]); process.setgid(${nobody}); process.setuid(${nobody});
    fs.readFileSync(${JSON.stringify(join(target.folder, 'public'))});
    const told = [];
    const attempt = (what, act) => { try { act(); told.push(what + ' done'); } catch (error) { told.push(what + ' ' + error.message.split(',')[0]); } };
    ${script}
    console.log(JSON.stringify(told));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', report], { encoding: 'utf8' });
  if (stdout === '') throw new Error(`the other user could not even try: ${stderr}`);
  return JSON.parse(stdout) as string[];
}

export function allRefused(report: readonly string[]): string {
  const done = report.filter((one) => !/EACCES|unable to open|EPERM/.test(one));
  if (report.length === 0 || done.length > 0)
    throw new Error(`the other user got through: ${done.join('; ')}`);
  return report.join('; ');
}

/** Starts with a umask of 0, so that only the daemon itself protects its files. */
export function start(entry: string, args: readonly string[]): Product {
  const before = process.umask(0);
  try {
    return new Product(entry, args);
  } finally {
    process.umask(before);
  }
}

/** @returns the one line of output when the daemon does not start */
export async function refusal(args: readonly string[]): Promise<string> {
  const daemon = start('daemon', ['--port', '0', ...args]);
  const ended = await Promise.race([daemon.exited, daemon.ready().then(() => null)]);
  await daemon.end('SIGKILL');
  if (ended === null) throw new Error('it started');
  return daemon.stderr.trim().split('\n').at(-1) ?? '';
}

export function refusedWith(stderr: string, reason: string): string {
  if (!stderr.includes(reason)) throw new Error(`it ended without saying why: ${stderr}`);
  return stderr;
}

/**
 * Runs a script as another user, who then owns the links that it makes; without root as this user.
 */
export function plant(target: Pick<Target, 'folder'>, script: string): void {
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

export const open = (path: string, mode: number): string => {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
};
export const victimOf = (folder: string): string => join(folder, 'victim');
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
export async function openTarget(): Promise<Target> {
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

export async function picture(screens: string): Promise<string> {
  const answer = await fetch(`${screens}/shop/logo`, { signal: AbortSignal.timeout(5_000) });
  return `${answer.status} ${(await answer.text()).slice(0, 40)}`;
}

/** A picture is served once a screen has shown it. */
export async function showPictures(screens: string): Promise<void> {
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
