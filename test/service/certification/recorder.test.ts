import { describe, expect, test } from 'vitest';
import { contentOf } from '../../../main/sandbox/certification/exchange.ts';
import { Masking } from '../../../main/sandbox/certification/masking.ts';
import { Recorder } from '../../../main/sandbox/certification/recorder.ts';
import type { HttpAnswer, HttpRequest } from '../../../main/wallets/http/http.ts';
import { pointOfSaleOperations } from '../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { profileNamed } from '../../../main/wallets/v10/v10-profile.ts';
import { ManualClock } from '../../unit/support/manual-clock.ts';

const never = new AbortController().signal;
const ok: HttpAnswer = { status: 200, retryAfterMs: null, body: '{"ok":true}' };
const get = (path: string): HttpRequest => ({
  method: 'GET',
  url: `https://host/pos${path}`,
  headers: {},
  body: null,
});

function recorderOf(answers: (HttpAnswer | Error | 'hangs')[]) {
  const clock = new ManualClock();
  const recorder = new Recorder({
    clock,
    baseUrl: 'https://host/pos/',
    profile: profileNamed('generic'),
    tokenPath: profileNamed('generic').tokenPath,
    operations: pointOfSaleOperations,
    secrets: ['top-secret'],
    send: (_request, signal) => {
      const answer = answers.shift() ?? ok;
      if (answer === 'hangs')
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  return { recorder, clock };
}

describe('the recorder', () => {
  test('knows each operation by its method and path, below whatever base address', async () => {
    const { recorder } = recorderOf([]);
    for (const path of [
      '/v10/stores/detailed',
      `/v10/stores/${'a'.repeat(36)}`,
      '/v10/payments?posId=1',
      '/v10/what',
      '/connect/token',
    ])
      await recorder.send(get(path), never);
    expect(recorder.exchanges.map(({ operation }) => operation)).toEqual([
      'listStores',
      'getStore',
      'listPayments',
      '?',
      'token',
    ]);
  });

  test('counts the attempts of the same request, until it is answered or something else is asked', async () => {
    const failing = { ...ok, status: 500 };
    const { recorder } = recorderOf([failing, new Error('ECONNRESET'), ok, ok, failing, ok, ok]);
    for (const path of ['/a', '/a', '/a', '/a', '/a', '/b', '/a'])
      await recorder.send(get(path), never).catch(() => {});
    expect(recorder.exchanges.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1, 1, 1, 1]);
    expect(recorder.exchanges[1]).toMatchObject({ answer: null, failure: 'ECONNRESET' });
  });

  test('a cut line ends what is on the way and lets nothing out; mended, it does again', async () => {
    const { recorder } = recorderOf(['hangs']);
    const waiting = recorder.send(get('/a'), never);
    recorder.cut(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
    await expect(recorder.send(get('/a'), never)).rejects.toThrow('interrupted');
    expect(recorder.exchanges).toHaveLength(1);
    recorder.mend();
    expect(await recorder.send(get('/a'), never)).toEqual(ok);
  });

  test('says why the client gave up', async () => {
    const { recorder, clock } = recorderOf(['hangs']);
    const abort = new AbortController();
    const waiting = recorder.send(get('/a'), abort.signal);
    await clock.pass(500);
    abort.abort(new Error('no answer within 500 ms'));
    await expect(waiting).rejects.toThrow();
    expect(recorder.exchanges[0]).toMatchObject({
      failure: 'no answer within 500 ms',
      sentAtMs: 0,
      endedAtMs: 500,
    });
  });
});

describe('masking', () => {
  test('takes secrets out by name and by value, wherever they turn up again', () => {
    const masking = new Masking(['top-secret']);
    expect(masking.headers({ Authorization: 'Bearer abcdef', 'X-Echo': 'top-secret' })).toEqual({
      Authorization: 'Bearer ***',
      'X-Echo': '***',
    });
    expect(
      masking.body(
        '{"access_token":"tok-4711","nested":{"clientSecret":"s3cr3t!"},"customerToken":null,"paymentId":"p"}',
      ),
    ).toBe(
      '{"access_token":"***","nested":{"clientSecret":"***"},"customerToken":null,"paymentId":"p"}',
    );
    expect(masking.body('<p>abcdef tok-4711 s3cr3t! top-secret</p>')).toBe(
      '<p>*** *** *** ***</p>',
    );
    expect(masking.body('grant_type=client_credentials&merchant_vat=DK90000028')).toBe(
      'grant_type=client_credentials&merchant_vat=DK90000028',
    );
  });
});

test('two requests are the same when method, path and body are', () => {
  const one = { method: 'POST', path: '/a', body: '{}' };
  expect(contentOf(one)).toBe(contentOf({ ...one }));
  for (const other of [{ method: 'PUT' }, { path: '/b' }, { body: null }])
    expect(contentOf({ ...one, ...other })).not.toBe(contentOf(one));
});
