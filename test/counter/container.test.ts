/**
 * Checks what can be checked of the container without Docker: its files are complete, and its
 * health check works.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packaged } from '../../main/host/boot/definition.ts';
import { isLong } from '../support/long.ts';

const root = join(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', '');
const { services, volumes } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8')) as {
  services: Record<
    string,
    { volumes: string[]; environment: { TZ: string }; logging: object; group_add?: string[] }
  >;
  volumes: Record<string, null>;
};
const sent = readFileSync(join(root, '.dockerignore'), 'utf8');
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
  paths.split(' '),
);

test('what is copied is there, and is sent to who builds', () => {
  expect(copied.length).toBeGreaterThan(5);
  expect(
    copied.filter(
      (path) => !existsSync(join(root, path)) || !sent.includes(`!${path.replace('./', '')}\n`),
    ),
  ).toEqual([]);
});

test('nothing runs as root, and the compose file takes every right away', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM'));
  expect(last).toMatch(/^USER tillbeacon$/m);
  expect(last.slice(last.indexOf('\nUSER'))).not.toMatch(/^RUN|^USER root/m);
  expect(Object.keys(services)).toEqual(['daemon', 'simulator']);
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      image: 'tillbeacon',
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      network_mode: 'host',
    });
    expect(
      Object.keys(service).filter((key) =>
        ['privileged', 'cap_add', 'user', 'devices'].includes(key),
      ),
    ).toEqual([]);
  }
});

test('the data is in a volume, in the folder that the daemon is started with', () => {
  const instruction = (name: string): string[] =>
    [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, value = '']) => value);
  expect(instruction('VOLUME')).toEqual([packaged.data]);
  expect(JSON.parse(instruction('ENTRYPOINT')[0] ?? '')).toEqual(['/opt/tillbeacon/tillbeacon']);
  expect(JSON.parse(instruction('CMD').at(-1) ?? '')).toEqual([
    'daemon',
    '--data',
    packaged.data,
    '--port',
    '4180',
  ]);
  const mounted = Object.values(services).map((service) =>
    service.volumes.map((volume) => volume.split(':')),
  );
  expect(mounted).toEqual(Object.keys(volumes).map((name) => [[name, packaged.data]]));
});

test('base images are named with a digest, and nothing else is fetched by a tag alone', () => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  expect(dockerfile).not.toMatch(/^# *syntax=/m);
});

test.each([
  ['amd64', 'x64'],
  ['arm64', 'arm64'],
  ['arm', null],
  ['', null],
])('an image for “%s” gets the Node of that architecture', (target, arch) => {
  // BuildKit sets it, unless the file has a default.
  expect(dockerfile).toMatch(/^ARG TARGETARCH$/m);
  const choice = /^RUN (case "\$TARGETARCH".+? esac)/m.exec(dockerfile)?.[1] ?? '';
  expect(dockerfile).toContain(' --arch "$arch" ');
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${choice} && echo "$arch"`], {
    env: { TARGETARCH: target },
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual(arch === null ? [1, ''] : [0, `${arch}\n`]);
  if (arch === null) expect(stderr).toContain('BuildKit');
});

test('the time zone and the group of serial ports are the host’s, and logs are bounded', () => {
  for (const service of Object.values(services)) {
    expect(service.environment.TZ).toMatch(/^\$\{TZ:\?set the time zone/);
    expect(service.logging).toEqual({
      driver: 'json-file',
      options: { 'max-size': '10m', 'max-file': '5' },
    });
  }
  // A name would be looked up in the image, whose numbers are its own.
  expect(services['daemon']?.group_add).toEqual([expect.stringMatching(/^\$\{SERIAL_GID:-\d+\}$/)]);
  const compose = readFileSync(join(root, 'compose.yaml'), 'utf8');
  const commands = [...compose.matchAll(/^ *# +(echo ".+" >> \.env)$/gm)].map(
    ([, command]) => command,
  );
  expect(commands).toEqual([
    'echo "TZ=$(timedatectl show --property=Timezone --value)" >> .env',
    'echo "SERIAL_GID=$(stat --format=%g /dev/ttyUSB0)" >> .env',
  ]);
});

test('its memory is allocated as in the service', () => {
  const unit = readFileSync(join(root, 'assets/service/tillbeacon.service'), 'utf8');
  const environment = [...unit.matchAll(/^Environment=(.+)$/gm)].map(([, variables]) => variables);
  expect(dockerfile).toContain(`\nENV ${environment.join(' ')}\n`);
});

test('it is healthy while the daemon answers, also when it is not ready', async () => {
  const check = JSON.parse(
    /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]',
  ) as string[];
  expect(check.slice(0, 2)).toEqual(['/opt/tillbeacon/bin/node', '-e']);
  let status = 200;
  const server = createServer(({ url }, response) =>
    response.writeHead(url === '/healthz' ? status : 503).end(),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const healthy = async (port = (server.address() as AddressInfo).port): Promise<boolean> => {
    const [code] = (await once(
      spawn(process.execPath, ['-e', (check[2] ?? '').replace('4180', String(port))]),
      'close',
    )) as [number];
    return code === 0;
  };
  expect(await healthy()).toBe(true);
  status = 503;
  expect(await healthy()).toBe(false);
  server.close();
  expect(await healthy(1)).toBe(false);
});

test.runIf(isLong && process.platform === 'linux')(
  'what is copied is enough to build the package (npm run test:long)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-container-'));
    try {
      for (const path of copied) cpSync(join(root, path), join(folder, path), { recursive: true });
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const args = [
        'scripts/package-daemon.mjs',
        '--fast',
        '--format',
        'tar.gz',
        '--arch',
        process.arch,
        '--output',
        join(folder, 'packages'),
      ];
      expect(dockerfile).toContain('npm run package:daemon -- --fast --format tar.gz');
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: folder,
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
