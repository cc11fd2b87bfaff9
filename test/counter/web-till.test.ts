/**
 * A till that is a page in a browser, over https and from the internet, with a Chromium that asks
 * before a page may reach this computer (Local Network Access, from version 142 on).
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { selfSigned } from '../support/self-signed.ts';

const service = fileURLToPath(new URL('../../out/main/service.js', import.meta.url));
const documentText = readFileSync(
  fileURLToPath(new URL('../../docs/developers.md', import.meta.url)),
  'utf8',
);
const printed = /```js\n([^]*?)```/.exec(documentText)?.[1] ?? '';
const till = 'https://till.example';
const stranger = 'https://stranger.example';
const version = Number(
  / (\d+)\./.exec(spawnSync(chromiumPath(), ['--version'], { encoding: 'utf8' }).stdout)?.[1],
);
const mayMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

describe.skipIf(version < 142)('a page of the internet (needs Chromium 142)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-web-till-'));
  let counter: Counter;
  let pages: Server;
  let browser: Browser | null = null;
  beforeAll(async () => {
    counter = await Counter.open({
      transport: 'http',
      more: async () => ({ settings: { api: { port: 0, origins: [till] } } }),
    });
    pages = createServer(selfSigned, (_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Till</title>'),
    );
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await browser?.close();
    browser = null;
  });
  afterAll(async () => {
    pages?.close();
    await counter?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens the page as one of the internet, though it is served here. */
  async function open(
    origin: string,
    { executablePath = chromiumPath(), isAllowed = false } = {},
  ): Promise<{ page: Page; said: string[] }> {
    const { port } = pages.address() as AddressInfo;
    browser = await launchChromium({
      executablePath,
      args: [
        `--host-resolver-rules=MAP *.example:443 127.0.0.1:${port}`,
        `--ip-address-space-overrides=127.0.0.1:${port}=public`,
      ],
    });
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    if (isAllowed) await context.grantPermissions(['local-network-access'], { origin });
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(origin);
    return { page, said };
  }

  /** Begins a payment as the page does. */
  const pay = (page: Page): Promise<string> =>
    page.evaluate(
      async ({ address, token, key }) => {
        const headers = {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        };
        const body = JSON.stringify({ amountMinor: 500, currency: 'DKK' });
        // TypeScript does not know it yet.
        const more: object = { targetAddressSpace: 'loopback' };
        const { status } = await fetch(`${address}/v1/payments`, {
          method: 'POST',
          headers,
          body,
          ...more,
        });
        return String(status);
      },
      { address: counter.started.api ?? '', token: counter.token, key: randomUUID() },
    );
  const isFree = async (): Promise<boolean> =>
    (await counter.ask('GET', '/lanes/1')).body['state'] === 'ready';
  async function cancel(): Promise<void> {
    const { body } = await counter.ask('GET', '/lanes/1');
    await counter.ask('POST', `/payments/${String(body['paymentId'])}/cancel`, {
      key: randomUUID(),
      body: {},
    });
    await expect.poll(isFree).toBe(true);
  }

  /** What the permission is, as the program in docs/developers.md reads it. */
  const access = (page: Page): Promise<unknown> => page.evaluate(`(${printed})()`);

  test('that nobody has allowed reaches nothing, and the browser alone knows why', async () => {
    const { page, said } = await open(till);
    await expect(pay(page)).rejects.toThrow('Failed to fetch');
    expect(said.join('\n')).toContain(
      'Permission was denied for this request to access the `loopback` address space',
    );
    // Without a window nobody can be asked, which counts as a no.
    expect(await access(page)).toBe('denied');
    expect(await isFree()).toBe(true);
  });

  test('that a person has allowed begins a payment', async () => {
    const { page } = await open(till, { isAllowed: true });
    expect(await access(page)).toBe('granted');
    expect(await pay(page)).toBe('201');
    await cancel();
  });

  test('that the settings do not name begins none, also where a person has allowed it', async () => {
    const { page } = await open(stranger, { isAllowed: true });
    await expect(pay(page)).rejects.toThrow('Failed to fetch');
    expect(await isFree()).toBe(true);
  });

  describe.runIf(mayMount)(
    'with the policy that “service browsers” writes (needs Linux and root)',
    () => {
      /** A Chromium that sees its own /etc, in which the command has written. */
      function withPolicy(): string {
        const path = join(folder, 'chromium');
        const script = [
          'set -e',
          `mount -t tmpfs tmpfs ${folder}`,
          `mkdir ${folder}/changed ${folder}/work`,
          `mount -t overlay overlay -o lowerdir=/etc,upperdir=${folder}/changed,workdir=${folder}/work /etc`,
          `${process.execPath} ${service} browsers --data ${counter.folder} >&2`,
          `exec ${chromiumPath()} "$@"`,
        ];
        writeFileSync(
          path,
          `#!/bin/sh\nexec unshare --mount sh -c '${script.join('\n')}' sh "$@"\n`,
          { mode: 0o755 },
        );
        return path;
      }

      test('begins a payment, and no person is asked', async () => {
        const { page } = await open(till, { executablePath: withPolicy() });
        expect(await pay(page)).toBe('201');
        await cancel();
      });

      test('reaches nothing where the settings do not name it', async () => {
        const { page, said } = await open(stranger, { executablePath: withPolicy() });
        await expect(pay(page)).rejects.toThrow('Failed to fetch');
        expect(said.join('\n')).toContain('Permission was denied');
      });
    },
  );
});
