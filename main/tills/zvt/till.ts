import { approachOf, type BeaconType } from '../../core/domain/beacons.ts';
import type { createServer } from 'node:net';
import { boundedLog } from '../../core/domain/bounded-log.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Notices } from '../../core/domain/notices.ts';
import type { Currency } from '../../core/domain/money.ts';
import { type Deviations, profileOf } from '../../core/domain/till-profiles.ts';
import { type ShopOnPaper, unnamedShop } from '../../core/domain/shop.ts';
import type { Turns } from '../../core/domain/turns.ts';
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import type { CustomerFacts, LaneCommands, OfferAnswer, Till } from '../../core/lane/till-port.ts';
import { AddressRegistrations } from './address-registrations.ts';
import { OtherCurrencies } from './currency.ts';
import { GuessLimiter } from '../line/guesses.ts';
import { Incidents } from '../line/incidents.ts';
import { isOfThisMachineAlone } from '../../core/domain/this-machine.ts';
import { type Peer, serialPeer } from '../line/peer.ts';
import type { TillPermissions } from './permissions.ts';
import { createRecorder, type RecordingSink, tapped } from './recorder.ts';
import { ZvtSerialLink } from './serial-link.ts';
import { ZvtSession } from './session.ts';
import { type LineSettings, maxLinesOfTill, TillLine } from '../line/till-line.ts';
import { blocks, ZvtBlockSession } from './tcp-blocks.ts';
import { apdus } from './tcp-framing.ts';
import type { TcpLink } from '../line/tcp-line.ts';
import { defaultTerminalId, type ZvtTerminal } from './terminal.ts';
import { idOf, type Ticket } from './ticket.ts';

export type ZvtSettings = TillPermissions &
  Deviations &
  LineSettings & { readonly protocol: 'zvt'; readonly terminalId?: string | undefined };

/** The language that the till has chosen, kept for the next start. */
export interface StoredLanguage {
  /** null when none was chosen. */
  read(): Language | null;
  keep(language: Language): void;
}

export interface ZvtOptions {
  readonly settings: ZvtSettings;
  readonly currency: Currency;
  readonly laneName: string;
  /** The head of receipts; the lane's name alone when it is missing. */
  readonly shop?: ShopOnPaper;
  /** For a till that names no language that we speak. Left out: English. */
  readonly shopLanguage?: Language | undefined;
  readonly beacons: readonly BeaconType[];
  readonly softwareVersion: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly openSerialWire: OpenSerialWire;
  /** Records what goes over the till's line; without it, nothing is recorded. */
  readonly recording?: RecordingSink;
  /** Without it, a language that the till has chosen is forgotten when the process ends. */
  readonly keptLanguage?: StoredLanguage;
  /** Replaces `createServer` of node:net in the simulation, which has no network. */
  readonly createTcpServer?: typeof createServer;
  /** Replaces the event loop's turns in the simulation, which has none. */
  readonly turns?: Turns;
}

/** A till that speaks ZVT to us, the terminal, over a serial port or TCP. */
export function createZvtTill(options: ZvtOptions): Till {
  const { settings, clock, recording, turns } = options;
  const log = boundedLog(options.log, { clock, maxLines: maxLinesOfTill });
  const profile = profileOf(settings);
  const tap = recording === undefined ? null : createRecorder({ sink: recording, clock, log });
  const line = new TillLine<ZvtSession>(settings);
  const offer = async (ticket: Ticket, customer?: CustomerFacts): Promise<OfferAnswer> =>
    line.sessionOf(idOf(ticket))?.offer(ticket, customer ?? null) ?? 'notAcknowledged';

  async function open(commands: LaneCommands): Promise<void> {
    const { currency, laneName, beacons, softwareVersion } = options;
    const terminal: ZvtTerminal = {
      commands,
      currency,
      laneName,
      terminalId: settings.terminalId ?? defaultTerminalId,
      // Both may change while the line is open.
      get shop() {
        return options.shop ?? unnamedShop;
      },
      get shopLanguage() {
        return options.shopLanguage ?? 'en';
      },
      approach: approachOf(beacons),
      softwareVersion,
      permissions: settings,
      profile,
      passwordGuesses: new GuessLimiter(clock),
      receiptGuesses: new GuessLimiter(clock),
      incidents: new Incidents({ ...options, log }),
      clock,
      log,
      agreed: null,
      language: options.keptLanguage?.read() ?? null,
      keepLanguage: (language) => options.keptLanguage?.keep(language),
      addressRegistrations: new AddressRegistrations(
        settings.transport === 'tcp' ? settings.from : [],
      ),
      otherCurrencies: new OtherCurrencies(),
      heardRefund: null,
      toldClosing: null,
    };
    if (settings.transport === 'serial') await openSerial(terminal, settings);
    else await openTcp(terminal, settings);
  }

  function openSerial(
    terminal: ZvtTerminal,
    port: Extract<ZvtSettings, { transport: 'serial' }>,
  ): Promise<void> {
    const link: ZvtSerialLink = new ZvtSerialLink({
      clock,
      log,
      listener: { received: (apdu, reception) => session.received(apdu, reception) },
    });
    const session = new ZvtSession(terminal, link, serialPeer(port.path, port.baudRate));
    const open = tapped(options.openSerialWire, tap);
    return line.openSerial(session, {
      ...terminal,
      port: { ...port, stopBits: profile.stopBits },
      link,
      open,
      ...(turns && { turns }),
    });
  }

  async function openTcp(
    terminal: ZvtTerminal,
    network: Extract<ZvtSettings, { transport: 'tcp' }>,
  ): Promise<void> {
    const { createTcpServer } = options;
    const isBlocks = profile.framing === 'blocks';
    const session = (link: TcpLink, peer: Peer): ZvtSession =>
      isBlocks ? new ZvtBlockSession(terminal, link, peer) : new ZvtSession(terminal, link, peer);
    const framing = isBlocks ? blocks(tap) : apdus(tap);
    await line.openTcp(network, {
      ...terminal,
      framing,
      session,
      ...(createTcpServer && { createTcpServer }),
      ...(turns && { turns }),
    });
    if (
      !isOfThisMachineAlone(network.host) &&
      settings.password === undefined &&
      (network.from ?? []).length === 0
    )
      log.warn(
        { address: line.address },
        'other machines reach the port of the till, and neither till.password nor till.from is set',
      );
  }

  return {
    get address() {
      return line.address;
    },
    open,
    async close() {
      await line.close();
      log.close();
    },
    progress: (saleId, progress) => line.sessionOf(saleId)?.progress(progress),
    offerPaid: (sale, customer) => offer(sale, customer),
    offerRefunded: async (refund) =>
      (await offer(refund)) === 'acknowledged' ? 'acknowledged' : 'notAcknowledged',
    conclude: (sale, outcome) => void line.sessionOf(sale.saleId)?.conclude(sale, outcome),
    concludeRefund: (refund, outcome) =>
      void line.sessionOf(refund.refundOrderId)?.conclude(refund, outcome),
  };
}
