import type { Approach } from '../../core/domain/beacons.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Currency } from '../../core/domain/money.ts';
import type { ShopOnPaper } from '../../core/domain/shop.ts';
import type { TillProfile } from '../../core/domain/till-profiles.ts';
import type { AddressRegistrations } from './address-registrations.ts';
import type { OtherCurrencies } from './currency.ts';
import type { LaneCommands } from '../../core/lane/till-port.ts';
import type { GuessLimiter } from '../line/guesses.ts';
import type { Incidents } from '../line/incidents.ts';
import type { TillPermissions } from './permissions.ts';
import type { Registration } from './registration.ts';

/** The terminal id of a lane that has been given none: eight digits. */
export const defaultTerminalId = '00000001';
export const softwareName = 'Tillbeacon';

/** The state that all connections of one till line share. */
export interface ZvtTerminal {
  readonly commands: LaneCommands;
  readonly currency: Currency;
  readonly laneName: string;
  /** Eight digits. A till with several terminals refuses two with the same. */
  readonly terminalId: string;
  /** The head of receipts. */
  readonly shop: ShopOnPaper;
  /** For a till that names no language that we speak. */
  readonly shopLanguage: Language;
  /** What the till's display asks of the customer. */
  readonly approach: Approach;
  readonly softwareVersion: string;
  readonly permissions: TillPermissions;
  readonly profile: TillProfile;
  readonly passwordGuesses: GuessLimiter;
  readonly receiptGuesses: GuessLimiter;
  readonly incidents: Incidents;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The last registration with the till's password, for a till that registers on one connection and
   * pays on the next. null without a password, because anybody could have registered.
   */
  agreed: Registration | null;
  /** Registrations from addresses that belong to one till each. */
  readonly addressRegistrations: AddressRegistrations;
  /**
   * The language chosen with 08 30 over the till's own cable, or by a connection that had sent its
   * password; null when none was.
   */
  language: Language | null;
  /** For the next start. */
  readonly keepLanguage: (language: Language) => void;
  /**
   * Where a till has named another currency than the lane's, by address: there a missing one is not
   * the lane's.
   */
  readonly otherCurrencies: OtherCurrencies;
  /** The last refund whose end the till confirmed since the daemon started, or null. */
  heardRefund: string | null;
  /**
   * The last closing that a till was told since the daemon started, and whether it confirmed the
   * end of that; or null.
   */
  toldClosing: { readonly number: number; readonly isHeard: boolean } | null;
}
