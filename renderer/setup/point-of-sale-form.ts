import {
  beaconIdIn,
  MerchantPosId,
  type PointOfSaleInput,
  PointOfSaleName,
} from '../../preload/procedures/setup-fields.ts';
import {
  derivedLaneFields,
  laneFields,
  pointOfSaleFields,
} from '../../preload/procedures/setup-lane-fields.ts';
import type { PresentPointOfSale } from '../../preload/procedures/setup-service.ts';
import { type BeaconType, beaconTypes } from './beacon-pictures.ts';
import type { SetupTexts } from '../locales/setup.ts';
import { fieldAnswers, fieldProblems, type FieldsForm, fieldsForm } from './setup-field-form.ts';
import type { Draft } from './step-order.ts';

/** The fields whose inputs follow from their declarations. */
export const declaredFields = { ...derivedLaneFields, ...laneFields, ...pointOfSaleFields };

/** The form of a point of sale and its lane. */
export interface PointOfSaleForm extends FieldsForm<typeof declaredFields> {
  merchantPosId: string;
  name: string;
  beaconTypes: BeaconType[];
  beaconFrom: 'service' | 'sticker';
  /** The beacon as typed or scanned. */
  beacon: string;
  /** The kinds of cards that customers may not pay with. */
  disallowed: CardType[];
  /** null leaves the alias at the service as it is. */
  callbackAlias: string | null;
}

export const cardTypes = ['debit', 'credit'] as const;
export type CardType = (typeof cardTypes)[number];

export const maxNameLength = 36;

export function blankForm(draft: Draft | null): PointOfSaleForm {
  const kept = draft?.pointOfSale ?? null;
  const declared = fieldsForm(declaredFields, kept);
  if (kept === null)
    return {
      ...declared,
      merchantPosId: '',
      name: '',
      beaconTypes: ['QR'],
      beaconFrom: 'service',
      beacon: '',
      disallowed: [],
      callbackAlias: null,
    };
  const { merchantPosId, name, beaconTypes, restrictions, callbackAlias } = kept;
  return {
    ...declared,
    merchantPosId,
    name,
    beaconTypes,
    beaconFrom: kept.beaconId === null ? 'service' : 'sticker',
    beacon: kept.beaconId ?? '',
    disallowed: cardTypes.filter((type) => restrictions[`${type}CardDisallowed`]),
    callbackAlias: callbackAlias === undefined ? null : (callbackAlias ?? ''),
  };
}

/** The fields as an existing point of sale has them, so that it is used instead of a new one. */
export function adopted(found: PresentPointOfSale): Partial<PointOfSaleForm> {
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
  if (length > maxNameLength) return rules.tooLong({ by: length - maxNameLength });
  return length === 0 ? empty : null;
}

/** The problems of the whole form, by field. */
export function formProblems(
  form: PointOfSaleForm,
  words: SetupTexts,
): Record<string, string | null> {
  const explain = (text: string): string | null => textProblem(text, '', words);
  const { pointOfSale: texts } = words;
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
    ...fieldProblems(declaredFields, form, words.fields, explain),
    callbackAlias: form.callbackAlias?.trim() ? explain(form.callbackAlias) : null,
  };
}

/** @param form without problems */
export function pointOfSaleInput(form: PointOfSaleForm): PointOfSaleInput {
  return {
    merchantPosId: form.merchantPosId.trim(),
    name: form.name.trim(),
    beaconTypes: form.beaconTypes,
    beaconId: form.beaconFrom === 'sticker' ? beaconIdIn(form.beacon) : null,
    ...fieldAnswers(declaredFields, form),
    restrictions: {
      debitCardDisallowed: form.disallowed.includes('debit'),
      creditCardDisallowed: form.disallowed.includes('credit'),
    },
    ...(form.callbackAlias !== null && { callbackAlias: form.callbackAlias.trim() || null }),
  };
}
