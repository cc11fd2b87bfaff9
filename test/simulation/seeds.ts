import type { ServiceName } from '../../main/core/domain/sale.ts';

/**
 * Runs that once broke a rule, and what was wrong. They run with every test: the same seed leads to
 * the same events.
 */
export const failureSeeds: readonly {
  readonly seed: number;
  readonly service: ServiceName | 'change';
  readonly what: string;
}[] = [
  {
    seed: 800_583,
    service: 'v10',
    what: 'a create request arrived after the service had said that it knew no such payment: a reservation that nobody cancelled',
  },
  {
    seed: 802_458,
    service: 'v10',
    what: 'a create request arrived late, and nobody looked for it any more',
  },
  {
    seed: 802_762,
    service: 'v10',
    what: 'a create request arrived late, and what it made stayed reserved',
  },
  {
    seed: 805_425,
    service: 'v10',
    what: 'the repetition of a create request was refused, and the one before it arrived later',
  },
  {
    seed: 805_588,
    service: 'v10',
    what: 'a refused repetition was taken for a "no" to all that was sent before',
  },
  {
    seed: 1_201_040,
    service: 'v10',
    what: 'a refund that the service did not know yet paid out by itself after a day',
  },
  {
    seed: 904_583,
    service: 'v10',
    what: 'the simulated till took the status information of a running sale for the last receipt',
  },
  {
    seed: 1_441_509,
    service: 'v10',
    what: 'a clean-up that had outlived its own sale cancelled the payment of the next one',
  },
  {
    seed: 5_123_261,
    service: 'v10',
    what: 'an 80 00 that the line repeated was taken for the answer to the result, and the part that was handed out passed over',
  },
  {
    seed: 31_230_522,
    service: 'epayment',
    what: 'a refund on its way was taken for none, because the wall clock was set meanwhile',
  },
  {
    seed: 31_230_657,
    service: 'epayment',
    what: 'the simulated till took the late result of an earlier booking for one of the running booking',
  },
  {
    seed: 51_230_651,
    service: 'epayment',
    what: 'the till on a cable took the refusal of an older command for that of its reversal of all that was left',
  },
  {
    seed: 72_230_879,
    service: 'change',
    what: 'the simulated till took the late result of another reservation for one of the running booking',
  },
  {
    seed: 81_237_107,
    service: 'epayment',
    what: 'a refund that arrived after its till had hung up and asked what became of it was paid out',
  },
  {
    seed: 81_232_658,
    service: 'epayment',
    what: 'the simulated till took a result while it registered, of a release that the cable had repeated',
  },
  {
    seed: 101_231_059,
    service: 'epayment',
    what: 'the simulated till took a result while it asked for open reservations, of a booking that the cable had repeated',
  },
  {
    seed: 111_231_669,
    service: 'epayment',
    what: 'the simulated till took the last receipt, of a refund whose result it had refused, for one of a sale that the cable had lost',
  },
  {
    seed: 151_240_474,
    service: 'change',
    what: 'the simulated till took the end of totals, which the cable had repeated, for that of its end of day',
  },
  {
    seed: 181_243_721,
    service: 'epayment',
    what: 'the simulated till, which had repeated its booking and could not print, took the receipt of it for that of another command',
  },
  {
    seed: 261_243_702,
    service: 'epayment',
    what: 'the simulated till, slow to answer the result of a booking that the cable had repeated, kept the receipt of the first one',
  },
  {
    seed: 271_242_151,
    service: 'epayment',
    what: 'a change of a payment waited for a token, and a sixth left within a minute of it',
  },
  {
    seed: 331_240_427,
    service: 'epayment',
    what: 'a question for open reservations that the line repeated was answered again, which ended the new reservation of the till',
  },
];
