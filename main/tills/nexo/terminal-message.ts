/** A message to a terminal of Nexo, and what it is answered. */
import type { Clock } from '../../core/domain/clock.ts';
import { isWaitedFor } from '../../core/settlement/outcome.ts';
import type { Payment } from '../../core/settlement/payment.ts';
import type { Refund } from '../../core/settlement/refund.ts';
import type { ProgramTill } from '../http/lane.ts';
import type { Header } from './messages.ts';
import type { Place } from './names.ts';
import type { ReceiptIssuer } from './receipts.ts';
import type { Refusals } from './refusals.ts';

export interface TerminalOptions {
  readonly clock: Clock;
  /** Version of this program. */
  readonly version: string;
  readonly refusals: Pick<
    Refusals,
    | 'keep'
    | 'before'
    | 'mayHaveForgotten'
    | 'keepReversal'
    | 'reversalBefore'
    | 'hasForgotten'
    | 'bind'
    | 'boundTo'
  >;
}

/** A message whose sender is known, for the terminal that it names. */
export interface Message extends Place {
  /** What its receipts say of this terminal. */
  readonly issuer: ReceiptIssuer;
  readonly header: Header;
  /** The content of `PaymentRequest` and the like, not validated yet. */
  readonly body: unknown;
  /**
   * What tells a protected message from every other, also from one with the same content; null when
   * it came with a token.
   */
  readonly seal: string | null;
  /** The caller's address. */
  readonly address: string;
  readonly until: (isDone: () => boolean) => Promise<void>;
  readonly customerOf: ProgramTill['customerOf'];
}

/**
 * The answer's body by its name, such as `PaymentResponse`; null for an answer without one. `event`
 * is sent instead of an answer.
 */
export type NexoAnswer =
  | { readonly name: string; readonly body: object }
  | { readonly event: object }
  | null;

export const isPending = (state: Payment | Refund | null): boolean =>
  state !== null && isWaitedFor(state);

export const answerHeader = ({ ProtocolVersion, ...header }: Header): object => ({
  ProtocolVersion: ProtocolVersion ?? '3.0',
  ...header,
  MessageType: 'Response',
});
