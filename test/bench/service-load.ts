/**
 * Whole payments against the simulator as its own process, as fast as it answers: how many requests
 * a second it serves.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { systemIds } from '../../main/core/domain/ids.ts';

const entry = fileURLToPath(new URL('../../out/main/simulator.js', import.meta.url));
const phoneNumber = '+4520031801';
const connections = 32;

interface Ready {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly merchantVat: string;
  readonly storeIds: readonly string[];
}

/** @returns requests answered in a second, all of them with success */
export async function measureService(pointsOfSale: number, seconds: number): Promise<number> {
  const child = spawn(process.execPath, [entry, '--port', '0', '--poll-delay', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    return await drive(JSON.parse(line) as Ready, pointsOfSale, seconds);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}

async function drive(
  { baseUrl, clientId, clientSecret, merchantVat, storeIds }: Ready,
  pointsOfSale: number,
  seconds: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let answered = 0;
  const send = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body = '',
  ): Promise<Record<string, string>> =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        baseUrl + path,
        {
          method,
          agent,
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8').on('data', (part: string) => (text += part));
          incoming.once('end', () => {
            answered += 1;
            if (incoming.statusCode === 200)
              resolve((text === '' ? {} : JSON.parse(text)) as Record<string, string>);
            else reject(new Error(`${method} ${path}: ${incoming.statusCode} ${text}`));
          });
        },
      );
      outgoing.once('error', reject).end(body);
    });
  const form = {
    authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const token = await send(
    'POST',
    '/connect/token',
    form,
    `grant_type=client_credentials&merchant_vat=${merchantVat}`,
  );
  const call = (method: string, path: string, body?: object): Promise<Record<string, string>> =>
    send(
      method,
      path,
      {
        authorization: `Bearer ${token['access_token']}`,
        'x-service-client-system-version': '1.2.3',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'x-service-idempotency-key': systemIds.uuid() }),
      },
      body === undefined ? '' : JSON.stringify(body),
    );
  const counters = await Promise.all(
    Array.from({ length: pointsOfSale }, async (_, index) => {
      const about = {
        merchantPosId: `lane-${index}`,
        storeId: storeIds[0],
        name: `Lane ${index}`,
        supportedBeaconTypes: ['QR'],
      };
      const { posId = '' } = await call('POST', '/v10/pointofsales', about);
      const { beaconId = '' } = await call('GET', `/v10/pointofsales/${posId}`);
      return { posId, beaconId };
    }),
  );
  const terms = { amount: 12.5, currencyCode: 'DKK', plannedCaptureDelay: 'None' };
  const endMs = performance.now() + seconds * 1_000;
  const startedMs = performance.now();
  answered = 0;
  // A counter takes one payment after the other; so many counters are at it at the same time as
  // there are connections.
  const atIt = Math.min(connections, pointsOfSale);
  await Promise.all(
    Array.from({ length: atIt }, async (_, first) => {
      for (let turn = first; performance.now() < endMs; turn += atIt) {
        const { posId, beaconId } = counters[turn % pointsOfSale] as {
          posId: string;
          beaconId: string;
        };
        const { paymentId } = await call('POST', '/v10/payments', {
          posId,
          orderId: `order-${turn}`,
          ...terms,
        });
        await call('GET', `/v10/payments/${paymentId}`);
        await call('POST', '/app/usersimulation/checkin', { beaconId, phoneNumber });
        await call('GET', `/v10/payments/${paymentId}`);
        await call('POST', '/app/usersimulation/acceptpayment', { beaconId, phoneNumber });
        await call('GET', `/v10/payments/${paymentId}`);
        await call('POST', `/v10/payments/${paymentId}/capture`, { amount: terms.amount });
      }
    }),
  );
  agent.destroy();
  return answered / ((performance.now() - startedMs) / 1_000);
}
