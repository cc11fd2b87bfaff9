import { expect, test } from 'vitest';
import { fetchHttp } from '../../../../main/wallets/http/http.ts';

test('the error of a header that cannot be sent names it, and keeps its value, which may be a secret, to itself', async () => {
  const request = {
    method: 'GET',
    url: 'http://127.0.0.1:9/',
    headers: { authorization: 'Bearer the-\nkey' },
    body: null,
  } as const;
  const error: unknown = await fetchHttp(request, new AbortController().signal).catch(
    (thrown: unknown) => thrown,
  );
  expect(String(error)).toContain('authorization');
  expect(String(error)).not.toContain('key');
});
