/** Tries the key of the reporting interface, which is not in use yet (document 4, section 5). */
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { messageOf } from '../../core/domain/errors.ts';
import { merchantAccess } from '../../wallets/http/access.ts';
import { CredentialsRefusedError, ServiceRefusedError } from '../../wallets/http/errors.ts';
import { Transport } from '../../wallets/http/transport.ts';
import { type ProfileName, profileNamed } from '../../wallets/v10/v10-profile.ts';
import { listReportedPaymentPoints } from '../../wallets/v10/reporting/reporting-operations.ts';
import type { Network } from './service.ts';
import { Exchanges, reasonOf } from './service-reasons.ts';

interface ReportsAddress {
  readonly baseUrl: string;
  /** null when the reports are at `baseUrl`. */
  readonly reportingUrl: string | null;
  readonly reportingKey: string;
  readonly profile: ProfileName;
}

/** What an HTTP header can carry. */
const isSendable = (key: string): boolean => /^[\x21-\x7e]+$/.test(key);

/** Reads one line of the merchant's reports. @throws Refusal */
export async function testReports(address: ReportsAddress, network: Network): Promise<void> {
  const { baseUrl, reportingUrl, reportingKey, profile } = address;
  const url = reportingUrl ?? baseUrl;
  const refused = (why: string): Refusal =>
    new Refusal('reportingKeyRefused', why, {
      field: 'reportingKey',
      facts: { host: new URL(url).host },
    });
  if (!isSendable(reportingKey)) throw refused('the key has characters that no key has');
  const exchanges = new Exchanges(network, () =>
    reportingUrl === null ? 'baseUrl' : 'reportingUrl',
  );
  const { clock, log } = network;
  const access = merchantAccess(reportingKey);
  const transport = new Transport({
    baseUrl: url,
    access,
    profile: profileNamed(profile),
    send: exchanges.send,
    clock,
    log,
  });
  try {
    await transport.call(
      listReportedPaymentPoints,
      { query: { pagesize: 1, pagenumber: 1 } },
      { maxAttempts: 1 },
    );
  } catch (error) {
    const isRefused =
      error instanceof CredentialsRefusedError ||
      (error instanceof ServiceRefusedError && error.status === 403);
    throw isRefused
      ? refused(messageOf(error))
      : reasonOf(error, exchanges.last, { merchant: false });
  }
}
