import type { Language } from '../../../../main/core/domain/languages.ts';
import { once } from 'node:events';
import { connect, type createServer, type Socket } from 'node:net';
import { Register } from '../../../../main/sandbox/till/register.ts';
import { NoticeBoard } from '../../../../main/counter/manager/health/notice-board.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { noNotices } from '../../../../main/core/domain/notices.ts';
import type { RefundTicket, PaymentTicket } from '../../../../main/core/domain/sale.ts';
import type { ClosingTold, DayTotalsTold } from '../../../../main/core/domain/day.ts';
import {
  type OpenSerialWire,
  PortError,
  type Wire,
  type WireListener,
} from '../../../../main/core/domain/wire.ts';
import type {
  BookingAnswer,
  BookingEnd,
  BookingRequest,
  BookingTicket,
  ClosingAnswer,
  FinishedBooking,
  FinishedRefund,
  FinishedPayment,
  Hindrance,
  LaneCommands,
  OpenReservation,
  RefundAnswer,
  RefundRequest,
  PaymentAnswer,
  PaymentRequest,
  Till,
  TillLink,
} from '../../../../main/core/lane/till-port.ts';
import { hex } from '../../../../main/tills/zvt/packets.ts';
import type { Deviations } from '../../../../main/core/domain/till-profiles.ts';
import type { TillPermissions } from '../../../../main/tills/zvt/permissions.ts';
import type { RecordingSink } from '../../../../main/tills/zvt/recorder.ts';
import { encodeBlock, SerialDecoder } from '../../../../main/tills/zvt/serial-framing.ts';
import {
  createZvtTill,
  type StoredLanguage,
  type ZvtSettings,
} from '../../../../main/tills/zvt/till.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';

export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text.trim().split(/\s+/), (byte) => Number.parseInt(byte, 16));

export const ticket: PaymentTicket = {
  saleId: '5a1e0000-0000-4000-8000-000000000001',
  orderId: '1-000001-5a1e0000',
  amountMinor: 1234,
  currency: 'DKK',
  receiptNumber: 1,
  traceNumber: 1,
  startedAtMs: Date.UTC(2026, 10, 21, 9, 0, 0),
};

export const refundTicket: RefundTicket = {
  refundOrderId: 'R1-000042-0f0d0000',
  saleId: ticket.saleId,
  amountMinor: 1234,
  currency: 'DKK',
  receiptNumber: 18,
  traceNumber: 42,
  originalReceiptNumber: 17,
  originalTraceNumber: 41,
  startedAtMs: Date.UTC(2026, 10, 21, 9, 0, 0),
};

/** A lane whose results the test sets, and which records the requests. */
export class ScriptedViews implements LaneCommands {
  readonly asked: string[] = [];
  readonly refundRequests: RefundRequest[] = [];
  readonly links: TillLink[] = [];
  sale: PaymentAnswer = { accepted: true, sale: ticket };
  abortAnswer: 'aborting' | 'tooLate' = 'aborting';
  ready: 'ready' | 'busy' | 'notReady' = 'ready';
  hindered: Hindrance | null = null;
  last: FinishedPayment | FinishedRefund | FinishedBooking | null = null;
  refund: RefundAnswer = { accepted: true, refund: refundTicket };
  onAbort = (): void => {};

  requestSale({ amountMinor, currency, reserve }: PaymentRequest): PaymentAnswer {
    this.asked.push(`${reserve ? 'reserve' : 'sale'} ${amountMinor} ${currency}`);
    return this.sale;
  }
  saleTried({ amountMinor, currency }: PaymentRequest): void {
    this.asked.push(`tried ${amountMinor} ${currency}`);
  }
  booking: BookingAnswer = { accepted: false, reason: 'unknownReservation' };
  bookingEnd: BookingEnd = 'booked';
  open: readonly OpenReservation[] | null = null;
  requestBooking({ receiptNumber, traceNumber, what, currency }: BookingRequest): BookingAnswer {
    this.asked.push(
      `book ${receiptNumber ?? '-'}/${traceNumber ?? '-'}: ${what.kind} ${what.amountMinor ?? 'all'} ${currency ?? '-'}`,
    );
    return this.booking;
  }
  endBooking(_booking: BookingTicket, acknowledged: boolean): BookingEnd {
    this.asked.push(acknowledged ? 'booked' : 'not booked');
    return acknowledged ? this.bookingEnd : 'notAcknowledged';
  }
  openReservations(): readonly OpenReservation[] | null {
    return this.open;
  }
  abortSale(): 'aborting' | 'tooLate' {
    this.asked.push('abort');
    this.onAbort();
    return this.abortAnswer;
  }
  requestRefund(request: RefundRequest): RefundAnswer {
    this.refundRequests.push(request);
    const { receiptNumber, amountMinor, currency } = request;
    this.asked.push(`refund of ${receiptNumber}: ${amountMinor ?? 'all'} ${currency}`);
    return this.refund;
  }
  abortRefund(refundOrderId: string): 'aborting' | 'tooLate' {
    this.asked.push(`abort ${refundOrderId}`);
    this.onAbort();
    return this.abortAnswer;
  }
  tillLost(id: string): void {
    this.asked.push(`lost ${id}`);
  }
  readiness(): 'ready' | 'busy' | 'notReady' {
    return this.ready;
  }
  hindrance(): Hindrance | null {
    return this.hindered ?? (this.ready === 'notReady' ? 'serviceUnreachable' : null);
  }
  lastFinished(): FinishedPayment | FinishedRefund | FinishedBooking | null {
    return this.last;
  }
  closing: ClosingAnswer = { closed: false, reason: 'noClosings' };
  totals: DayTotalsTold | null = null;
  closedLast: ClosingTold | null = null;
  closeDay(from: string): ClosingAnswer {
    this.asked.push(`close the day, from ${from}`);
    if (this.closing.closed) this.closedLast = this.closing.closing;
    return this.closing;
  }
  dayTotals(): DayTotalsTold | null {
    return this.totals;
  }
  lastClosing(): ClosingTold | null {
    return this.closedLast;
  }
  between: readonly (FinishedPayment | FinishedRefund | FinishedBooking)[] | null = null;
  finishedBetween(first: number, last: number) {
    this.asked.push(`receipts ${first} to ${last}`);
    return this.between;
  }
  tillLink(link: TillLink): void {
    this.links.push(link);
  }
}

/**
 * A serial cable in memory: it keeps what the terminal writes, block by block, and answers as the
 * test's till would.
 */
export class Cable {
  readonly clock = new ManualClock();
  readonly commands = new ScriptedViews();
  /** Everything that the terminal put on the line: hex of packets, `ACK`, `NAK`. */
  readonly seen: string[] = [];
  /** The number of ports that were opened. */
  opened = 0;
  stopBits: 1 | 2 | null = null;
  present = true;
  /** Whether the till answers blocks with 06. */
  acknowledgesBlocks = true;
  till: Till;
  #listener: WireListener | null = null;
  #decoder = new SerialDecoder();

  constructor(
    permissions: TillPermissions & Deviations & { terminalId?: string } = {},
    log: Log = silentLog,
    keptLanguage?: StoredLanguage,
    shopLanguage?: Language,
  ) {
    const openSerialWire: OpenSerialWire = ({ stopBits }, listener) => {
      this.stopBits = stopBits;
      return this.#open(listener);
    };
    const settings = {
      protocol: 'zvt',
      transport: 'serial',
      path: '/dev/ttyTEST',
      baudRate: 9600,
      ...permissions,
    } as const;
    this.till = createZvtTill({
      settings,
      currency: 'DKK',
      beacons: ['QR'],
      laneName: 'Check-out 1',
      softwareVersion: '1.2.3',
      clock: this.clock,
      log,
      notices: noNotices,
      openSerialWire,
      shopLanguage,
      ...(keptLanguage !== undefined && { keptLanguage }),
    });
  }

  async #open(listener: WireListener): Promise<Wire> {
    if (!this.present) throw new PortError('absent', '/dev/ttyTEST is not there');
    this.opened += 1;
    this.#listener = listener;
    const mine = this.opened;
    this.#decoder = new SerialDecoder();
    return {
      write: async (bytes) => {
        if (mine !== this.opened || !this.present) throw new Error('an old port was written to');
        for (const item of this.#decoder.push(bytes)) {
          if (item.kind === 'apdu') {
            this.seen.push(hex(item.bytes));
            if (this.acknowledgesBlocks) this.raw('06');
          } else
            this.seen.push(item.kind === 'ack' ? 'ACK' : item.kind === 'nak' ? 'NAK' : item.kind);
        }
      },
      close: async () => {},
    };
  }

  async plugIn(): Promise<this> {
    await this.till.open(this.commands);
    await settled();
    return this;
  }

  pull(): void {
    this.present = false;
    const listener = this.#listener;
    this.#listener = null;
    listener?.lost('the port was unplugged');
  }

  raw(text: string): void {
    this.#listener?.data(bytesOf(text));
  }

  /**
   * Sends a whole block of the till. @returns what the terminal has sent since the last call, its
   * answer included
   */
  async send(apdu: string): Promise<string[]> {
    this.#listener?.data(encodeBlock(bytesOf(apdu)));
    return this.heard();
  }

  async sendBytes(bytes: Uint8Array): Promise<string[]> {
    this.#listener?.data(bytes);
    return this.heard();
  }

  /** What the terminal has sent since the last call. */
  async heard(): Promise<string[]> {
    await settled();
    return this.seen.splice(0);
  }
}

export const ack = '80 00 00';

/** A till that has registered in DKK. @param more the bytes after the currency */
export async function registered(config: string, more = ''): Promise<Cable> {
  const cable = await new Cable().plugIn();
  const data = `12 34 56 ${config} 02 08 ${more}`.trim();
  await cable.send(`06 00 ${data.split(' ').length.toString(16).padStart(2, '0')} ${data}`);
  await cable.send(ack);
  await cable.heard();
  return cable;
}

/** A terminal on loopback whose lane does what the test says. */
export class TcpLine {
  readonly clock = new ManualClock();
  readonly commands = new ScriptedViews();
  readonly notices = new NoticeBoard(this.clock);
  /** The warnings in the log. */
  readonly warnings: string[] = [];
  readonly till: Till;

  private constructor(
    settings: Partial<Extract<ZvtSettings, { transport: 'tcp' }>>,
    createTcpServer?: typeof createServer,
    recording?: RecordingSink,
  ) {
    this.till = createZvtTill({
      settings: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0, ...settings },
      currency: 'DKK',
      beacons: ['QR'],
      laneName: 'Check-out 1',
      softwareVersion: '1.2.3',
      clock: this.clock,
      log: { ...silentLog, warn: (_fields, message) => void this.warnings.push(message) },
      notices: this.notices,
      openSerialWire: () => Promise.reject(new Error('no serial port here')),
      ...(createTcpServer && { createTcpServer }),
      ...(recording && { recording }),
    });
  }

  static async open(
    settings: Partial<Extract<ZvtSettings, { transport: 'tcp' }>> = {},
    createTcpServer?: typeof createServer,
    recording?: RecordingSink,
  ): Promise<TcpLine> {
    const line = new TcpLine(settings, createTcpServer, recording);
    await line.till.open(line.commands);
    return line;
  }

  get port(): number {
    return Number(this.till.address.split(':').at(-1));
  }
  register(localAddress?: string, password?: string): Promise<Register> {
    return Register.overTcp({
      host: '127.0.0.1',
      port: this.port,
      ...(localAddress !== undefined && { localAddress }),
      ...(password !== undefined && { password }),
    });
  }
  /** A till that has registered, and prints nothing. */
  async registered(): Promise<Register> {
    const register = await this.register();
    await register.register({ currency: 'DKK', config: 0 });
    return register;
  }
  async socket(): Promise<Socket> {
    const socket = connect({ host: '127.0.0.1', port: this.port, noDelay: true });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }
  /** Waits, because real sockets take time to deliver. */
  async asked(what: string): Promise<void> {
    await eventually(() => this.commands.asked.includes(what));
  }
}

export async function eventually(isSo: () => boolean): Promise<void> {
  for (let turn = 0; !isSo(); turn += 1) {
    if (turn > 20_000) throw new Error(`it never became so: ${isSo.toString()}`);
    await settled();
  }
}

export const authorisation = '06 01 0A 04 00 00 00 00 12 34 49 02 08';
export const paidStatus = /^04 0F .. 27 00 04 00 00 00 00 12 34 /;
/** A line on which a payment of 12.34 is under way. */
export const running = async (cable?: Cable): Promise<Cable> => {
  const line = cable ?? (await new Cable().plugIn());
  await line.send(authorisation);
  await line.heard();
  return line;
};
