/**
 * What an installer has filled in so far: on disk, with the secrets; and as the screens may see it.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Draft as DraftShown, SetupStep } from '../../../preload/procedures/setup.ts';
import {
  currencyOfCountry,
  Language,
  PointOfSaleInput,
  SalesUnitInput,
  ServiceInput,
  StoreInput,
  TestedWith,
  type WalletView,
} from '../../../preload/procedures/setup-fields.ts';
import { answersFrom, settingsFrom } from '../../../preload/procedures/setup-field.ts';
import { laneFields, pointOfSaleFields } from '../../../preload/procedures/setup-lane-fields.ts';
import type { Currency } from '../../core/domain/money.ts';
import type { LaneSettings, Settings } from '../settings/schema.ts';
import { serviceOf } from '../settings/wallet.ts';
import { Secret } from '../../support/settings/secrets.ts';
import { PreparedToken } from '../../tills/http/tokens.ts';
import {
  apiSettings,
  bringsToken,
  DraftTill,
  draftTill,
  lacksPassphrase,
  tillView,
  tillSettings,
} from './draft-till.ts';

const DraftWallet = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('simulator') }),
  /** `clientSecret` is null in a lane imported from a file, which has none. */
  ServiceInput.extend({
    clientSecret: Secret.nullable(),
    reportingKey: Secret.nullable(),
    provenAtMs: z.number().nullable(),
  }),
  SalesUnitInput.extend({
    clientSecret: Secret.nullable(),
    subscriptionKey: Secret.nullable(),
    /** Setup does not ask for this and the next: they are as the settings have them. */
    secondSubscriptionKey: Secret.nullable(),
    code: z.enum(['picture', 'text']),
    provenAtMs: z.number().nullable(),
  }),
]);
export type DraftWallet = z.infer<typeof DraftWallet>;
export type DraftService = Extract<DraftWallet, { kind: 'service' }>;
export type DraftSalesUnit = Extract<DraftWallet, { kind: 'epayment' }>;

export const Draft = z.object({
  laneId: z.string().nullable(),
  language: Language.nullable(),
  wallet: DraftWallet.nullable(),
  store: StoreInput.nullable(),
  pointOfSale: PointOfSaleInput.nullable(),
  till: DraftTill.nullable(),
  /**
   * The token of a till that is a program. It is valid once the draft is in use, and never before.
   */
  tillToken: PreparedToken.nullable().default(null),
  /** Set for an imported lane; null for what the lane in use has. */
  checkInFirst: z.boolean().nullable().default(null),
  unheard: z.boolean().default(false),
  /** Drafts of earlier versions say only whether one went through. */
  tested: z.union([
    z.boolean().transform((went): TestedWith | null => (went ? 'own' : null)),
    TestedWith.nullable(),
  ]),
});
export type Draft = z.infer<typeof Draft>;

export const emptyDraft: Draft = {
  laneId: null,
  language: null,
  wallet: null,
  store: null,
  pointOfSale: null,
  till: null,
  tillToken: null,
  checkInFirst: null,
  unheard: false,
  tested: null,
};

/** The store of a demonstration, which has no shop to look for. */
const simulatedStore: StoreInput = {
  merchantVat: 'DK90000028',
  store: {
    storeId: 'd3500000-0000-4000-8000-000000000001',
    name: 'Simulated store',
    street: null,
    zipCode: null,
    city: null,
    brandName: null,
    merchantBrandId: null,
    merchantLocationId: null,
  },
};

export function nextStep(draft: Draft): SetupStep | 'finish' {
  if (draft.language === null) return 'language';
  if (draft.wallet === null || !hasSecrets(draft.wallet)) return 'wallet';
  // A sales unit is the store.
  if (draft.store === null && draft.wallet.kind !== 'epayment') return 'store';
  if (draft.pointOfSale === null) return 'pointOfSale';
  return draft.till === null || lacksPassphrase(draft.till) ? 'till' : 'finish';
}

const hasSecrets = (wallet: DraftWallet): boolean =>
  wallet.kind === 'simulator' ||
  (wallet.clientSecret !== null && (wallet.kind === 'service' || wallet.subscriptionKey !== null));

export function draftView(draft: Draft): DraftShown {
  const { checkInFirst: _ofTheFile, tillToken: _ofTheTill, ...shown } = draft;
  return {
    ...shown,
    wallet: draft.wallet && walletView(draft.wallet),
    till: draft.till && tillView(draft.till),
    next: nextStep(draft),
  };
}

function walletView(wallet: DraftWallet): WalletView {
  if (wallet.kind === 'simulator') return wallet;
  if (wallet.kind === 'epayment') {
    const {
      clientSecret: _secret,
      subscriptionKey: _key,
      secondSubscriptionKey: _second,
      code: _code,
      ...shown
    } = wallet;
    return { ...shown, hasSecret: hasSecrets(wallet) };
  }
  const { clientSecret, reportingKey, ...shown } = wallet;
  return { ...shown, hasSecret: clientSecret !== null, hasReportingKey: reportingKey !== null };
}

/** One step's answer. A changed step clears the later answers that depended on it. */
export type StepAnswer =
  | { readonly step: 'language'; readonly value: z.infer<typeof Language> }
  | { readonly step: 'wallet'; readonly value: DraftWallet }
  | { readonly step: 'store'; readonly value: StoreInput }
  | { readonly step: 'pointOfSale'; readonly value: PointOfSaleInput }
  | { readonly step: 'till'; readonly value: DraftTill; readonly unheard: boolean };

export function withStep(draft: Draft, answer: StepAnswer): Draft {
  switch (answer.step) {
    case 'language':
      return { ...draft, language: answer.value };
    case 'wallet': {
      const wallet = answer.value;
      if (draft.wallet !== null && isSameService(draft.wallet, wallet)) return { ...draft, wallet };
      return { ...draft, wallet, store: wallet.kind === 'simulator' ? simulatedStore : null };
    }
    case 'store':
      return { ...draft, store: answer.value };
    case 'pointOfSale': {
      const tested = draft.pointOfSale?.flow === answer.value.flow ? draft.tested : null;
      return { ...draft, pointOfSale: answer.value, tested };
    }
    case 'till': {
      const tested = isDeepStrictEqual(draft.till, answer.value) ? draft.tested : null;
      const tillToken = bringsToken(answer.value) ? draft.tillToken : null;
      return { ...draft, till: answer.value, tillToken, unheard: answer.unheard, tested };
    }
  }
}

/** Whether stores found with the one wallet are valid for the other. */
function isSameService(one: DraftWallet, other: DraftWallet): boolean {
  if (one.kind !== 'service' || other.kind !== 'service') return one.kind === other.kind;
  return one.baseUrl === other.baseUrl && one.clientId === other.clientId;
}

/** A draft that changes a lane in use. With a `laneId` of null it adds a lane to those in use. */
export function draftOf(settings: Settings, laneId: string | null): Draft {
  const { wallet } = settings;
  const kept = draftWallet(wallet);
  const lane = settings.lanes.find(({ id }) => id === laneId);
  const neighbour = lane ?? settings.lanes[0];
  const merchantVat =
    'simulator' in wallet
      ? simulatedStore.merchantVat
      : wallet.service === 'epayment'
        ? null
        : wallet.merchantVat;
  const storeId = neighbour?.pointOfSale.storeId;
  return {
    ...emptyDraft,
    laneId,
    language: settings.language ?? null,
    wallet: kept,
    // Only the id is stored in the settings; the names were shown when it was chosen.
    store:
      storeId === undefined || merchantVat === null
        ? null
        : { merchantVat, store: { ...simulatedStore.store, name: null, storeId } },
    ...(lane !== undefined && {
      pointOfSale: pointOfSaleOf(lane),
      till: draftTill(lane.till, settings.api),
    }),
  };
}

export function draftWallet(wallet: Settings['wallet']): DraftWallet {
  if ('simulator' in wallet) return { kind: 'simulator' };
  if (wallet.service === 'epayment') {
    const { service: _kind, secondSubscriptionKey = null, baseUrl = null, ...unit } = wallet;
    return { kind: 'epayment', ...unit, secondSubscriptionKey, baseUrl, provenAtMs: null };
  }
  const {
    service: _default,
    merchantVat: _ofTheStore,
    reportingKey = null,
    reportingUrl = null,
    ...service
  } = wallet;
  return { kind: 'service', ...service, reportingKey, reportingUrl, provenAtMs: null };
}

export const walletInUse = (settings: Settings): WalletView =>
  walletView(draftWallet(settings.wallet));

const noRestrictions: PointOfSaleInput['restrictions'] = {
  debitCardDisallowed: false,
  creditCardDisallowed: false,
};

function pointOfSaleOf(lane: LaneSettings): PointOfSaleInput {
  const {
    id,
    name,
    currency,
    restrictions = noRestrictions,
    pointOfSale: { storeId: _ofTheStore, ...pointOfSale },
  } = lane;
  return {
    ...pointOfSale,
    ...answersFrom(pointOfSaleFields, pointOfSale),
    ...answersFrom(laneFields, lane),
    laneId: id,
    // A lane with the name of its point of sale is renamed with it.
    laneName: name === pointOfSale.name ? null : name,
    currency,
    restrictions,
  };
}

/** A draft in which nothing is missing. */
export type WholeDraft = {
  [Part in keyof Draft]: Part extends 'laneId' | 'store' | 'checkInFirst' | 'tested' | 'tillToken'
    ? Draft[Part]
    : NonNullable<Draft[Part]>;
};

export function isWhole(draft: Draft): draft is WholeDraft {
  return nextStep(draft) === 'finish';
}

/**
 * Keeps the notification service of the present point of sale, unless the draft names one: the
 * settings need it when the point of sale is created anew.
 */
export function withCallbackOf(
  found: { readonly callbackAlias?: string | null | undefined } | null,
  draft: WholeDraft,
): WholeDraft {
  const callbackAlias = found?.callbackAlias;
  if (!callbackAlias || draft.pointOfSale.callbackAlias !== undefined) return draft;
  return { ...draft, pointOfSale: { ...draft.pointOfSale, callbackAlias } };
}

/** The lane that the draft describes. @param taken the ids of the other lanes */
export function laneOf(
  draft: Pick<WholeDraft, 'laneId' | 'wallet' | 'store' | 'pointOfSale' | 'till'>,
  taken: readonly string[],
): LaneSettings {
  const { store, wallet } = draft;
  const isEpayment = wallet.kind === 'epayment';
  const { pointOfSale, till } = draft;
  const { laneId, laneName, currency, restrictions, callbackAlias } = pointOfSale;
  const { merchantPosId, name, beaconTypes, beaconId } = pointOfSale;
  return {
    id: laneId ?? draft.laneId ?? firstFree(taken),
    name: laneName ?? name,
    currency: currencyOf(wallet, store, currency),
    ...settingsFrom(laneFields, pointOfSale),
    ...(isEpayment && { flow: 'initiate' as const }),
    checkInFirst: false,
    customerTypesNumber: false,
    ...(!isEpayment &&
      (restrictions.debitCardDisallowed || restrictions.creditCardDisallowed) && { restrictions }),
    pointOfSale: {
      merchantPosId,
      name,
      beaconTypes,
      beaconId,
      ...settingsFrom(pointOfSaleFields, pointOfSale),
      ...(store !== null && { storeId: store.store.storeId }),
      ...(callbackAlias !== undefined && { callbackAlias }),
    },
    till: tillSettings(till),
  };
}

/** null while the draft does not tell it. */
export function laneCurrencyOf(draft: Draft | null): Currency | null {
  if (draft?.wallet == null || draft.pointOfSale === null) return null;
  return currencyOf(draft.wallet, draft.store, draft.pointOfSale.currency);
}

function currencyOf(
  wallet: WholeDraft['wallet'],
  store: StoreInput | null,
  currency: Currency | null,
): Currency {
  return wallet.kind === 'epayment'
    ? currencyOfCountry[wallet.country]
    : (currency ?? currencyAt(store));
}

/** The currency of the merchant's country. */
const currencyAt = (store: StoreInput | null): Currency =>
  store?.merchantVat.startsWith('FI') === true ? 'EUR' : 'DKK';

/** The settings in use with the draft's lane in its place, or as one more. */
export function settingsWith(
  inUse: Settings | null,
  draft: WholeDraft,
): { settings: Settings; lane: LaneSettings } {
  const lanes = inUse?.lanes ?? [];
  const others = lanes.filter(({ id }) => id !== draft.laneId);
  const described = laneOf(
    draft,
    others.map(({ id }) => id),
  );
  const isThere = others.length < lanes.length;
  const { requirePaymentBeforeCheckin } = described.pointOfSale;
  const before = lanes.find(({ id }) => id === draft.laneId);
  // Setup does not ask for it here: the previous or imported value stays unless it contradicts the
  // answers.
  const isWanted = draft.checkInFirst ?? before?.checkInFirst ?? false;
  const isEpayment = draft.wallet.kind === 'epayment';
  const wasEpayment = inUse !== null && serviceOf(inUse.wallet) === 'epayment';
  const storeId = before?.pointOfSale.storeId;
  // Only the ePayment interface has these; a page of their own asks for them (`customer-ways.ts`).
  const {
    sticker,
    scanner,
    customerTypesNumber = false,
  }: Partial<LaneSettings> = isEpayment && wasEpayment ? (before ?? {}) : {};
  const lane = {
    ...described,
    // v10 lanes need no scanner: a change of the service begins without one.
    ...(isEpayment && wasEpayment && before !== undefined && { flow: before.flow }),
    customerTypesNumber,
    ...(sticker !== undefined && { sticker }),
    ...(scanner !== undefined && { scanner }),
    checkInFirst:
      isWanted && (!isEpayment || sticker !== undefined) && !requirePaymentBeforeCheckin,
    // The service before has its payments there.
    ...(isEpayment &&
      storeId !== undefined && { pointOfSale: { ...described.pointOfSale, storeId } }),
  };
  const ofOthers = (one: LaneSettings): LaneSettings => {
    if (isEpayment) return wasEpayment ? one : { ...one, flow: 'initiate', checkInFirst: false };
    const { sticker: _sticker, scanner: _scanner, ...without } = one;
    return { ...without, customerTypesNumber: false };
  };
  return {
    lane,
    settings: {
      ...withoutWallets(inUse),
      language: draft.language,
      ...walletsOf(inUse, walletOf(draft.wallet, draft.store?.merchantVat ?? '')),
      ...(draft.till.transport === 'http' && { api: apiSettings(draft.till, inUse?.api) }),
      lanes: isThere
        ? lanes.map((one) => (one.id === draft.laneId ? lane : ofOthers(one)))
        : [...lanes.map(ofOthers), lane],
    },
  };
}

function withoutWallets(inUse: Settings | null): Partial<Omit<Settings, keyof Wallets>> {
  const { wallet: _wallet, formerWallet: _former, ...others } = inUse ?? {};
  return others;
}

type Wallets = Pick<Settings, 'wallet' | 'formerWallet'>;

/**
 * A change to another service keeps the one before: payments that were begun there are settled and
 * refunded there.
 */
function walletsOf(inUse: Wallets | null, wallet: Settings['wallet']): Wallets {
  const now = inUse?.wallet;
  if (now === undefined || 'simulator' in now || 'simulator' in wallet) return { wallet };
  const formerWallet = serviceOf(now) === serviceOf(wallet) ? inUse?.formerWallet : now;
  return { wallet, ...(formerWallet !== undefined && { formerWallet }) };
}

function walletOf(wallet: DraftWallet, merchantVat: string): Settings['wallet'] {
  if (wallet.kind === 'simulator') return { simulator: true };
  if (wallet.kind === 'epayment') {
    const {
      kind: service,
      provenAtMs: _when,
      clientSecret,
      subscriptionKey,
      secondSubscriptionKey,
      baseUrl,
      ...unit
    } = wallet;
    if (clientSecret === null || subscriptionKey === null)
      throw new Error('the sales unit has no keys yet');
    const second = secondSubscriptionKey === null ? {} : { secondSubscriptionKey };
    return {
      service,
      ...unit,
      clientSecret,
      subscriptionKey,
      ...second,
      ...(baseUrl !== null && { baseUrl }),
    };
  }
  const {
    kind: _kind,
    provenAtMs: _when,
    clientSecret,
    reportingKey,
    reportingUrl,
    ...service
  } = wallet;
  if (clientSecret === null) throw new Error('the wallet has no client secret yet');
  return {
    ...service,
    clientSecret,
    merchantVat,
    ...(reportingKey !== null && { reportingKey }),
    ...(reportingUrl !== null && { reportingUrl }),
  };
}

function firstFree(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(String(number))) number += 1;
  return String(number);
}
