/**
 * Answers a till while setup listens to it, so that the till shows no error: as a lane that is not
 * ready. A registration is taken, and whatever moves money is refused. There is no wallet service
 * and no journal behind it, so that no money can move.
 */
import type { Socket } from 'node:net';
import type { Heard } from '../../../preload/procedures/setup-till.ts';
import { Budget } from '../../core/domain/budget.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Language } from '../../core/domain/languages.ts';
import { silentLog } from '../../core/domain/log.ts';
import type { Currency } from '../../core/domain/money.ts';
import { noNotices } from '../../core/domain/notices.ts';
import { unnamedShop } from '../../core/domain/shop.ts';
import { profileOf } from '../../core/domain/till-profiles.ts';
import type { Wire } from '../../core/domain/wire.ts';
import { SerialSession } from '../../tills/concert/serial-session.ts';
import { withParity } from '../../tills/concert/recognition.ts';
import { concertFraming } from '../../tills/concert/tcp-framing.ts';
import { TcpSession } from '../../tills/concert/tcp-session.ts';
import { ConcertTerminal } from '../../tills/concert/terminal.ts';
import { GuessLimiter } from '../../tills/line/guesses.ts';
import { Incidents } from '../../tills/line/incidents.ts';
import { type Peer, serialPeer } from '../../tills/line/peer.ts';
import type { LaneCommands } from '../../core/lane/till-port.ts';
import { type ConnectionListener, TcpLink } from '../../tills/line/tcp-line.ts';
import { AddressRegistrations } from '../../tills/zvt/address-registrations.ts';
import { OtherCurrencies } from '../../tills/zvt/currency.ts';
import type { ApduLink } from '../../tills/zvt/link.ts';
import { type PacketName, packets } from '../../tills/zvt/packet-table.ts';
import { isOfAnswerClass, parsePacket } from '../../tills/zvt/packets.ts';
import { ZvtSerialLink } from '../../tills/zvt/serial-link.ts';
import { encodeBlock } from '../../tills/zvt/serial-framing.ts';
import { ZvtSession } from '../../tills/zvt/session.ts';
import { blocks } from '../../tills/zvt/tcp-blocks.ts';
import { apdus } from '../../tills/zvt/tcp-framing.ts';
import { defaultTerminalId, type ZvtTerminal } from '../../tills/zvt/terminal.ts';
import type { TillJudge } from './till-judge.ts';

type Answered = NonNullable<Heard['answered']>;

export interface TillAnswersOptions {
  /** null while it is not known: then a till of ZVT is not answered. */
  readonly currency: Currency | null;
  /** The language of the words that a till shows with a refusal. */
  readonly language: Language;
  readonly clock: Clock;
}

/** A lane that is not there: it begins nothing. */
const noLane: LaneCommands = {
  requestSale: () => ({ accepted: false, reason: 'notReady' }),
  saleTried() {},
  requestBooking: () => ({ accepted: false, reason: 'notReady' }),
  endBooking: () => 'notHeld',
  openReservations: () => null,
  abortSale: () => 'tooLate',
  requestRefund: () => ({ accepted: false, reason: 'notReady' }),
  abortRefund: () => 'tooLate',
  tillLost() {},
  readiness: () => 'notReady',
  hindrance: () => 'starting',
  lastFinished: () => null,
  closeDay: () => ({ closed: false, reason: 'notReady' }),
  dayTotals: () => null,
  lastClosing: () => null,
  finishedBetween: () => null,
  tillLink() {},
};

/** More than a till sends, which waits for each answer. A connection that sends more is closed. */
const connectionBudget = { perSecond: 200, burst: 400 };
const sevenBits = 0x7f;
const refusalClass = 0x84;
/** Broken blocks in a row. */
const maxSpoiled = 6;

type TcpTill = Pick<ConnectionListener, 'received' | 'closed'>;

/** What all connections of one line share, and what their tills were answered last. */
export class TillAnswers {
  readonly #options: TillAnswersOptions;
  readonly #zvt: ZvtTerminal | null;
  readonly #concert: ConcertTerminal;
  #answered: Answered | null = null;

  constructor(options: TillAnswersOptions) {
    const { clock, currency, language } = options;
    const log = silentLog;
    const incidents = new Incidents({ clock, log, notices: noNotices });
    this.#options = options;
    this.#concert = new NotingTerminal({ commands: noLane, clock, log, incidents }, (answered) =>
      this.#note(answered),
    );
    this.#zvt = currency && {
      commands: noLane,
      currency,
      laneName: '',
      terminalId: defaultTerminalId,
      shop: unnamedShop,
      shopLanguage: language,
      approach: 'code',
      softwareVersion: 'setup',
      permissions: {},
      profile: profileOf({}),
      passwordGuesses: new GuessLimiter(clock),
      receiptGuesses: new GuessLimiter(clock),
      incidents,
      clock,
      log,
      agreed: null,
      language: null,
      keepLanguage: () => {},
      addressRegistrations: new AddressRegistrations([]),
      otherCurrencies: new OtherCurrencies(),
      heardRefund: null,
      toldClosing: null,
    };
  }

  /** What the last till was answered; null for nothing yet. */
  get answered(): Answered | null {
    return this.#answered;
  }

  /**
   * A connection, which is answered once the judge has recognised its till. @returns to be called
   * with what comes, after the judge
   */
  connected(socket: Socket, peer: Peer, judge: TillJudge): (bytes: Uint8Array) => void {
    const link = new TcpLink(socket);
    const budget = new Budget(connectionBudget);
    const { clock } = this.#options;
    let session: TcpTill | null = null;
    socket.on('close', () => session?.closed());
    return (bytes) => {
      const { protocol } = judge;
      if (link.isGivenUp || judge.isStranger || protocol === null) return;
      let came = bytes;
      if (session === null) {
        // A till whose first message is longer than what the judge keeps is not answered.
        if (judge.firstBytes.length < judge.bytes) return;
        came = judge.firstBytes;
        session = this.#sessionFor(protocol, link, peer, came);
      }
      for (const message of link.till?.stream.push(came) ?? []) {
        if (budget.take(1, clock.monotonicMs()) > 0) link.close();
        if (link.isUp()) session?.received(message);
      }
    };
  }

  /** A till's cable at the rate of the judge. */
  onCable(
    wire: Wire,
    port: { readonly path: string; readonly baudRate: number },
    judge: TillJudge,
  ): { heard(bytes: Uint8Array): void; close(): void } {
    const terminal = this.#zvt;
    const answerZvt = (to: ZvtTerminal): ZvtSerialLink =>
      this.#zvtBlocks(to, wire, serialPeer(port.path, port.baudRate), { hangUp: () => {} });
    const answerConcert = (): SerialSession => {
      const session = new SerialSession(this.#concert, `serial:${port.path}`);
      session.link.attach(withParityOf(judge, wire));
      return session;
    };
    // A cable that was pulled and is back.
    let zvt = terminal !== null && judge.firstBlock !== null ? answerZvt(terminal) : null;
    let concert = zvt === null && judge.protocol === 'concert' ? answerConcert() : null;
    return {
      heard: (bytes) => {
        if (zvt !== null) zvt.data(bytes);
        else if (judge.firstBlock !== null && terminal !== null) {
          concert?.link.close();
          zvt = answerZvt(terminal);
          // Noise may have come before it. The till sends nothing more before it is answered.
          zvt.data(encodeBlock(judge.firstBlock));
        } else if (judge.isEnquiry || (concert !== null && judge.protocol === 'concert')) {
          concert ??= answerConcert();
          concert.link.data(
            judge.likelyFormat?.dataBits === 7 ? bytes.map((byte) => byte & sevenBits) : bytes,
          );
        }
      },
      close: () => {
        zvt?.close();
        concert?.link.close();
      },
    };
  }

  #note(answered: Answered): void {
    // What says more is kept.
    if (answered !== 'answered' || this.#answered === null) this.#answered = answered;
  }

  #sessionFor(
    protocol: 'zvt' | 'concert',
    link: TcpLink,
    peer: Peer,
    head: Uint8Array,
  ): TcpTill | null {
    const terminal = this.#zvt;
    const framings =
      protocol === 'concert'
        ? [concertFraming]
        : terminal === null
          ? []
          : [apdus(null), blocks(null)];
    const [recognised] = framings
      .map((framing) => framing.recognise(head, peer.name))
      .filter((one) => one !== null && one !== 'stranger');
    if (recognised === undefined) return null;
    link.till = recognised;
    if (terminal === null || protocol === 'concert')
      return new TcpSession(this.#concert, link, peer);
    if (recognised.name !== 'blocks') return this.#zvtSession(terminal, link, peer);
    const wire: Wire = { write: async (bytes) => link.send(bytes), close: async () => {} };
    const serial = this.#zvtBlocks(terminal, wire, peer, { hangUp: () => link.close() });
    return { received: (bytes) => serial.data(bytes), closed: () => serial.close() };
  }

  /** @param hangUp called when it is no till's */
  #zvtBlocks(
    terminal: ZvtTerminal,
    wire: Wire,
    peer: Peer,
    { hangUp }: { readonly hangUp: () => void },
  ): ZvtSerialLink {
    let spoiled = 0;
    const link: ZvtSerialLink = new ZvtSerialLink({
      ...terminal,
      listener: {
        received: (apdu, reception) => {
          spoiled = 0;
          session.received(apdu, reception);
        },
      },
      spoiled: () => {
        spoiled += 1;
        if (spoiled === maxSpoiled) hangUp();
      },
    });
    const session = this.#zvtSession(
      terminal,
      {
        send: (apdu, sent) => link.send(apdu, sent),
        isUp: () => link.isUp(),
        unanswered: () => {},
        close: hangUp,
      },
      peer,
    );
    link.attach(wire);
    return link;
  }

  /** A session whose answers are noted. */
  #zvtSession(
    terminal: ZvtTerminal,
    link: ApduLink,
    peer: Peer,
  ): Pick<ZvtSession, 'received' | 'closed'> {
    let command: PacketName | null = null;
    const session = new ZvtSession(
      terminal,
      {
        send: (apdu, sent) => {
          this.#noteZvt(command, apdu);
          link.send(apdu, sent);
        },
        isUp: () => link.isUp(),
        unanswered: () => link.unanswered(),
        close: () => link.close(),
      },
      peer,
    );
    return {
      received: (apdu, reception) => {
        if (!isOfAnswerClass(apdu)) command = nameOf(apdu);
        session.received(apdu, reception);
      },
      closed: () => session.closed(),
    };
  }

  #noteZvt(command: PacketName | null, [classByte, instruction]: Uint8Array): void {
    const isRefusal =
      classByte === refusalClass ||
      (classByte === packets.abort.classByte && instruction === packets.abort.instruction);
    if (isRefusal) this.#note(command === 'registration' ? 'registrationRefused' : 'refused');
    else if (
      classByte !== packets.completion.classByte ||
      instruction !== packets.completion.instruction
    )
      return;
    else this.#note(command === 'registration' ? 'registered' : 'answered');
  }
}

/** Notes whether a request of the till was refused. */
class NotingTerminal extends ConcertTerminal {
  readonly #note: (answered: Answered) => void;

  constructor(
    options: ConstructorParameters<typeof ConcertTerminal>[0],
    note: (answered: Answered) => void,
  ) {
    super(options);
    this.#note = note;
  }

  override take(
    ...asked: Parameters<ConcertTerminal['take']>
  ): ReturnType<ConcertTerminal['take']> {
    const taken = super.take(...asked);
    this.#note('result' in taken && taken.result.done ? 'answered' : 'refused');
    return taken;
  }
}

function nameOf(apdu: Uint8Array): PacketName | null {
  const parsed = parsePacket(apdu);
  return parsed.kind === 'unknown' ? null : parsed.name;
}

/**
 * Setup hears every till with eight data bits: a till with seven gets its parity as the eighth bit.
 */
function withParityOf(judge: TillJudge, wire: Wire): Wire {
  return {
    ...wire,
    write: (bytes) => wire.write(withParity(bytes, judge.likelyFormat)),
    close: async () => {},
  };
}
