// Made by `npm run locales` from assets/locales.

import type { Text, Texts } from '../../main/core/domain/texts.ts';
import type en from '../../assets/locales/en-GB/manager.json';
import { catalogue } from './catalogue.ts';

interface Arguments {
  'people.changePinTitle': { readonly name: Text };
  'people.removeTitle': { readonly name: Text };
  'people.added': { readonly name: Text };
  'people.changed': { readonly name: Text };
  'people.removed': { readonly name: Text };
  'refunds.found': { readonly more: 'other' | 'yes'; readonly count: number };
  'refunds.partlyRefunded': { readonly amount: Text };
  'refunds.partlyCaptured': { readonly amount: Text };
  'refunds.refundedAtTill': { readonly amount: Text };
  'refunds.partlyRefundedAtTill': { readonly amount: Text; readonly part: Text };
  'refunds.byTillFrom': { readonly from: Text };
  'refunds.byManager': { readonly name: Text };
  'refunds.repeated': { readonly count: Text; readonly last: Text };
  'refunds.notRefundable.refundOpen': { readonly amount: Text };
  'refunds.notRefundable.tooOld': { readonly days: Text };
  'refunds.askAgain': { readonly minutes: Text };
  'refunds.dialog.title': { readonly amount: Text };
  'refunds.dialog.all': { readonly amount: Text };
  'refunds.dialog.amountHint': { readonly left: Text };
  'refunds.dialog.confirm': { readonly amount: Text };
  'refunds.atService.found': { readonly more: 'other' | 'yes'; readonly count: number };
  'reservations.captureTitle': { readonly amount: Text };
  'reservations.all': { readonly amount: Text };
  'reservations.amountHint': { readonly amount: Text };
  'reservations.tooHigh': { readonly amount: Text };
  'reservations.confirm': { readonly amount: Text };
  'reservations.cancelTitle': { readonly amount: Text };
  'reservations.captured': { readonly amount: Text };
  'reservations.cancelled': { readonly amount: Text };
  'day.tests.paid': { readonly count: number; readonly amount: Text };
  'day.tests.refunded': { readonly count: number; readonly amount: Text };
  'day.byHour': { readonly currency: Text };
  'day.close.one': { readonly lane: Text };
  'day.close.from': { readonly time: Text; readonly number: Text };
  'day.close.open': { readonly count: number };
  'day.report.title': { readonly number: Text };
  'day.report.alsoIn': { readonly numbers: Text };
  'day.report.overlap': {
    readonly lane: Text;
    readonly number: Text;
    readonly time: Text;
    readonly amount: Text;
  };
  'day.report.done': { readonly number: Text };
  'day.export.saved': { readonly name: Text };
  'reconciliation.period.of': { readonly from: Text; readonly to: Text };
  'reconciliation.period.asOf': { readonly when: Text };
  'reconciliation.job.readingDetail': {
    readonly done: Text;
    readonly total: Text;
    readonly transactions: Text;
  };
  'reconciliation.cards.transfers': { readonly count: number };
  'reconciliation.cards.feesOf': { readonly payments: Text };
  'reconciliation.cards.matchedOf': { readonly all: Text };
  'reconciliation.cards.unexplained': { readonly amount: Text };
  'reconciliation.ofTransfer': { readonly reference: Text };
  'reconciliation.empty.nothingYet.body': { readonly count: number; readonly amount: Text };
  'reconciliation.noted': { readonly count: number };
  'reconciliation.story.inTransfer': { readonly reference: Text; readonly date: Text };
  'reconciliation.export.csv': { readonly count: number };
  'reconciliation.export.excel': { readonly count: number };
  'reconciliation.export.making': { readonly done: Text; readonly of: Text };
  'reconciliation.export.saved': { readonly name: Text };
  'health.asOf': { readonly time: Text };
  'health.clock.ahead': { readonly by: Text };
  'health.clock.behind': { readonly by: Text };
  'health.secondsAgo': { readonly seconds: Text };
  'health.span': { readonly from: Text; readonly until: Text };
  'health.of': { readonly part: Text; readonly whole: Text };
  'health.diagnostics.log': { readonly lines: Text };
  'health.diagnostics.journal': { readonly sales: Text; readonly since: Text };
  'health.diagnostics.saved': { readonly name: Text };
  'health.recording.until': { readonly time: Text };
  'health.backup.rule': { readonly least: Text };
  'health.backup.tooShort': { readonly least: Text };
  'health.backup.tooLong': { readonly most: Text };
  'health.backup.saved': { readonly name: Text };
  'thisPc.windows.window': { readonly number: Text };
  'thisPc.windows.thisDisplay': {
    readonly name: Text;
    readonly width: Text;
    readonly height: Text;
  };
  'thisPc.windows.mainDisplay': { readonly width: Text; readonly height: Text };
  'thisPc.windows.unnamedDisplay': { readonly number: Text };
  'thisPc.windows.gone': { readonly name: Text };
  'thisPc.awake.rule': { readonly field: Text };
  'thisPc.awake.same': { readonly from: Text; readonly until: Text; readonly always: Text };
  'thisPc.app.version': { readonly version: Text };
  'thisPc.app.feed.thisPc': { readonly address: Text };
  'thisPc.app.feed.settings': { readonly address: Text };
  'thisPc.app.feed.pinned': { readonly version: Text };
  'thisPc.app.channels.asNamed': { readonly channel: Text };
}

export type ManagerTexts = Texts<typeof en, Arguments>;
export const managerTexts = await catalogue<ManagerTexts>(
  import.meta.glob('../../assets/locales/*/manager.json'),
);
