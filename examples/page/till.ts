// A till that is a web page: takes a payment over Tillbeacon's HTTP API on the same computer.

interface Payment {
  readonly paymentId: string;
  readonly status: 'pending' | 'reserved' | 'paid' | 'notPaid';
  readonly amountMinor: number;
  readonly currency: string;
  readonly reason: string | null;
  readonly receiptNumber: number;
}
interface SavedPayment {
  readonly key: string;
  readonly amountMinor: number;
}

const apiUrl = 'http://127.0.0.1:4182/v1';
const currency = 'DKK';
const element = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const show = (text: string): void => void (element('result').textContent = text);

/** One record, in the browser's database, which is on disk when `write` resolves. */
class SavedRecord {
  async #run<Result>(work: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
    const opening = indexedDB.open('till', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('payment');
    await new Promise((resolve, reject) => {
      opening.onsuccess = resolve;
      opening.onerror = () => reject(opening.error);
    });
    const transaction = opening.result.transaction('payment', 'readwrite', {
      durability: 'strict',
    });
    const request = work(transaction.objectStore('payment'));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    opening.result.close();
    return request.result;
  }
  read = (): Promise<SavedPayment | undefined> => this.#run((store) => store.get('payment'));
  write = (payment: SavedPayment): Promise<unknown> =>
    this.#run((store) => store.put(payment, 'payment'));
  remove = (): Promise<unknown> => this.#run((store) => store.delete('payment'));
}
const saved = new SavedRecord();

/** The API refused: the message says what it means for the money, and what to do. */
class Refusal extends Error {}

async function call(method: string, path: string, key?: string, body?: object): Promise<Payment> {
  for (;;) {
    try {
      const response = await fetch(apiUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${element<HTMLInputElement>('token').value}`,
          'content-type': 'application/json',
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = await response.json();
      if (response.ok) return answer;
      if (response.status < 500)
        throw new Refusal(`${answer.title}. ${answer.money} ${answer.action}`);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      show(
        'Tillbeacon does not answer. If this browser asks whether this page may reach this computer, allow it.',
      );
    }
    // No answer, or not now: the same request with the same key is never a second payment.
    mayHaveBegun = true;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
let mayHaveBegun = false;

async function pay({ key, amountMinor }: SavedPayment): Promise<void> {
  try {
    let payment = await call('POST', '/payments', key, { amountMinor, currency });
    mayHaveBegun = true;
    const path = `/payments/${payment.paymentId}`;
    const cancel = element<HTMLButtonElement>('cancel');
    cancel.disabled = false;
    cancel.onclick = () =>
      void call('POST', `${path}/cancel`, key, {}).catch((error: Error) => show(error.message));
    while (payment.status === 'pending') {
      show(`${(amountMinor / 100).toFixed(2)} ${currency}: please scan the code.`);
      payment = await call('GET', `${path}?wait=30`);
    }
    cancel.disabled = true;
    await saved.remove();
    show(
      payment.status === 'paid'
        ? `Paid. Receipt ${payment.receiptNumber}.`
        : `Not paid: ${payment.reason}.`,
    );
  } catch (error) {
    // Only the key of a payment that cannot have begun may go.
    if (!mayHaveBegun) await saved.remove();
    show((error as Error).message);
  }
}

/** 12.50 as 1250. The field's pattern lets nothing else through. */
function amountMinor(text: string): number {
  const [whole = '', part = ''] = text.split('.');
  return Number(whole + part.padEnd(2, '0'));
}

element<HTMLFormElement>('till').onsubmit = (event) => {
  event.preventDefault();
  element<HTMLButtonElement>('pay').disabled = true;
  // One payment at a time, also where the page is open twice.
  void navigator.locks
    .request('payment', async () => {
      const before = await saved.read();
      mayHaveBegun = before !== undefined;
      const payment = before ?? {
        key: crypto.randomUUID(),
        amountMinor: amountMinor(element<HTMLInputElement>('amount').value),
      };
      if (payment.amountMinor === 0) return show('Type an amount first.');
      // The key is on disk before the first request: whatever happens to this page, the next
      // payment asks for the same one first.
      if (before === undefined) await saved.write(payment);
      else show('Takes up the payment that was begun before. The new amount does not count.');
      await pay(payment);
    })
    .finally(() => (element<HTMLButtonElement>('pay').disabled = false));
};
