import type { Payment } from './payment.ts';
import type { Refund } from './refund.ts';

/** Every member of a union, from an object that does not compile when one is missing. */
function membersOf<Member extends string>(all: Readonly<Record<Member, true>>): readonly Member[] {
  // Object.keys forgets the names that its argument's type holds.
  return Object.keys(all) as Member[];
}

export const paymentStates = membersOf<Payment['kind']>({
  creating: true,
  resolving: true,
  clearing: true,
  awaiting: true,
  offering: true,
  held: true,
  capturing: true,
  cancelling: true,
  paid: true,
  notPaid: true,
  elsewhere: true,
  needsPerson: true,
});

export const refundStates = membersOf<Refund['kind']>({
  creating: true,
  resolving: true,
  awaiting: true,
  offering: true,
  capturing: true,
  cancelling: true,
  refunded: true,
  notRefunded: true,
  needsPerson: true,
});
