import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listeningPort } from '../../../../main/core/domain/listening-port.ts';
import { apiAddress } from '../../../../main/core/domain/api-address.ts';
import { checkedApi } from '../../../../main/counter/setup/till-api.ts';
import { TillApi } from '../../../../preload/procedures/setup-fields.ts';
import { selfSigned } from '../../../support/self-signed.ts';

const nowMs = Date.parse('2027-01-01T00:00:00Z');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-api-'));
  writeFileSync(join(folder, 'api.pem'), selfSigned.cert);
  writeFileSync(join(folder, 'api.key'), selfSigned.key);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const right = { certificate: 'api.pem', key: 'api.key' };
const check = (
  about: object,
  { servedPort = null, at = nowMs }: { servedPort?: number | null; at?: number } = {},
) => checkedApi(TillApi.parse({ port: 0, ...about }), { folder, servedPort, nowMs: at });
const withTls = (tls: object) => check({ host: '0.0.0.0', tls: { ...right, ...tls } });

test('on this computer alone it needs no certificate', async () => {
  expect(await check({})).toEqual({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    origins: [],
    names: [],
  });
  await expect(check({ host: '0.0.0.0' })).rejects.toMatchObject({
    code: 'tlsMissing',
    field: 'certificate',
  });
});

test('paths begin at the settings, and become whole', async () => {
  expect(await withTls({})).toMatchObject({
    tls: { certificate: join(folder, 'api.pem'), key: join(folder, 'api.key') },
  });
});

test('files that are not there, not readable or not right are named at their field', async () => {
  const refused = async (tls: object, code: string, field: string) =>
    expect(withTls(tls)).rejects.toMatchObject({ code, field });
  await refused({ certificate: 'none.pem' }, 'fileAbsent', 'certificate');
  await refused({ key: 'none.key' }, 'fileAbsent', 'key');
  mkdirSync(join(folder, 'folder'));
  await refused({ key: 'folder' }, 'fileUnreadable', 'key');
  await refused({ certificate: 'api.key' }, 'notACertificate', 'certificate');
  await refused({ key: 'api.pem' }, 'notAKey', 'key');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(join(folder, 'other.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await refused({ key: 'other.key' }, 'keyMismatch', 'key');
  writeFileSync(
    join(folder, 'locked.key'),
    privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'secret',
    }),
  );
  await refused({ key: 'locked.key' }, 'notAKey', 'key');
});

test.skipIf(process.platform === 'win32')(
  'a pipe, a device or an endless file in place of either is refused at once',
  async () => {
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'api.large'), '');
    truncateSync(join(folder, 'api.large'), 1_000_001);
    for (const path of ['pipe', '/dev/zero', 'api.large']) {
      await expect(withTls({ certificate: path })).rejects.toMatchObject({
        code: 'fileUnreadable',
        field: 'certificate',
      });
      await expect(withTls({ key: path })).rejects.toMatchObject({
        code: 'fileUnreadable',
        field: 'key',
      });
    }
  },
);

test('a certificate that is not valid yet, or not any more, is refused', async () => {
  const tls = { host: '0.0.0.0', tls: right };
  for (const at of ['2020-01-01', '2127-01-01'])
    await expect(check(tls, { at: Date.parse(at) })).rejects.toMatchObject({
      code: 'certificateExpired',
      field: 'certificate',
    });
});

test('a port that another program has is refused; one that this daemon serves it at is not, and an address of elsewhere is', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = listeningPort(other);
  try {
    await expect(check({ port })).rejects.toMatchObject({
      code: 'portTaken',
      field: 'port',
      facts: { count: port },
    });
    expect(await check({ port }, { servedPort: port })).toMatchObject({ port });
  } finally {
    other.close();
  }
  await expect(check({ host: '203.0.113.7', tls: right })).rejects.toMatchObject({
    code: 'hostNotHere',
    field: 'host',
  });
});

test('a port that the system reserves is refused with the command that lists such ports, a privileged one with another reason', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    queueMicrotask(() =>
      this.emit('error', Object.assign(new Error('listen EACCES'), { code: 'EACCES' })),
    );
    return this;
  });
  try {
    const detail = expect.stringMatching(/excludedportrange/);
    await expect(check({ port: 4_182 })).rejects.toMatchObject({
      code: 'portReserved',
      field: 'port',
      facts: { count: 4_182, detail },
    });
    const privileged = process.platform === 'win32' ? 'portReserved' : 'portPrivileged';
    await expect(check({ port: 443 })).rejects.toMatchObject({
      code: privileged,
      field: 'port',
      facts: { count: 443 },
    });
  } finally {
    listen.mockRestore();
  }
});

test('the till is told the name in the certificate, or the address', () => {
  const at = { host: '192.168.1.20', port: 4_182, tls: null, origins: [], names: [] };
  expect(apiAddress(false, at)).toBe('http://192.168.1.20:4182');
  expect(apiAddress(true, { ...at, names: ['till-1.shop.example'] })).toBe(
    'https://till-1.shop.example:4182',
  );
  expect(apiAddress(false, { ...at, host: '::1' })).toBe('http://[::1]:4182');
});
