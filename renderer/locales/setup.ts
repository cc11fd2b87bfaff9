// Made by `npm run locales` from assets/locales.

import type { Text, Texts } from '../../main/domain/texts.ts';
import type en from '../../assets/locales/en-GB/setup.json';
import { catalogue } from './catalogue.ts';

interface Arguments {
  change: { readonly what: Text };
  'refusal.hostNotFound': { readonly host: Text };
  'refusal.connectionRefused': { readonly host: Text };
  'refusal.noAnswer': { readonly host: Text };
  'refusal.certificateWrong': { readonly host: Text; readonly detail: Text };
  'refusal.certificatesUnchecked': { readonly detail: Text };
  'refusal.clockWrong': { readonly direction: 'ahead' | 'behind' | 'other'; readonly minutes: number };
  'refusal.notTls': { readonly host: Text };
  'refusal.wrongAddress': { readonly host: Text; readonly status: Text };
  'refusal.clientRefused': { readonly status: Text };
  'refusal.versionRefused': { readonly code: Text };
  'refusal.serviceFailing': { readonly host: Text; readonly status: Text };
  'refusal.refused': { readonly status: Text; readonly message: Text };
  'refusal.refusedWithCode': { readonly status: Text; readonly code: Text; readonly message: Text };
  'refusal.laneTaken': { readonly laneId: Text };
  'refusal.posTaken': { readonly laneId: Text };
  'refusal.tillTaken': { readonly laneId: Text };
  'refusal.laneUses': { readonly laneId: Text };
  'refusal.reservations': { readonly count: number };
  'refusal.unsettledMoney': { readonly count: number; readonly laneId: Text };
  'refusal.notWritable': { readonly path: Text };
  'refusal.settingsRefused': { readonly message: Text };
  'refusal.cannotOpen': { readonly message: Text };
  'refusal.portTaken': { readonly count: Text };
  'refusal.hostNotHere': { readonly host: Text };
  'refusal.otherService': { readonly host: Text };
  'refusal.fileAbsent': { readonly path: Text };
  'refusal.fileUnreadable': { readonly path: Text };
  'refusal.poiTaken': { readonly laneId: Text };
  'refusal.keysRefused': { readonly host: Text; readonly status: Text };
  'refusal.salesUnitRefused': { readonly host: Text; readonly status: Text };
  'refusal.salesUnitClosed': { readonly message: Text };
  'rules.characters': { readonly wrong: Text };
  'rules.tooLong': { readonly by: Text };
  'wallet.clockAhead': { readonly by: Text };
  'wallet.clockBehind': { readonly by: Text };
  'wallet.unit': { readonly name: Text; readonly country: Text };
  'store.filter': { readonly stores: Text };
  'pointOfSale.usedBy': { readonly laneId: Text };
  'pointOfSale.numberIsThere': { readonly which: Text };
  'pointOfSale.beaconIsThere': { readonly which: Text };
  'pointOfSale.suggestedName': { readonly number: Text };
  'till.serialNumber': { readonly number: Text };
  'till.usedBy': { readonly laneId: Text };
  'till.adapter': { readonly number: Text };
  'till.adapterAt': { readonly kind: Text; readonly location: Text };
  'till.baud': { readonly rate: Text };
  'till.portHint': { readonly port: Text };
  'till.laneHears': { readonly laneId: Text };
  'till.recorded.until': { readonly day: Text };
  'till.take': { readonly what: Text };
  'till.unheard.other': { readonly protocol: Text };
  'api.network': { readonly address: Text };
  'api.originsRule': { readonly wrong: Text };
  'api.ready': { readonly address: Text };
  'api.shared': { readonly lanes: Text };
  'api.tokenFor': { readonly name: Text };
  'api.tokenMade': { readonly name: Text };
  'heard.nothingTcp': { readonly address: Text };
  'heard.nothingAnyAddress': { readonly port: Text };
  'heard.zvtAt': { readonly rate: Text };
  'heard.wrongBaudRateNext': { readonly rate: Text };
  'heard.bytes': { readonly count: number };
  'heard.zvtProfile': { readonly profile: Text };
  'test.tillNote': { readonly amount: Text };
  'test.start': { readonly amount: Text };
  'test.pressNow': { readonly amount: Text };
  'test.passed': { readonly amount: Text };
  'test.programNote': { readonly amount: Text };
  'test.askNow': { readonly amount: Text; readonly address: Text };
  'finish.looking': { readonly host: Text };
  'finish.difference': { readonly field: Text; readonly now: Text; readonly wanted: Text };
  'finish.abandoned': { readonly count: number };
  'finish.reservations': { readonly count: number };
  'finish.beaconTaken': { readonly by: Text };
  'finish.activating': { readonly host: Text };
  'finish.waiting': { readonly lane: Text };
  'done.opening': { readonly lane: Text };
  'done.connecting': { readonly host: Text };
  'done.ready': { readonly lane: Text };
  'overview.unfinished': { readonly lane: Text };
  'overview.exported': { readonly file: Text };
  'overview.removeTitle': { readonly lane: Text };
  'overview.leftBehind': { readonly name: Text; readonly number: Text; readonly host: Text };
  'customers.shopNameTooLong': { readonly by: Text };
  'customers.addressTooLong': { readonly most: Text };
  'customers.vatHint': { readonly vat: Text };
  'customers.forWhich': { readonly button: Text; readonly which: Text };
  'customers.preview': { readonly which: Text };
  'customers.otherwise': { readonly addresses: Text };
  'customers.codeFor': { readonly lane: Text };
  'security.fromRule': { readonly wrong: Text };
  'security.fromTooMany': { readonly most: Text };
  'security.turnedAway': { readonly address: Text };
  'security.summary.refundsUpTo': { readonly amount: Text };
  'paymentTest.title': { readonly lane: Text };
  'paymentTest.approve': { readonly amount: Text };
  'paymentTest.paid': { readonly amount: Text };
  'paymentTest.refund': { readonly amount: Text };
  'paymentTest.refunding': { readonly amount: Text };
  'paymentTest.refunded': { readonly amount: Text };
}

export type SetupTexts = Texts<typeof en, Arguments>;
export const setupTexts = await catalogue<SetupTexts>({
  da: () => import('../../assets/locales/da-DK/setup.json', { with: { type: 'json' } }),
  fi: () => import('../../assets/locales/fi-FI/setup.json', { with: { type: 'json' } }),
  sv: () => import('../../assets/locales/sv-SE/setup.json', { with: { type: 'json' } }),
  en: () => import('../../assets/locales/en-GB/setup.json', { with: { type: 'json' } }),
});
