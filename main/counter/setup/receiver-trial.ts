/** Whether a callback receiver answers this counter, with the real reason where it does not. */
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { checksOff } from '../../support/settings/certificate-checks.ts';
import type { Environment } from '../../support/settings/secrets.ts';
import { askForScans, ReceiverAnswerError } from '../../wallets/callbacks/scan-link.ts';
import { failureOf } from '../../wallets/http/http.ts';
import type { Network } from './service.ts';
import { ofNetwork } from './service-reasons.ts';

interface Trial {
  readonly url: string;
  readonly token: string;
  readonly network: Pick<Network, 'send' | 'clock'>;
  readonly environment: Environment;
  readonly isTest: boolean;
}

/** @throws Refusal as `tryReceiver` says */
export async function tryReceiver({
  url,
  token,
  network,
  environment,
  isTest,
}: Trial): Promise<void> {
  const { host } = new URL(url);
  const refusal = (
    code: string,
    message: string,
    field: string | null,
    facts: Readonly<Record<string, string | number>>,
  ): Refusal =>
    new Refusal(code, message, { ...(field !== null && { field }), facts: { host, ...facts } });
  const unchecked = checksOff(environment);
  if (unchecked !== null && !isTest)
    throw refusal(
      'certificatesUnchecked',
      `${unchecked} switches the checks of certificates off`,
      'url',
      { detail: unchecked },
    );
  try {
    await askForScans(
      { url, token, ...network },
      { since: null, mayWait: false },
      new AbortController().signal,
    );
  } catch (error) {
    const why = failureOf(error);
    if (!(error instanceof ReceiverAnswerError)) {
      // Somebody answered, in no way that is known.
      const found = ofNetwork(why, (code, facts = {}, field = 'url') =>
        refusal(code, why, field, facts),
      );
      throw found.code === 'wrongAddress'
        ? refusal('notAReceiver', why, 'url', { status: 0 })
        : found;
    }
    const { status } = error;
    if (status === 401) throw refusal('receiverRefused', why, 'token', { status });
    throw refusal(status >= 500 ? 'serviceFailing' : 'notAReceiver', why, 'url', { status });
  }
}
