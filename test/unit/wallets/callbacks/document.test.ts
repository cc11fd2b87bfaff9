import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  keyOf,
  signatureHeaders,
} from '../../../../main/wallets/callbacks/forwarding/webhook-signature.ts';

interface Shown {
  readonly isFromTillbeacon: (
    headers: Record<string, string>,
    body: Buffer,
    secrets: readonly string[],
    nowMs: number,
  ) => boolean;
}

test('the check that docs/callbacks.md shows takes what is forwarded, and nothing else', async () => {
  const document = readFileSync(new URL('../../../../docs/callbacks.md', import.meta.url), 'utf8');
  const code = /```js\n(.*?)```/s.exec(document)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-document-'));
  const file = join(folder, 'check.mjs');
  writeFileSync(file, code);
  // Its type is that of the code block.
  const { isFromTillbeacon } = (await import(pathToFileURL(file).href)) as Shown;
  rmSync(folder, { recursive: true });

  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"seq":1,"statusText":"æ 💥"}';
  const atMs = Date.UTC(2026, 10, 21, 9);
  const keys = [secret, other].map((one) => keyOf(one) ?? Buffer.alloc(0));
  const headers = signatureHeaders({ id: 'callback_1_00', atMs, body }, keys.slice(0, 1));
  const isTaken = (
    given: Record<string, string>,
    text = body,
    secrets = [secret],
    nowMs = atMs,
  ): boolean => isFromTillbeacon({ ...headers, ...given }, Buffer.from(text), secrets, nowMs);

  expect(isTaken({})).toBe(true);
  expect(isTaken(signatureHeaders({ id: 'callback_1_00', atMs, body }, keys), body, [other])).toBe(
    true,
  );
  expect(isTaken({}, body, [other])).toBe(false);
  expect(isTaken({}, body.replace('1', '2'))).toBe(false);
  expect(isTaken({ 'webhook-id': 'callback_2_00' })).toBe(false);
  expect(isTaken({ 'webhook-timestamp': String(atMs / 1_000 + 1) })).toBe(false);
  expect(isTaken({}, body, [secret], atMs + 301_000)).toBe(false);
  expect(isTaken({ 'webhook-signature': 'v1,' })).toBe(false);
  expect(isTaken({ 'webhook-signature': '' })).toBe(false);
});
