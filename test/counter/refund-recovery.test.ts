import { afterEach, describe, expect, test } from 'vitest';
import { BMP } from '../../main/tills/zvt/bitmaps.ts';
import { RESULT } from '../../main/tills/zvt/result-codes.ts';
import { decodeText } from '../../main/tills/zvt/text.ts';
import { Counter, type ServiceRefund } from '../support/counter.ts';
import { until } from '../support/processes.ts';

let counter: Counter;
afterEach(() => counter?.close());

/** A sale of 5.00, paid and captured: receipt 1. */
async function openWithSale(transport: 'serial' | 'tcp'): Promise<void> {
  counter = await Counter.open({ transport });
  await register();
  const payment = counter.till.pay(500, 'DKK');
  await counter.customerPays();
  expect(await payment).toMatchObject({ ended: { by: 'completion' } });
  await counter.serviceSays('Captured');
}
/** Over TCP each connection registers before it may ask for money back. */
const register = () => counter.till.register({ currency: 'DKK', config: 0 });
const refunds = async (): Promise<ServiceRefund[]> => (await counter.state()).refunds;
/**
 * The refund's request is on disk, and the request to the service is about to be sent, or was just
 * sent.
 */
const isAskedFor = () =>
  until(
    () =>
      counter.daemon
        .log()
        .some(({ msg, refundOrderId }) => msg === 'refund' && refundOrderId !== undefined),
    'the refund',
  );

/** The code and the text that the till gets when it requests the refund of the whole sale. */
async function ask(): Promise<{ code: number; says: string }> {
  const { refused, ended, statusInformations } = await counter.till.reverse(1);
  const text = statusInformations.at(-1)?.get(BMP.additionalText);
  return {
    code: refused ?? (ended?.by === 'abort' ? ended.code : RESULT.ok),
    says: text === undefined ? '' : decodeText(text),
  };
}

/**
 * Asks as soon as the terminal listens, until the sale is refunded. @returns the codes before that
 */
async function askUntilRefunded(): Promise<number[]> {
  const heard: number[] = [];
  await until(async () => {
    const { code } = await ask();
    if (code === RESULT.ok) return true;
    heard.push(code);
    return false;
  }, 'the refund');
  return heard;
}

describe.each(['tcp', 'serial'] as const)(
  'the process is killed right after a till has asked for a refund (%s)',
  (transport) => {
    test.each([
      ['before the create request has reached the service', 'timeoutBefore', isAskedFor],
      [
        'after the service has carried it out',
        'timeoutAfter',
        () => until(async () => (await refunds()).length > 0, 'the refund at the service'),
      ],
    ] as const)(
      '%s: asked again at once the till never hears that it is refunded, and then it is, once',
      async (_when, kind, happened) => {
        await openWithSale(transport);
        await counter.fault({ operation: 'createRefund', kind, times: 100 });
        void counter.till.reverse(1);
        await happened();
        await counter.daemon.end('SIGKILL');
        await counter.noFaults();
        await counter.till.close();
        await counter.startDaemon();
        counter.till = await counter.connectTill();
        await register();
        const heard = await askUntilRefunded();
        // The till is told nothing but "not ready", "busy" and "being cleared up".
        expect(
          heard.filter((code) => code !== RESULT.noConnection && code !== RESULT.pleaseWait),
        ).toEqual([]);
        // The lost refund was found by its key and cancelled; the second one is paid out.
        const states = async (): Promise<string[]> =>
          (await refunds()).map(({ status, amount }) => `${status} ${amount}`);
        await expect.poll(states).toEqual(['CancelledByClient 5', 'Captured 5']);
        expect((await counter.state()).violations).toMatchObject({
          keyReuse: 0,
          retriesBeyondLimit: 0,
        });
      },
    );
  },
);

test('while the service does not answer about it, the till hears that it is being cleared up and when to ask again', async () => {
  await openWithSale('tcp');
  await counter.fault({ operation: 'createRefund', kind: 'timeoutBefore', times: 1_000 });
  void counter.till.reverse(1);
  await isAskedFor();
  await counter.fault({ operation: 'listRefunds', kind: 'status500', times: 1_000 });
  await counter.restartDaemon();
  await register();
  expect(await ask()).toEqual({
    code: RESULT.pleaseWait,
    says: 'Refund pending, try again in 1 min',
  });
  await counter.noFaults();
  const heard = await askUntilRefunded();
  expect(new Set(heard)).not.toContain(RESULT.alreadyReversed);
  expect(
    (await refunds()).filter(({ status }) => status === 'Captured' || status === 'Reserved'),
  ).toHaveLength(1);
});
