// A till that takes a payment over Tillbeacon's HTTP API. usage: TILL_TOKEN=tbt_… node till.mjs
// 12.50
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const {
  TILL_URL = 'http://127.0.0.1:4182',
  TILL_TOKEN,
  TILL_CURRENCY: currency = 'DKK',
} = process.env;
const kept = 'till-payment.json';
let mayHaveBegun = existsSync(kept);

async function call(method, path, key, body) {
  const headers = {
    authorization: `Bearer ${TILL_TOKEN}`,
    'content-type': 'application/json',
    ...(key && { 'idempotency-key': key }),
  };
  for (;;) {
    const response = await fetch(`${TILL_URL}/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null);
    const answer = await response?.json().catch(() => null);
    if (answer && response.ok) return answer;
    // Refused: what it means for the money, and what to do. Only the key of a payment that cannot
    // have begun may go.
    if (answer && response.status < 500) {
      if (!mayHaveBegun) rmSync(kept);
      throw new Error(`${answer.title}. ${answer.money} ${answer.action}`);
    }
    // No answer, or not now: the same request with the same key is never a second payment.
    mayHaveBegun = true;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

// The key is on disk before the first request: whatever happens to this program, the next start
// asks for the same payment.
if (mayHaveBegun)
  console.log('Takes up the payment that was begun before. An amount given now does not count.');
else {
  const [, whole, part = ''] = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(process.argv[2]) ?? [];
  const amountMinor = Number(whole + part.padEnd(2, '0'));
  if (!(amountMinor > 0)) throw new Error('usage: node till.mjs 12.50');
  writeFileSync(kept, JSON.stringify({ key: randomUUID(), amountMinor }), { flush: true });
}
const { key, amountMinor } = JSON.parse(readFileSync(kept, 'utf8'));

let payment = await call('POST', '/payments', key, { amountMinor, currency });
mayHaveBegun = true;
process.on('SIGINT', () => {
  const cancelling = call('POST', `/payments/${payment.paymentId}/cancel`, key, {});
  cancelling.catch((error) => console.error(error.message));
});
console.log(
  `${(payment.amountMinor / 100).toFixed(2)} ${payment.currency}: please scan the code. Ctrl+C cancels.`,
);

while (payment.status === 'pending')
  payment = await call('GET', `/payments/${payment.paymentId}?wait=30`);
console.log(
  payment.status === 'paid'
    ? `Paid. Receipt ${payment.receiptNumber}.`
    : `Not paid: ${payment.reason}.`,
);
rmSync(kept);
