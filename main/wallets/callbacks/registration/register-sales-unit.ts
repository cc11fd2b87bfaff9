/**
 * Registers a sales unit's receiver at the ePayment service (document 5, section 4.1), or removes a
 * registration.
 */
import { outsideText } from '../../../core/domain/outside-text.ts';
import { maskedAddress } from '../../../core/domain/service-address.ts';
import { SettingsError } from '../../../support/settings/settings-error.ts';
import { ServiceRefusedError } from '../../http/errors.ts';
import type { Transport } from '../../http/transport.ts';
import type { SecretElsewhere } from '../../../core/domain/secret-elsewhere.ts';
import type { CallbackSettingsFile } from '../callback-settings.ts';
import { checkedInEvent, epaymentEventNames } from '../../epayment/webhooks/webhook-message.ts';
import {
  deleteRegisteredWebhook,
  listRegisteredWebhooks,
  registerWebhook,
} from '../../epayment/webhooks/webhooks-operations.ts';
import { isSameAddress } from './register.ts';

export interface RegisteringSalesUnit {
  readonly settings: CallbackSettingsFile;
  /** Which of `epayment` in the settings, from 0 on; null for the only one. */
  readonly webhook: number | null;
  /** The id of a registration that is to end, instead of registering. */
  readonly remove: string | null;
  /** Shows the registrations without changing them. */
  readonly showOnly: boolean;
  readonly lookUp: (secret: string | SecretElsewhere, where: string) => string;
  /** Writes the secret to the file that the settings name. */
  readonly keepSecret: (file: string, secret: string) => void;
  /** Transport with the keys of the sales unit. */
  readonly transport: Transport;
  readonly say: (line: string) => void;
}

const wanted: ((typeof epaymentEventNames)[number] | typeof checkedInEvent)[] = [
  ...epaymentEventNames,
  checkedInEvent,
];

/**
 * Prints the registrations before and after. It can be called again: a registration that is as
 * wanted stays.
 * @throws SettingsError before anything is changed; WalletError, after which the address may be
 * registered without its secret, so that it has to be called
 *   again
 */
export async function registerSalesUnit(registering: RegisteringSalesUnit): Promise<void> {
  const { remove, showOnly, transport, say } = registering;
  const { url, secret, where } =
    showOnly || remove !== null ? { url: null, secret: null, where: '' } : webhookOf(registering);
  const before = await listed(transport);
  tell(before, showOnly ? 'registered' : 'before', say);
  if (remove !== null) {
    if (!before.some(({ id }) => id === remove))
      throw new SettingsError([
        `--remove: must be the id of a registration that is listed, got ${remove}`,
      ]);
    await end(transport, remove);
  } else if (url !== null) {
    const others = before.filter(
      (one) => !isSameAddress(one.url, url) && one.events.includes(checkedInEvent),
    );
    const [other] = others;
    // A sales unit has one registration for check-ins, and it may be that of a receiver in use.
    if (other !== undefined)
      throw new SettingsError([
        `${where}.url: scans are told to ${printable(other.url)} already, and to one address alone: end that with --remove ${other.id}`,
      ]);
    await put({ ...registering, url, file: secret, where }, before);
  } else return;
  tell(await listed(transport), 'now', say);
}

interface Wanted extends RegisteringSalesUnit {
  readonly url: string;
  readonly file: string;
  readonly where: string;
}

/**
 * Registrations cannot be updated, and the service tells a secret only once. So a registration
 * whose secret is not in the file is replaced.
 */
async function put(
  { url, file, where, transport, lookUp, keepSecret, say }: Wanted,
  before: readonly Registration[],
): Promise<void> {
  const here = before.filter((one) => isSameAddress(one.url, url));
  const [only, ...more] = here;
  if (
    only !== undefined &&
    more.length === 0 &&
    only.url === url &&
    wanted.every((event) => only.events.includes(event)) &&
    isSecretStored()
  )
    return;
  // The old secret is removed first, so that a run after an interruption sees that the registration
  // has to be replaced.
  if (here.length > 0) keepSecret(file, '');
  for (const { id } of here) await end(transport, id);
  const { secret } = await transport.call(registerWebhook, { body: { url, events: wanted } });
  keepSecret(file, secret);
  say(`  ePayment: the secret of the signatures is in ${file}; restart a running receiver`);

  function isSecretStored(): boolean {
    try {
      return lookUp({ file }, `${where}.secret`) !== '';
    } catch (error) {
      if (error instanceof SettingsError) return false;
      throw error;
    }
  }
}

/** @throws SettingsError */
function webhookOf({ settings: { epayment = [] }, webhook }: RegisteringSalesUnit): {
  url: string;
  secret: string;
  where: string;
} {
  if (epayment.length === 0)
    throw new SettingsError([
      'epayment: must name the address that is registered, and a file for its secret',
    ]);
  if (webhook === null && epayment.length > 1)
    throw new SettingsError([
      `--webhook: must say which of the ${epayment.length} in epayment is that of this sales unit`,
    ]);
  const at = webhook ?? 0;
  const webhookSettings = epayment[at];
  if (webhookSettings === undefined)
    throw new SettingsError([
      `--webhook: must be one of the ${epayment.length} in epayment, got ${at + 1}`,
    ]);
  const where = `epayment.${at}`;
  if (typeof webhookSettings.secret !== 'object' || !('file' in webhookSettings.secret))
    throw new SettingsError([
      `${where}.secret: must be { "file": "PATH" }, so that the secret that the service makes up can be kept there`,
    ]);
  return { url: webhookSettings.url, secret: webhookSettings.secret.file, where };
}

interface Registration {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
}

const listed = async (transport: Transport): Promise<readonly Registration[]> =>
  (await transport.call(listRegisteredWebhooks, {})).webhooks;

/** Succeeds when the webhook is gone already. */
async function end(transport: Transport, webhookId: string): Promise<void> {
  try {
    await transport.call(deleteRegisteredWebhook, { webhookId });
  } catch (error) {
    if (!(error instanceof ServiceRefusedError && error.status === 404)) throw error;
  }
}

function tell(
  registrations: readonly Registration[],
  when: string,
  say: (line: string) => void,
): void {
  if (registrations.length === 0) say(`  ePayment, ${when}: no registration`);
  for (const { id, url, events } of registrations) {
    const scans = events.includes(checkedInEvent) ? 'scans of stickers' : 'no scans';
    const payments = epaymentEventNames.filter((event) => events.includes(event)).length;
    say(
      `  ePayment, ${when}: ${printable(url)}, ${scans}, ${payments} of ${epaymentEventNames.length} events of payments, id ${id}`,
    );
  }
}

/**
 * Makes a text of the service safe to print: without control characters, and with tokens in
 * addresses masked.
 */
const printable = (text: string): string => outsideText(maskedAddress(text));
