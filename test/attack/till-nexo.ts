import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { hashedId, idFrom } from '../../main/core/domain/ids.ts';
import { Counter } from '../support/counter.ts';
import { key, message, payment, poiId, protect, reveal } from '../unit/tills/nexo/support.ts';
import { attackArea } from './attack.ts';
import { Intruder } from './screens-shop.ts';

/** Sends a request as a stranger would, with headers of its choice. */
function send(
  counter: Counter,
  sent: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const httpRequest = request(
      `${counter.started.api}/nexo`,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    httpRequest.on('error', reject);
    httpRequest.end(typeof sent === 'string' ? sent : JSON.stringify(sent));
  });
}

const paymentMessage = (header: object = {}) => message('Payment', payment(Date.now(), 5), header);

async function maxPayments(counter: Counter, most: number): Promise<void> {
  const { payments, refunds } = await counter.state();
  if (payments.length > most || refunds.length > 0)
    throw new Error(`the service has ${payments.length} payments and ${refunds.length} refunds`);
}

const mustBe = (what: string, status: number, ...wanted: number[]): void => {
  if (!wanted.includes(status)) throw new Error(`${what} was answered with ${status}`);
};

/** What the till reads of a protected answer. */
interface Read {
  readonly PaymentResponse?: {
    readonly Response: { readonly Result: string };
    readonly PaymentResult?: { readonly AmountsResp: { readonly AuthorizedAmount: number } };
  };
  readonly TransactionStatusResponse?: { readonly Response: { readonly ErrorCondition?: string } };
  readonly ReconciliationResponse?: { readonly POIReconciliationID: string };
}

/** Sends a message of the till, and reads the answer. */
async function say(counter: Counter, sent: ReturnType<typeof protect>): Promise<Read> {
  const { status, text } = await send(counter, sent);
  mustBe('the till', status, 200);
  const { SaleToPOIResponse } = JSON.parse(text) as {
    SaleToPOIResponse: Parameters<typeof reveal>[0];
  };
  return (reveal(SaleToPOIResponse) as { SaleToPOIResponse: Read }).SaleToPOIResponse;
}

/**
 * The ids of the payment that this message of the till begins today, in this version and in those
 * before.
 */
function idsOf(serviceId: string): string[] {
  const day = Math.floor(Date.now() / 86_400_000);
  return [
    idFrom('nexo', 'payment', poiId, 'POS-1', serviceId, day),
    hashedId(JSON.stringify(['payment', '1', `nexo ${JSON.stringify(['POS-1', serviceId, day])}`])),
  ];
}

export const tillNexoArea = attackArea<Counter>('till-nexo', {
  open: () => Counter.open({ transport: 'http', nexo: { poiId, key } }),
  close: (counter) => counter.close(),
  attacks: [
    {
      name: 'a web page begins a payment at /nexo, plain, and with a protected message that was stolen',
      async attempt(counter) {
        for (const origin of ['https://evil.example', 'null']) {
          mustBe(
            'a plain one',
            (
              await send(counter, paymentMessage(), {
                origin,
                authorization: `Bearer ${counter.token}`,
              })
            ).status,
            403,
          );
          mustBe(
            'a form',
            (await send(counter, paymentMessage(), { origin, 'content-type': 'text/plain' }))
              .status,
            403,
          );
          mustBe(
            'a protected one',
            (await send(counter, protect(paymentMessage()), { origin })).status,
            403,
          );
        }
        mustBe(
          'a foreign name',
          (await send(counter, protect(paymentMessage()), { host: 'evil.example' })).status,
          421,
        );
        await maxPayments(counter, 0);
        return 'refused by its origin and its name';
      },
    },
    {
      name: 'a program of another user sends messages without a key, and with a wrong one',
      async attempt(counter) {
        mustBe('a plain message', (await send(counter, paymentMessage())).status, 401);
        for (let guess = 0; guess < 200; guess += 1) {
          const passphrase = `guess ${String(guess).padStart(12, '0')}`;
          mustBe(
            'a guess',
            (await send(counter, protect(paymentMessage(), { ...key, passphrase }))).status,
            401,
          );
        }
        await maxPayments(counter, 0);
        const lines = counter.daemon.stderr
          .split('\n')
          .filter((line) => line.includes('is not protected with a key'));
        if (lines.length === 0 || lines.length > 20)
          throw new Error(`${lines.length} lines in the log`);
        return `answered with 401; ${lines.length} lines in the log`;
      },
    },
    {
      name: 'a program of another user writes null where the key, the token or the terminal should be',
      async attempt(counter) {
        const plain = paymentMessage({ ServiceID: '0300' }).SaleToPOIRequest;
        const { SaleToPOIRequest: sealed } = protect(
          paymentMessage({ ServiceID: '0301', POIID: null }),
          {
            ...key,
            passphrase: 'the key of another shop',
          },
        );
        const tries: Record<string, object> = {
          'no protection': { ...plain, NexoBlob: null, SecurityTrailer: null },
          'no trailer': { ...sealed, SecurityTrailer: null },
          'no HMAC': { ...sealed, SecurityTrailer: { ...sealed.SecurityTrailer, Hmac: null } },
          'no identifier': {
            ...sealed,
            SecurityTrailer: { ...sealed.SecurityTrailer, KeyIdentifier: null },
          },
          'no header': { ...sealed, MessageHeader: null },
          'no terminal': sealed,
        };
        for (const [what, one] of Object.entries(tries))
          mustBe(what, (await send(counter, { SaleToPOIRequest: one })).status, 400, 401);
        await maxPayments(counter, 0);
        return `refused ${Object.keys(tries).length} times`;
      },
    },
    {
      name: 'a program of another user sends a giant body, and another one byte by byte',
      async attempt(counter) {
        mustBe('a giant body', (await send(counter, 'x'.repeat(200_000))).status, 413);
        const { port } = new URL(counter.started.api ?? '');
        const slow = await Promise.all(
          Array.from(
            { length: 200 },
            () =>
              new Promise<Socket>((resolve, reject) => {
                const socket = connect({ port: Number(port), host: '127.0.0.1' }, () =>
                  resolve(socket),
                );
                socket.on('error', reject);
                socket.write(
                  `POST /nexo HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 60000\r\n\r\n{`,
                );
              }),
          ),
        );
        const startMs = performance.now();
        mustBe('the till', (await send(counter, protect(message('Diagnosis', {})))).status, 200);
        const tookMs = Math.round(performance.now() - startMs);
        for (const socket of slow) socket.destroy();
        if (tookMs > 2_000) throw new Error(`the till waited ${tookMs} ms`);
        await maxPayments(counter, 0);
        return 'refused with 413; the till is answered meanwhile';
      },
    },
    {
      name: 'a message that was recorded is sent again, as it is, changed, and for another terminal',
      async attempt(counter) {
        const recorded = protect(paymentMessage());
        const answer = send(counter, recorded);
        await counter.customerPays();
        mustBe('the till', (await answer).status, 200);
        await counter.serviceSays('Captured');
        for (let again = 0; again < 5; again += 1)
          mustBe('the recorded one', (await send(counter, recorded)).status, 200);
        const { SaleToPOIRequest: sent } = recorded;
        for (const header of [
          { ServiceID: '0002' },
          { SaleID: 'POS-2' },
          { POIID: 'Tillbeacon-2' },
        ])
          mustBe(
            'a changed header',
            (
              await send(counter, {
                SaleToPOIRequest: { ...sent, MessageHeader: { ...sent.MessageHeader, ...header } },
              })
            ).status,
            401,
          );
        const old = message('Payment', payment(Date.now() - 13 * 3_600_000, 5), {
          ServiceID: '0003',
        });
        mustBe('an old one', (await send(counter, protect(old))).status, 200);
        await maxPayments(counter, 1);
        return 'answered with the payment that it began; nothing else begins';
      },
    },
    {
      name: 'another till asks for, and aborts, a payment by its names',
      async attempt(counter) {
        const answer = send(counter, protect(paymentMessage({ ServiceID: '0007' })));
        await counter.serviceSays('Initiated');
        const about = {
          MessageReference: { MessageCategory: 'Payment', SaleID: 'POS-1', ServiceID: '0007' },
          AbortReason: 'MerchantAbort',
        };
        const stranger = { ...key, passphrase: 'the key of another shop' };
        for (const category of ['Abort', 'TransactionStatus']) {
          mustBe(
            category,
            (await send(counter, protect(message(category, about, { SaleID: 'POS-9' }), stranger)))
              .status,
            401,
          );
          mustBe(
            category,
            (await send(counter, message(category, about, { SaleID: 'POS-1' }))).status,
            401,
          );
        }
        await counter.customerPays();
        mustBe('the till', (await answer).status, 200);
        await counter.serviceSays('Captured');
        return 'refused without the key; the payment is taken';
      },
    },
    {
      name: 'a program without credentials pays 1.00 by hand under the ids that the till’s next messages lead to',
      async attempt(counter) {
        const intruder = await Intruder.at(counter.started.screens);
        let accepted = 0;
        for (const actionId of idsOf('0100')) {
          const answer = await intruder.ask('payByHand', {
            laneId: '1',
            actionId,
            amountMinor: 100,
            orderText: null,
          });
          if (!answer.ok) throw new Error(`it could not pay: ${answer.code}`);
          await counter.customerPays();
          await counter.serviceSays('Captured');
          accepted += 1;
        }
        intruder.socket.terminate();
        const about = {
          MessageReference: { MessageCategory: 'Payment', SaleID: 'POS-1', ServiceID: '0100' },
        };
        const texts = (
          await say(counter, protect(message('TransactionStatus', about, { ServiceID: '0101' })))
        ).TransactionStatusResponse;
        if (texts?.Response.ErrorCondition !== 'NotFound')
          throw new Error(`the till was told ${JSON.stringify(texts)}`);
        const paying = say(
          counter,
          protect(message('Payment', payment(Date.now(), 500), { ServiceID: '0100' })),
        );
        await counter.customerPays();
        const paid = (await paying).PaymentResponse;
        const { AuthorizedAmount } = paid?.PaymentResult?.AmountsResp ?? {};
        if (paid?.Response.Result !== 'Success' || AuthorizedAmount !== 500)
          throw new Error(`the till was told ${JSON.stringify(paid)}`);
        await counter.serviceSays('Captured');
        return `${accepted} names taken, none of them the till’s: its 500.00 is paid`;
      },
    },
    {
      name: 'a reconciliation that was recorded is sent again after another closing',
      async attempt(counter) {
        const of = (serviceId: string) =>
          protect(
            message(
              'Reconciliation',
              { ReconciliationType: 'SaleReconciliation' },
              { ServiceID: serviceId },
            ),
          );
        const numberOf = async (serviceId: string) =>
          (await say(counter, of(serviceId))).ReconciliationResponse?.POIReconciliationID;
        const numbers = [
          await numberOf('C1'),
          await numberOf('C2'),
          await numberOf('C1'),
          await numberOf('C1'),
          await numberOf('C2'),
        ];
        if (numbers.join() !== '1,2,1,1,2')
          throw new Error(`the closings were told as ${numbers.join(', ')}`);
        return 'told as it was; nothing is closed again';
      },
    },
    {
      name: 'a stranger asks which terminals, keys and versions there are',
      async attempt(counter) {
        const right = protect(paymentMessage({ ServiceID: '0200' }));
        const { SaleToPOIRequest: sent } = right;
        const { MessageHeader, SecurityTrailer, NexoBlob } = sent;
        const blob = Buffer.from(NexoBlob, 'base64');
        const tries: Record<string, object> = {
          'another passphrase': protect(paymentMessage({ ServiceID: '0200' }), {
            ...key,
            passphrase: 'the key of another shop',
          }).SaleToPOIRequest,
          'another terminal': {
            ...sent,
            MessageHeader: { ...MessageHeader, POIID: 'Tillbeacon-2' },
          },
          'another key': {
            ...sent,
            SecurityTrailer: { ...SecurityTrailer, KeyIdentifier: 'other' },
          },
          'another version': { ...sent, SecurityTrailer: { ...SecurityTrailer, KeyVersion: 2 } },
          'another dialect': {
            ...sent,
            SecurityTrailer: { ...SecurityTrailer, AdyenCryptoVersion: 2 },
          },
          'another header': { ...sent, MessageHeader: { ...MessageHeader, SaleID: 'POS-2' } },
          'wrong padding': {
            ...sent,
            NexoBlob: Buffer.concat([blob.subarray(0, -16), Buffer.alloc(16)]).toString('base64'),
          },
          'another length': { ...sent, NexoBlob: blob.subarray(1).toString('base64') },
        };
        const answers = await Promise.all(
          Object.values(tries).map((one) => send(counter, { SaleToPOIRequest: one })),
        );
        const outcomes = new Set(answers.map(({ status, text }) => `${status} ${text}`));
        if (outcomes.size !== 1)
          throw new Error(
            `${Object.keys(tries).join(', ')}: ${answers.map(({ text }) => text).join(' ')}`,
          );
        return `told ${[...outcomes].join('')} each time`;
      },
    },
  ],
});
