import { addressProblem, beaconIdIn } from '../../preload/procedures/setup-fields.ts';
import { stickerNames, tokenOfReceiver } from '../../preload/procedures/plain.ts';
import { portFields } from '../../preload/procedures/setup-till-fields.ts';
import type { InputOf } from '../../preload/procedures.ts';
import type { CustomerWays, Ways } from '../../preload/procedures/setup-ways.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { waysTexts } from '../locales/ways.ts';
import { type PortForm, portProblems } from './ports-choice.ts';
import { type FieldsForm, fieldsForm } from './setup-field-form.ts';

type PrepareWays = Extract<Ways, { flow: 'prepare' }>;

/** The form of a lane's ways to its customers, without the receiver's token. */
export interface WaysForm extends PortForm, FieldsForm<typeof portFields> {
  flow: Ways['flow'];
  customerTypesNumber: boolean;
  /** `keyboard` is a scanner that types; there is none at a serial port then. */
  scanner: 'keyboard' | 'serial';
  sticker: 'none' | 'own' | 'printed';
  stickerId: string;
  /** The beacon as typed or scanned. */
  beacon: string;
  /** Empty when no receiver is used. */
  receiverUrl: string;
}

export function formOf({ ways, receiver, freeStickerId }: CustomerWays): WaysForm {
  const { customerTypesNumber, scanner, sticker }: Omit<PrepareWays, 'flow'> =
    ways.flow === 'prepare' ? ways : { customerTypesNumber: false, scanner: null, sticker: null };
  return {
    flow: ways.flow,
    customerTypesNumber,
    scanner: scanner === null ? 'keyboard' : 'serial',
    path: scanner?.path ?? null,
    otherPath: scanner?.path ?? '',
    ...fieldsForm(portFields, scanner),
    sticker: sticker?.kind ?? 'none',
    stickerId: sticker?.kind === 'own' ? sticker.id : freeStickerId,
    beacon: sticker?.kind === 'printed' ? sticker.beaconId : '',
    receiverUrl: receiver?.url ?? '',
  };
}

export const hasSticker = ({ flow, sticker }: WaysForm): boolean =>
  flow === 'prepare' && sticker !== 'none';

/** Whether the daemon has a token stored for this address. */
export const hasToken = ({ receiverUrl }: WaysForm, { receiver }: CustomerWays): boolean =>
  receiver !== null && receiver.url === receiverUrl.trim();

/** The rules that the receiver's fields break, by field. @param token as typed */
export function receiverProblems(
  form: WaysForm,
  token: string,
  kept: CustomerWays,
  language: Language,
): Record<'receiverUrl' | 'token', string | null> {
  const { wallet, refusal } = setupTexts[language];
  const problem = addressProblem(form.receiverUrl.trim());
  return {
    receiverUrl: problem === null ? null : wallet.address[problem],
    token:
      token.trim() === ''
        ? hasToken(form, kept)
          ? null
          : refusal.tokenMissing
        : tokenOfReceiver.test(token.trim())
          ? null
          : waysTexts[language].tokenRule,
  };
}

/** The problems of the whole form, by field. */
export function waysProblems(
  form: WaysForm,
  token: string,
  kept: CustomerWays,
  language: Language,
): Record<string, string | null> {
  const words = setupTexts[language];
  const texts = waysTexts[language];
  const isNamed = form.flow === 'prepare';
  const hasReceiver = form.receiverUrl.trim() !== '';
  return {
    ...(isNamed && form.scanner === 'serial' && portProblems(form, texts.portMissing, words)),
    sticker: hasSticker(form) && !hasReceiver ? words.refusal.receiverMissing : null,
    stickerId:
      isNamed && form.sticker === 'own' && !stickerNames.test(form.stickerId.trim())
        ? texts.stickerIdRule
        : null,
    beacon: isNamed && form.sticker === 'printed' ? beaconProblem(form.beacon, language) : null,
    ...(hasReceiver && receiverProblems(form, token, kept, language)),
  };
}

function beaconProblem(beacon: string, language: Language): string | null {
  const { beaconMissing, beaconRule } = setupTexts[language].pointOfSale;
  if (beacon.trim() === '') return beaconMissing;
  return beaconIdIn(beacon) === null ? beaconRule : null;
}

/** @param form without problems @param token as typed; empty for the stored one */
export function receiverInput({ receiverUrl }: WaysForm, token: string): InputOf<'tryReceiver'> {
  return { url: receiverUrl.trim(), token: token.trim() || null };
}

/** @param form without problems */
export function waysInput(form: WaysForm): InputOf<'changeCustomerWays'>['ways'] {
  if (form.flow === 'initiate') return { flow: 'initiate' };
  const { flow, customerTypesNumber, scanner, sticker } = form;
  return {
    flow,
    customerTypesNumber,
    scanner: scanner === 'serial' ? scannerInput(form) : null,
    sticker:
      sticker === 'own'
        ? { kind: sticker, id: form.stickerId.trim() }
        : sticker === 'printed'
          ? { kind: sticker, beaconId: beaconIdIn(form.beacon) ?? '' }
          : null,
  };
}

export const scannerInput = ({ path, baudRate }: WaysForm): InputOf<'listenToScanner'> => ({
  path: path ?? '',
  baudRate,
});
