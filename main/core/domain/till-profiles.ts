/**
 * What ZVT tills do differently: each a setting of a till, and a profile a named set of them
 * (`assets/till-profiles`, a file each).
 */
import { z } from 'zod';
import blocksOverTcp from '../../../assets/till-profiles/blocksOverTcp.json' with { type: 'json' };
import currencyOfLane from '../../../assets/till-profiles/currencyOfLane.json' with {
  type: 'json',
};
import latinLetters from '../../../assets/till-profiles/latinLetters.json' with { type: 'json' };
import minimalAnswers from '../../../assets/till-profiles/minimalAnswers.json' with {
  type: 'json',
};
import narrowPaper from '../../../assets/till-profiles/narrowPaper.json' with { type: 'json' };
import noRegistration from '../../../assets/till-profiles/noRegistration.json' with {
  type: 'json',
};
import noRegistrationPrintsLines from '../../../assets/till-profiles/noRegistrationPrintsLines.json' with {
  type: 'json',
};
import oneStopBit from '../../../assets/till-profiles/oneStopBit.json' with { type: 'json' };
import passwordInPayment from '../../../assets/till-profiles/passwordInPayment.json' with {
  type: 'json',
};
import resultAlone from '../../../assets/till-profiles/resultAlone.json' with { type: 'json' };
import codePage437 from '../../../assets/till-profiles/codePage437.json' with { type: 'json' };
import standard from '../../../assets/till-profiles/standard.json' with { type: 'json' };
import widePaper from '../../../assets/till-profiles/widePaper.json' with { type: 'json' };

const columnsRule = 'must be a whole number from 16 to 99';

/** What a till's settings may have, and a profile sets. */
const deviations = {
  answers: z
    .enum(['asAgreed', 'minimal', 'resultAlone'])
    .describe(
      [
        'minimal: no TLV containers, also to a till that sends them, and an empty completion of a registration.',
        'resultAlone: the same, and neither intermediate statuses nor receipt lines, regardless of the configuration byte.',
        'asAgreed: as the till requests at registration.',
      ].join(' '),
    ),
  charset: z
    .enum(['ASCII', 'ISO-8859-1', 'ISO-8859-15', 'UTF-8', 'CP437'])
    .describe(
      'The character set of receipts and of the display, for a till that names none at registration.',
    ),
  columns: z
    .int(columnsRule)
    .min(16, columnsRule)
    .max(99, columnsRule)
    .describe(
      "Characters in a line of a receipt. It overrides the till's value. Default: the till's value, or 40.",
    ),
  missingCurrency: z
    .enum(['euro', 'lane'])
    .describe(
      [
        'The currency of an amount for which neither the command nor the registration names one.',
        'euro: as in the standard; a lane in another currency declines it.',
        "lane: the lane's, unless the till has named another one before.",
        "An amount in a currency other than the lane's is always declined.",
      ].join(' '),
    ),
  registrationCurrency: z
    .enum(['asNamed', 'ignored'])
    .describe(
      [
        "asNamed: a registration in a currency other than the lane's is refused.",
        'ignored: the registration is accepted and its currency ignored, for a till that always names the same one.',
        "A payment that names a currency other than the lane's is always declined.",
      ].join(' '),
    ),
  passwordInPayment: z
    .boolean()
    .describe(
      'true: the till sends its password in the payment command (06 01): before the amount and its currency, or after the amount alone. Any other form is refused.',
    ),
  framing: z
    .enum(['asSent', 'blocks'])
    .describe(
      'The framing over TCP. asSent: bare packets, or each after its length, as in the first packet of the till. blocks: the blocks of a serial line, as serial device servers forward them.',
    ),
  withoutRegistration: z
    .string()
    .regex(/^[0-9A-Fa-f]{2}$/, 'must be two hexadecimal digits')
    .describe(
      'The configuration byte of a till that has not registered, e.g. "86" for a till that prints receipt lines. It permits nothing else. Default: no configuration byte.',
    ),
};
const stopBits = z.literal([1, 2]).describe('The stop bits of the serial line.');

const Profile = z.strictObject({ ...deviations, stopBits }).partial();
const WholeProfile = z
  .object({ ...deviations, stopBits })
  .partial({ columns: true, withoutRegistration: true });

/**
 * The profiles by their ids, which are the files' names. `setup.tillProfile` in `assets/locales`
 * explains each in a sentence.
 */
const tillProfiles = {
  standard: Profile.parse(standard),
  oneStopBit: Profile.parse(oneStopBit),
  minimalAnswers: Profile.parse(minimalAnswers),
  noRegistration: Profile.parse(noRegistration),
  noRegistrationPrintsLines: Profile.parse(noRegistrationPrintsLines),
  narrowPaper: Profile.parse(narrowPaper),
  widePaper: Profile.parse(widePaper),
  latinLetters: Profile.parse(latinLetters),
  codePage437: Profile.parse(codePage437),
  resultAlone: Profile.parse(resultAlone),
  currencyOfLane: Profile.parse(currencyOfLane),
  passwordInPayment: Profile.parse(passwordInPayment),
  blocksOverTcp: Profile.parse(blocksOverTcp),
};
export type TillProfileId = keyof typeof tillProfiles;
export const tillProfileIds = Object.keys(tillProfiles) as TillProfileId[];

/** The deviations as a till's settings have them. */
export const deviationSettings = {
  profile: z
    .enum(tillProfileIds)
    .optional()
    .describe(
      'The name of a profile with the deviations of this till. It gives the defaults of the other settings of the till.',
    ),
  ...z.object(deviations).partial().shape,
};
export const terminalIdSetting = z
  .string()
  .regex(/^\d{8}$/, 'must be eight digits')
  .optional()
  .describe(
    'The terminal id that the till receives. Default: a different one for each lane, stored in the data folder.',
  );
export const stopBitsSetting = stopBits
  .optional()
  .describe('The stop bits of the serial line. Default: those of the profile; the standard has 2.');

/** What a till's settings say of it. */
export type Deviations = z.infer<typeof Profile> & { readonly profile?: TillProfileId | undefined };
export type TillProfile = Readonly<z.infer<typeof WholeProfile>>;

/** The till's own settings, then its profile's, then the standard's. */
export function profileOf(till: Deviations): TillProfile {
  const own = Object.fromEntries(Object.entries(till).filter(([, value]) => value !== undefined));
  return WholeProfile.parse({
    ...tillProfiles.standard,
    ...tillProfiles[till.profile ?? 'standard'],
    ...own,
  });
}
