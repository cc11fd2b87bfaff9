import { connect, type Socket } from 'node:net';
import { ApduStream } from '../../main/tills/zvt/apdu.ts';
import { encodeBcd } from '../../main/tills/zvt/bcd.ts';
import { BMP } from '../../main/tills/zvt/bitmaps.ts';
import { encodeCurrency } from '../../main/tills/zvt/currency.ts';
import { encodePacket, positiveAnswer } from '../../main/tills/zvt/packets.ts';

/** Times of one payment, in milliseconds of this process's monotonic clock. */
export interface PaymentTimes {
  /** The authorisation's last byte was handed to the wire. */
  readonly startMs: number;
  readonly acceptedAtMs: number;
  readonly statusInformationAtMs: number;
  readonly completed: boolean;
}

/** A till that only measures times. */
export class TillClient {
  readonly #socket: Socket;
  readonly #stream = new ApduStream();
  #onApdu: (apdu: Uint8Array) => void = () => {};
  #onClosed: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('close', () => this.#onClosed());
    socket.on('data', (chunk) => {
      for (const apdu of this.#stream.push(chunk)) this.#onApdu(apdu);
    });
  }

  static connect(port: number): Promise<TillClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      socket.once('connect', () => resolve(new TillClient(socket)));
      socket.once('error', reject);
    });
  }

  pay(amountMinor: number): Promise<PaymentTimes> {
    return new Promise((resolve, reject) => {
      let acceptedAtMs = 0;
      let statusInformationAtMs = 0;
      this.#onApdu = (apdu) => {
        const command = `${apdu[0]?.toString(16)} ${apdu[1]?.toString(16)}`;
        if (command === '80 0') acceptedAtMs ||= performance.now();
        else if (apdu[0] === 0x84) reject(new Error(`the terminal refused with ${command}`));
        else {
          if (command === '4 f') statusInformationAtMs = performance.now();
          this.#socket.write(positiveAnswer);
          if (command === '6 f' || command === '6 1e')
            resolve({
              startMs: askedAtMs,
              acceptedAtMs,
              statusInformationAtMs,
              completed: command === '6 f',
            });
        }
      };
      const fields = new Map<number, Uint8Array>([
        [BMP.amount, encodeBcd(amountMinor, 6)],
        [BMP.currency, encodeCurrency('DKK')],
      ]);
      const packet = encodePacket('authorisation', { fields });
      const askedAtMs = performance.now();
      this.#onClosed = () => reject(new Error('the terminal closed the connection'));
      this.#socket.write(packet);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
