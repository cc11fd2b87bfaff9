import { approachOf, type BeaconType } from '../../domain/beacons.ts';
import type { createServer } from 'node:net';
import type { Clock } from '../../domain/clock.ts';
import type { Language } from '../../domain/languages.ts';
import type { Log } from '../../domain/log.ts';
import type { Notices } from '../../domain/notices.ts';
import type { Currency } from '../../domain/money.ts';
import { type Deviations, profileOf } from '../../domain/till-profiles.ts';
import { type ShopOnPaper, unnamedShop } from '../../domain/shop.ts';
import type { OpenSerialWire } from '../../domain/wire.ts';
import type { CustomerFacts, LaneCommands, OfferAnswer, Till, TillLink } from '../port.ts';
import { OtherCurrencies } from './currency.ts';
import { GuessLimiter } from './guesses.ts';
import { Incidents } from '../incidents.ts';
import type { ApduLink } from './link.ts';
import { isOfThisMachineAlone, type Peer, serialPeer } from '../peer.ts';
import type { TillPermissions } from './permissions.ts';
import { keepSerialLine } from '../serial-line.ts';
import { createRecorder, type RecordingSink, tapped } from './recorder.ts';
import { SerialLink } from './serial-link.ts';
import { ZvtSession } from './session.ts';
import { listenForTills } from '../tcp-line.ts';
import { apdus } from './tcp-framing.ts';
import type { Terminal } from './terminal.ts';
import { idOf, type Ticket } from './ticket.ts';

export type ZvtSettings = TillPermissions &
  Deviations & { readonly protocol: 'zvt' } & (
    | { readonly transport: 'serial'; readonly path: string; readonly baudRate: number }
    | {
        readonly transport: 'tcp';
        readonly host: string;
        readonly port: number;
      }
  );

/** The language that the till has chosen, kept for the next start. */
export interface KeptLanguage {
  /** null: none. */
  read(): Language | null;
  keep(language: Language): void;
}

export interface ZvtOptions {
  readonly settings: ZvtSettings;
  readonly currency: Currency;
  readonly laneName: string;
  /** The head of receipts; left out: the lane's name alone. */
  readonly shop?: ShopOnPaper;
  readonly beacons: readonly BeaconType[];
  readonly softwareVersion: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly openSerialWire: OpenSerialWire;
  /** Keeps what goes over the till's line; left out: nothing does. */
  readonly recording?: RecordingSink;
  /** Left out: a language that the till has chosen ends with the process. */
  readonly keptLanguage?: KeptLanguage;
  /** Of node:net, unless there is no network. */
  readonly createTcpServer?: typeof createServer;
}

/** A till that speaks ZVT to us, the terminal, over a serial port or TCP. */
export function createZvtTill(options: ZvtOptions): Till {
  const { settings, clock, log, recording } = options;
  const profile = profileOf(settings);
  const tap = recording === undefined ? null : createRecorder({ sink: recording, clock, log });
  const sessions = new Set<ZvtSession>();
  let line: { readonly address: string; close(): Promise<void> } = {
    address: settings.transport === 'serial' ? `serial:${settings.path}` : `tcp:${settings.host}:${settings.port}`,
    close: async () => {},
  };
  const sessionOf = (id: string): ZvtSession | undefined => [...sessions].find((session) => session.waitsFor === id);
  const offer = async (ticket: Ticket, customer?: CustomerFacts): Promise<OfferAnswer> =>
    sessionOf(idOf(ticket))?.offer(ticket, customer ?? null) ?? 'notAcknowledged';

  async function open(commands: LaneCommands): Promise<void> {
    const { currency, laneName, shop = unnamedShop, beacons, softwareVersion } = options;
    const terminal: Terminal = {
      commands,
      currency,
      laneName,
      shop,
      approach: approachOf(beacons),
      softwareVersion,
      permissions: settings,
      profile,
      passwordGuesses: new GuessLimiter(clock),
      receiptGuesses: new GuessLimiter(clock),
      incidents: new Incidents(options),
      clock,
      log,
      agreed: null,
      language: options.keptLanguage?.read() ?? null,
      keepLanguage: (language) => options.keptLanguage?.keep(language),
      otherCurrencies: new OtherCurrencies(),
      heardRefund: null,
      toldClosing: null,
    };
    if (settings.transport === 'serial') await openSerial(terminal, settings);
    else await openTcp(terminal, settings);
  }

  async function openSerial(terminal: Terminal, port: Extract<ZvtSettings, { transport: 'serial' }>): Promise<void> {
    const link: SerialLink = new SerialLink({ clock, log, listener: { received: (apdu, reception) => session.received(apdu, reception) } });
    const session = new ZvtSession(terminal, link, serialPeer(port.path, port.baudRate));
    sessions.add(session);
    const serial = keepSerialLine({
      port: { ...port, stopBits: profile.stopBits },
      link,
      open: tapped(options.openSerialWire, tap),
      clock,
      log,
      state: (state) => terminal.commands.tillLink(state),
    });
    line = serial;
    await serial.firstAttempt;
  }

  async function openTcp(terminal: Terminal, { host, port, from = [] }: Extract<ZvtSettings, { transport: 'tcp' }>): Promise<void> {
    const tell = (): void => terminal.commands.tillLink(sessions.size > 0 ? connected : open);
    const open: TillLink = { state: 'open', detail: null, heardAtMs: null };
    const connected: TillLink = { state: 'connected', detail: null, heardAtMs: null };
    const listener = {
      connected(link: ApduLink, peer: Peer) {
        const session = new ZvtSession(terminal, link, peer);
        sessions.add(session);
        tell();
        return {
          received: (apdu: Uint8Array) => session.received(apdu),
          get standing() {
            return session.standing;
          },
          closed() {
            sessions.delete(session);
            session.closed();
            tell();
          },
        };
      },
    };
    const { incidents } = terminal;
    const listening = await listenForTills({
      host,
      port,
      from,
      framing: apdus(tap),
      incidents,
      clock,
      log,
      listener,
      ...(options.createTcpServer && { createTcpServer: options.createTcpServer }),
    });
    const address = `tcp:${host}:${listening.port}`;
    if (!isOfThisMachineAlone(host) && settings.password === undefined && from.length === 0)
      log.warn({ address }, 'other machines reach the port of the till, and neither till.password nor till.from is set');
    line = { address, close: listening.close };
    tell();
  }

  return {
    get address() {
      return line.address;
    },
    open,
    close: () => line.close(),
    progress: (saleId, progress) => sessionOf(saleId)?.progress(progress),
    offerPaid: (sale, customer) => offer(sale, customer),
    offerRefunded: async (refund) => ((await offer(refund)) === 'acknowledged' ? 'acknowledged' : 'notAcknowledged'),
    conclude: (sale, outcome) => void sessionOf(sale.saleId)?.conclude(sale, outcome),
    concludeRefund: (refund, outcome) => void sessionOf(refund.refundOrderId)?.conclude(refund, outcome),
  };
}
