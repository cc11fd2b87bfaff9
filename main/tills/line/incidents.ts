import { boundedLog } from '../../core/domain/bounded-log.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { NoticeCode, Notices } from '../../core/domain/notices.ts';
import type { Peer } from './peer.ts';

export type IncidentCode = Extract<
  NoticeCode,
  | 'tillStranger'
  | 'tillAddressRefused'
  | 'tillPasswordWrong'
  | 'tillPasswordGuessed'
  | 'tillReceiptsGuessed'
  | 'tillRefundRefused'
  | 'tillCurrencyOther'
  | 'tillPasswordInPayment'
>;

const messages: Readonly<Record<IncidentCode, string>> = {
  tillStranger: 'what is connected to the till port is no till: the connection is closed',
  tillAddressRefused:
    'an address that is not in till.from wanted to connect as a till: the connection is closed',
  tillPasswordWrong: 'the till sent a wrong password: the command is refused',
  tillPasswordGuessed:
    'somebody guesses the password of the till: tries from there are processed later and later',
  tillReceiptsGuessed:
    'somebody guesses receipt numbers: tries from there are processed later and later',
  tillRefundRefused: 'the till asked for a refund that its settings do not allow',
  tillCurrencyOther:
    "the till registers in another currency than the lane's: refused, and so are its payments",
  tillPasswordInPayment:
    'this till sends a password in the payment command: refused, unless till.passwordInPayment is set',
};

/** At most one log line of each kind in this time, so that an attacker cannot fill the disk. */
const logEveryMs = 10_000;

/** Reports attempts at the till's line to the log and the health page. */
export class Incidents {
  readonly #log: Log;
  readonly #notices: Notices;

  constructor({ clock, log, notices }: { clock: Clock; log: Log; notices: Notices }) {
    this.#log = boundedLog(log, { clock, maxLines: 1, withinMs: logEveryMs });
    this.#notices = notices;
  }

  tell(code: IncidentCode, peer: Peer, detail: string): void {
    this.#notices.raise({ code, subject: peer.address, detail });
    this.log({ from: peer.name, detail }, messages[code]);
  }

  /** The reason is gone. */
  settle(code: IncidentCode, peer: Peer): void {
    this.#notices.settle(code, peer.address);
  }

  /** @param message a constant text; it identifies the kind */
  log(fields: Record<string, unknown>, message: string): void {
    this.#log.warn(fields, message);
  }
}
