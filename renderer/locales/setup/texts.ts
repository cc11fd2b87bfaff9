import type { CommonRefusal } from '../../../preload/procedures/procedure.ts';
import type { setupProcedures } from '../../../preload/procedures/setup.ts';
import type { AddressProblem } from '../../../preload/procedures/setup-fields.ts';
import type { Heard, TestPaymentState } from '../../../preload/procedures/setup-till.ts';

export type SetupRefusal = Exclude<(typeof setupProcedures)[keyof typeof setupProcedures]['refusals'][number], CommonRefusal>;

/** What the words of a refusal may name; empty or 0 where it does not know. */
export interface RefusalFacts {
  readonly host: string;
  readonly status: string;
  readonly code: string;
  readonly detail: string;
  /** This machine's clock is so much ahead; negative: behind. */
  readonly seconds: number;
  readonly laneId: string;
  readonly count: number;
  readonly path: string;
  readonly step: string;
  /** In English, for support. */
  readonly message: string;
}

interface Titled {
  readonly title: string;
  readonly note: string;
}

/** The installer's screen. */
export interface SetupTexts {
  readonly title: string;
  /** Of the list of steps. */
  readonly path: string;
  readonly stepOf: (number: number, of: number) => string;
  readonly leave: string;
  readonly next: string;
  /** Settings that hardly anybody needs. */
  readonly more: string;
  readonly change: (what: string) => string;
  readonly notSaved: string;
  readonly step: Readonly<
    Record<
      'language' | 'wallet' | 'store' | 'pointOfSale' | 'till' | 'test' | 'manager' | 'finish' | 'customers',
      { readonly name: string; readonly title: string; readonly lead: string }
    >
  >;
  readonly refusal: Readonly<Record<SetupRefusal, (facts: RefusalFacts) => string>>;
  readonly rules: {
    readonly characters: (wrong: string) => string;
    readonly tooLong: (by: number) => string;
    readonly laneId: string;
    readonly deadline: string;
  };
  readonly language: { readonly legend: string };
  readonly wallet: {
    readonly kind: string;
    readonly service: string;
    readonly serviceNote: string;
    readonly simulator: string;
    readonly simulatorNote: string;
    readonly baseUrl: string;
    readonly baseUrlHint: string;
    readonly authUrl: string;
    readonly authUrlHint: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly secretHint: string;
    readonly secretKept: string;
    readonly addressMissing: string;
    /** Why an address is refused. */
    readonly address: Readonly<Record<AddressProblem, string>>;
    readonly clientIdMissing: string;
    readonly secretMissing: string;
    readonly tokenFor: string;
    readonly tokenForHint: string;
    readonly forMerchant: string;
    readonly forIntegrator: string;
    readonly profile: string;
    readonly profileHint: string;
    readonly profiles: Readonly<Record<'generic' | 'mobilepay', string>>;
    readonly reportingKey: string;
    readonly reportingKeyHint: string;
    readonly reportingUrl: string;
    readonly reportingUrlHint: string;
    readonly testService: string;
    readonly testServiceHint: string;
    readonly test: string;
    readonly testing: string;
    readonly clockTitle: string;
    /** `by` from Intl. */
    readonly clockAhead: (by: string) => string;
    readonly clockBehind: (by: string) => string;
  };
  readonly store: {
    readonly merchantVat: string;
    readonly vatHint: string;
    readonly vatRule: string;
    readonly by: string;
    readonly byVat: string;
    readonly byVatNote: string;
    readonly byLocation: string;
    readonly byLocationNote: string;
    readonly brandId: string;
    readonly brandHint: string;
    readonly brandRule: string;
    readonly locationId: string;
    readonly locationHint: string;
    readonly locationRule: string;
    readonly look: string;
    readonly looking: string;
    readonly filter: (stores: number) => string;
    readonly pick: string;
    readonly pickOne: string;
    readonly noName: string;
    readonly noneOfVat: string;
    readonly noneThere: string;
  };
  readonly pointOfSale: {
    readonly which: string;
    readonly new: string;
    readonly newNote: string;
    readonly usedBy: (laneId: string) => string;
    readonly number: string;
    readonly numberHint: string;
    readonly numberMissing: string;
    readonly numberIsThere: (which: string) => string;
    readonly isThereBody: string;
    readonly adopt: string;
    readonly name: string;
    readonly nameHint: string;
    readonly nameMissing: string;
    readonly types: string;
    readonly typesHint: string;
    readonly typesMissing: string;
    readonly type: Readonly<Record<'QR' | 'NFC' | 'Bluetooth', Titled>>;
    readonly beaconFrom: string;
    readonly fromService: string;
    readonly fromServiceNote: string;
    readonly fromSticker: string;
    readonly fromStickerNote: string;
    readonly beacon: string;
    readonly beaconHint: string;
    readonly beaconMissing: string;
    readonly beaconRule: string;
    readonly beaconRead: string;
    readonly beaconIsThere: (which: string) => string;
    readonly requirePayment: string;
    readonly requirePaymentHint: string;
    readonly laneName: string;
    readonly laneId: string;
    readonly deadlineSeconds: string;
    readonly hints: Readonly<Record<'laneName' | 'laneId' | 'deadlineSeconds', string>>;
    readonly currency: string;
    readonly currencyOfCountry: string;
    readonly flow: string;
    readonly flowHint: string;
    readonly flows: Readonly<Record<'initiate' | 'prepare', string>>;
  };
  readonly till: {
    readonly name: string;
    readonly transport: string;
    readonly serial: string;
    readonly serialNote: string;
    readonly tcp: string;
    readonly tcpNote: string;
    readonly ports: string;
    readonly portsHint: string;
    readonly justPluggedIn: string;
    readonly serialNumber: (number: string) => string;
    readonly usedBy: (laneId: string) => string;
    readonly otherPort: string;
    readonly otherPortNote: string;
    readonly path: string;
    readonly pathHint: string;
    readonly portMissing: string;
    readonly pathMissing: string;
    readonly baudRate: string;
    readonly baudHint: string;
    readonly baud: (rate: number) => string;
    readonly stopBits: string;
    readonly stopBitsHint: string;
    readonly host: string;
    readonly hostHint: string;
    readonly hostMissing: string;
    readonly port: string;
    readonly portHint: string;
    readonly portRule: string;
    readonly laneHears: (laneId: string) => string;
    readonly nextUnheard: string;
  };
  readonly heard: {
    readonly opening: string;
    readonly cannotOpen: string;
    readonly cannotOpenNext: string;
    readonly cannotOpenTcpNext: string;
    readonly waiting: string;
    readonly nothing: string;
    readonly nothingTcp: (address: string) => string;
    readonly unclear: string;
    readonly zvt: string;
    readonly zvtNext: string;
    readonly zvtAt: (rate: number) => string;
    readonly zvtDamaged: string;
    readonly zvtDamagedNext: string;
    readonly wrongBaudRate: string;
    readonly wrongBaudRateNext: (rate: number) => string;
    readonly protocol: Readonly<Record<NonNullable<Heard['protocol']>, { readonly title: string; readonly next: string }>>;
    readonly bytes: (count: string) => string;
  };
  readonly test: {
    readonly with: string;
    readonly own: string;
    readonly ownNote: string;
    readonly till: string;
    readonly tillNote: (amount: string) => string;
    readonly start: (amount: string) => string;
    readonly again: string;
    readonly stop: string;
    readonly stopped: string;
    readonly pressNow: (amount: string) => string;
    readonly pressNowBody: string;
    readonly steps: Readonly<Record<TestPaymentState['steps'][number], string>>;
    readonly passed: (amount: string) => string;
    readonly passedBody: string;
    readonly failed: string;
    readonly failedNext: string;
    readonly skip: string;
  };
  readonly finish: {
    readonly looking: string;
    readonly again: string;
    readonly tested: string;
    readonly notTested: string;
    readonly new: string;
    readonly same: string;
    readonly demonstration: string;
    readonly recreate: string;
    readonly recreateBody: string;
    readonly field: Readonly<Record<'name' | 'storeId' | 'beaconId' | 'beaconTypes' | 'requirePaymentBeforeCheckin', string>>;
    readonly difference: (field: string, now: string, wanted: string) => string;
    readonly none: string;
    readonly newSticker: string;
    readonly keepBeacon: string;
    readonly checkInsLost: string;
    readonly callbackLost: string;
    readonly abandoned: (count: number) => string;
    readonly reservations: (count: number) => string;
    readonly reservationsNext: string;
    readonly beaconTaken: (by: string) => string;
    readonly beaconTakenNext: string;
    readonly putInUse: string;
    readonly recreateNow: string;
  };
  readonly done: {
    readonly firstManager: string;
    readonly firstManagerNote: string;
    /** Passes by the manager's step. */
    readonly firstManagerLater: string;
    readonly opening: (lane: string) => string;
    readonly connecting: string;
    readonly ready: (lane: string) => string;
    readonly readyLead: string;
    readonly stickers: string;
    readonly stickersNote: string;
    readonly save: string;
    readonly print: string;
    readonly screens: string;
    readonly screensNote: string;
    readonly cashier: string;
    readonly customer: string;
    readonly overview: string;
  };
  readonly overview: {
    readonly title: string;
    readonly add: string;
    readonly import: string;
    readonly unfinished: (lane: string) => string;
    readonly unfinishedNew: string;
    readonly resume: string;
    readonly discard: string;
    readonly recreating: string;
    readonly change: string;
    readonly saveStickers: string;
    readonly printStickers: string;
    readonly export: string;
    readonly exported: (file: string) => string;
    readonly remove: string;
    readonly removeTitle: (lane: string) => string;
    readonly removeBody: string;
    readonly lastLane: string;
  };
  readonly file: {
    readonly refused: (at: string) => string;
    readonly refusedNext: string;
    readonly waiting: string;
    readonly waitingNext: string;
  };
  readonly imported: {
    readonly title: string;
    readonly missing: Readonly<Record<'clientSecret' | 'serialPort' | 'tillPassword', string>>;
    readonly dismiss: string;
  };
}
