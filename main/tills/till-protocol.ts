/** What a counter has to know of a till protocol. `protocols.ts` lists those there are. */
import type { z } from 'zod';
import type { BeaconType } from '../core/domain/beacons.ts';
import type { Clock } from '../core/domain/clock.ts';
import type { Language } from '../core/domain/languages.ts';
import type { Log } from '../core/domain/log.ts';
import type { Currency } from '../core/domain/money.ts';
import type { Notices } from '../core/domain/notices.ts';
import type { ShopOnPaper } from '../core/domain/shop.ts';
import type { OpenSerialWire } from '../core/domain/wire.ts';
import type { Till } from '../core/lane/till-port.ts';
import type { ProgramTill, HttpCounter } from './http/lane.ts';
import type { NexoLane } from './nexo/protocol.ts';
import type { RecordingSink } from './zvt/recorder.ts';
import type { StoredLanguage } from './zvt/till.ts';

export interface TillProtocol<Settings extends z.ZodType, Ready> {
  /** As `till.protocol` of the settings. */
  readonly name: string;
  /** The settings of a till, without the parts that only a lane has. */
  readonly settings: Settings;
  readonly secrets: readonly TillSecret[];
  /** The TCP port on which tills look for a terminal; null where the counter's HTTP API is it. */
  readonly defaultPort: number | null;
  /** The page of docs/ about connecting such a till. */
  readonly page: string;
  /** What such a till is made with, beside its own settings: when it changes, it is made anew. */
  madeWith(till: Ready): readonly LaneFact[];
  /** Loads the protocol's code, which counters without such a till do not need. */
  create(till: Ready, lane: TillContext): Promise<CreatedTill>;
}

/** A secret among the settings of a till. */
export interface TillSecret {
  /** Where it stands in the till's settings, e.g. `nexo.key.passphrase`. */
  readonly path: string;
  /** The rules that a secret breaks, without the secret; empty when it may be used. */
  readonly mistakes: (secret: string) => readonly string[];
}

/** A fact of the counter that a till may be made with. */
export type LaneFact = 'terminalId' | 'shop' | 'language';

/** What a lane and its counter give a till. */
export interface TillContext {
  readonly laneId: string;
  readonly laneName: string;
  readonly currency: Currency;
  readonly beacons: readonly BeaconType[];
  /** The head of receipts. It may change while the till is open, as may the language. */
  readonly shop: ShopOnPaper;
  /** The language of the settings; undefined where they name none. */
  readonly shopLanguage: Language | undefined;
  /** The terminal id of this lane; undefined for the protocol's default. */
  terminalId(): string | undefined;
  readonly softwareVersion: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly openSerialWire: OpenSerialWire;
  /** @param wanted `till.record` of the settings */
  recording(wanted: string | true | undefined): RecordingSink | undefined;
  readonly keptLanguage: StoredLanguage | undefined;
}

export interface CreatedTill {
  readonly till: Till;
  /** Present when the till is a program, which the counter's HTTP API serves. */
  readonly program?: {
    readonly till: ProgramTill;
    /** Its lane at the endpoint of Nexo; missing for a till that uses the HTTP API. */
    readonly nexoLane?: (counter: HttpCounter) => NexoLane;
  };
}
