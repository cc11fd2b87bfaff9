// Made by `npm run locales` from assets/locales.

import type { Text, Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/screens.json';
import { catalogue } from './catalogue.ts';

interface Arguments {
  'cashier.unanswered.what': { readonly seconds: Text };
  'cashier.tried': { readonly amount: Text };
  'cashier.named.number': { readonly number: Text };
  'cashier.recent.refunded': { readonly amount: Text };
  'cashier.recent.captured': { readonly amount: Text };
  'cashier.recent.receipt': { readonly number: Text };
  'cashier.byHand.take': { readonly amount: Text };
  'cashier.byHand.reserveIt': { readonly amount: Text };
  'cashier.loyalty': { readonly ids: Text };
  'cashier.agree.send': { readonly amount: Text };
  'cashier.leave.soon': { readonly seconds: Text };
  'customer.ownCodeWith': { readonly apps: Text };
  'customer.number.sent': { readonly number: Text };
  'notRefunded.tooOld.what': { readonly days: Text };
  'notConfirmed.phoneMayShow': { readonly amount: Text };
  'notConfirmed.stillReserved': { readonly amount: Text };
  awaySince: { readonly at: Text };
  secondsLeft: { readonly seconds: Text };
  'till.heardAgo': { readonly seconds: Text };
  'till.heardAt': { readonly time: Text };
  'journalDamage.lost': { readonly sales: number };
  'computer.clockAhead': { readonly by: Text };
  'computer.clockBehind': { readonly by: Text };
  'unsettled.sale.capture.short': { readonly amount: Text };
  'unsettled.sale.capture.person': { readonly orderId: Text };
  'unsettled.sale.cancel.short': { readonly amount: Text };
  'unsettled.sale.cancel.person': { readonly orderId: Text };
  'unsettled.sale.otherAmount.less': {
    readonly moved: Text;
    readonly difference: Text;
    readonly orderId: Text;
  };
  'unsettled.sale.otherAmount.more': {
    readonly moved: Text;
    readonly difference: Text;
    readonly orderId: Text;
  };
  'unsettled.sale.known.moving': { readonly at: Text };
  'unsettled.sale.known.perhapsUnheard': { readonly at: Text };
  'unsettled.sale.known.perhapsApproved': { readonly at: Text };
  'unsettled.sale.known.releasing': { readonly at: Text };
  'unsettled.refund.capture.short': { readonly amount: Text };
  'unsettled.refund.capture.person': { readonly orderId: Text };
  'unsettled.refund.cancel.short': { readonly amount: Text };
  'unsettled.refund.cancel.person': { readonly orderId: Text };
  'unsettled.refund.unseen': { readonly orderId: Text };
  'unsettled.refund.known.moving': { readonly at: Text };
  'unsettled.refund.known.perhapsUnheard': { readonly at: Text };
  'unsettled.refund.known.perhapsApproved': { readonly at: Text };
  'unsettled.refund.known.releasing': { readonly at: Text };
  reservationsEnding: { readonly count: number; readonly at: Text };
  'callSupport.later': { readonly at: Text };
  'callSupport.nothingUntil': { readonly at: Text };
  'callSupport.now': { readonly orderId: Text };
  'callSupport.correlation': { readonly correlationId: Text };
  'noLane.what': { readonly lane: Text };
  'noLane.next': { readonly lanes: Text };
  vatNumber: { readonly vat: Text };
  'design.digits': { readonly count: number };
  'design.day.rule': { readonly example: Text };
}

export type ScreenTexts = Texts<typeof en, Arguments>;
export const screenTexts = await catalogue<ScreenTexts>(
  import.meta.glob('../../assets/locales/*/screens.json'),
);
