import {
  beaconIdIn,
  type Currency,
  MerchantPosId,
  PointOfSaleAsked,
  PointOfSaleName,
} from '../../preload/procedures/setup-fields.ts';
import type { FoundPointOfSale } from '../../preload/procedures/setup-service.ts';
import { type BeaconType, beaconTypes } from './beacon-pictures.ts';
import type { SetupTexts } from '../locales/setup.ts';
import type { Draft } from './step-order.ts';

/** The form of a point of sale and its lane. */
export interface PointOfSaleForm {
  merchantPosId: string;
  name: string;
  beaconTypes: BeaconType[];
  beaconFrom: 'service' | 'sticker';
  /** The beacon as typed or scanned. */
  beacon: string;
  requirePaymentBeforeCheckin: boolean;
  laneId: string;
  /** Empty for the same as `name`. */
  laneName: string;
  /** Empty for the currency of the merchant's country. */
  currency: '' | Currency;
  flow: 'initiate' | 'prepare';
  plannedCaptureDelay: PointOfSaleAsked['plannedCaptureDelay'];
  deadlineSeconds: string;
  /** The kinds of cards that customers may not pay with. */
  disallowed: CardType[];
  merchantPaymentLabel: string;
  /** null leaves the alias at the service as it is. */
  callbackAlias: string | null;
}

export const cardTypes = ['debit', 'credit'] as const;
export type CardType = (typeof cardTypes)[number];

export const longestName = 36;

export function blankForm(draft: Draft | null): PointOfSaleForm {
  const kept = draft?.pointOfSale ?? null;
  if (kept === null)
    return {
      merchantPosId: '',
      name: '',
      beaconTypes: ['QR'],
      beaconFrom: 'service',
      beacon: '',
      requirePaymentBeforeCheckin: false,
      laneId: '',
      laneName: '',
      currency: '',
      flow: 'initiate',
      plannedCaptureDelay: 'None',
      deadlineSeconds: '120',
      disallowed: [],
      merchantPaymentLabel: '',
      callbackAlias: null,
    };
  const { restrictions, callbackAlias, merchantPaymentLabel, ...rest } = kept;
  return {
    ...rest,
    beaconFrom: kept.beaconId === null ? 'service' : 'sticker',
    beacon: kept.beaconId ?? '',
    laneId: kept.laneId ?? '',
    laneName: kept.laneName ?? '',
    currency: kept.currency ?? '',
    deadlineSeconds: String(kept.deadlineSeconds),
    disallowed: cardTypes.filter((type) => restrictions[`${type}CardDisallowed`]),
    merchantPaymentLabel: merchantPaymentLabel ?? '',
    callbackAlias: callbackAlias === undefined ? null : (callbackAlias ?? ''),
  };
}

/** The fields as an existing point of sale has them, so that it is used instead of a new one. */
export function adopted(found: FoundPointOfSale): Partial<PointOfSaleForm> {
  const {
    merchantPosId,
    name,
    beaconTypes: types,
    beaconId,
    requirePaymentBeforeCheckin,
    callbackAlias,
  } = found;
  return {
    merchantPosId,
    name,
    beaconTypes: beaconTypes.filter((type) => types.includes(type)),
    beaconFrom: beaconId === null ? 'service' : 'sticker',
    beacon: beaconId ?? '',
    requirePaymentBeforeCheckin,
    callbackAlias,
  };
}

/**
 * A suggested number: the store's, with the first counter at the end that no other suggestion has,
 * whatever it began with.
 */
export function suggestedId(draft: Draft | null, taken: readonly string[]): string {
  const shop = draft?.store?.store.merchantLocationId ?? 'shop';
  let number = 1;
  while (taken.some((id) => id.endsWith(`-till-${number}`))) number += 1;
  return `${shop}-till-${number}`;
}

/** The counter at the end of a suggested number; "1" when it ends with none. */
export const numberIn = (merchantPosId: string): string => /\d+$/.exec(merchantPosId)?.[0] ?? '1';

/**
 * The rule that a name or a number breaks, in words, shown while typing. @param empty the words for
 * an empty field
 */
export function textProblem(text: string, empty: string, { rules }: SetupTexts): string | null {
  const wrong = [...new Set(text)].filter(
    (character) => character.trim() !== '' && !PointOfSaleName.safeParse(character).success,
  );
  if (wrong.length > 0) return rules.characters({ wrong: wrong.join(' ') });
  const length = text.trim().length;
  if (length > longestName) return rules.tooLong({ by: length - longestName });
  return length === 0 ? empty : null;
}

/** As `textProblem`, for a field that may be empty. */
const optionalProblem = (text: string, words: SetupTexts): string | null =>
  text.trim() === '' ? null : textProblem(text, '', words);

/** The problems of the whole form, by field. */
export function formProblems(
  form: PointOfSaleForm,
  words: SetupTexts,
): Record<string, string | null> {
  const { pointOfSale: texts, rules } = words;
  const { laneId, deadlineSeconds } = PointOfSaleAsked.shape;
  return {
    merchantPosId: MerchantPosId.safeParse(form.merchantPosId).success
      ? null
      : textProblem(form.merchantPosId, texts.numberMissing, words),
    posName: textProblem(form.name, texts.nameMissing, words),
    beaconTypes: form.beaconTypes.length === 0 ? texts.typesMissing : null,
    beacon:
      form.beaconFrom === 'sticker' && beaconIdIn(form.beacon) === null
        ? form.beacon.trim() === ''
          ? texts.beaconMissing
          : texts.beaconRule
        : null,
    laneName: optionalProblem(form.laneName, words),
    merchantPaymentLabel: optionalProblem(form.merchantPaymentLabel, words),
    callbackAlias: optionalProblem(form.callbackAlias ?? '', words),
    laneId: form.laneId === '' || laneId.safeParse(form.laneId).success ? null : rules.laneId,
    deadlineSeconds: deadlineSeconds.safeParse(Number(form.deadlineSeconds.trim() || Number.NaN))
      .success
      ? null
      : rules.deadline,
  };
}

/** @param form without problems */
export function asAsked(form: PointOfSaleForm): PointOfSaleAsked {
  return {
    merchantPosId: form.merchantPosId.trim(),
    name: form.name.trim(),
    beaconTypes: form.beaconTypes,
    beaconId: form.beaconFrom === 'sticker' ? beaconIdIn(form.beacon) : null,
    requirePaymentBeforeCheckin: form.requirePaymentBeforeCheckin,
    laneId: form.laneId === '' ? null : form.laneId,
    laneName: form.laneName.trim() === '' ? null : form.laneName.trim(),
    currency: form.currency === '' ? null : form.currency,
    flow: form.flow,
    plannedCaptureDelay: form.plannedCaptureDelay,
    deadlineSeconds: Number(form.deadlineSeconds),
    restrictions: {
      debitCardDisallowed: form.disallowed.includes('debit'),
      creditCardDisallowed: form.disallowed.includes('credit'),
    },
    merchantPaymentLabel: form.merchantPaymentLabel.trim() || null,
    ...(form.callbackAlias !== null && { callbackAlias: form.callbackAlias.trim() || null }),
  };
}
