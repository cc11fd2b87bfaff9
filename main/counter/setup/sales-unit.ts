/**
 * What setup asks the ePayment service, with keys that are not in use yet (document 5, sections 1
 * and 6.1).
 */
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { OutputOf } from '../../../preload/procedures.ts';
import type { ServiceRefusal } from '../../../preload/procedures/setup-service.ts';
import { countries, type Country } from '../../core/domain/wallet-services.ts';
import { messageOf } from '../../core/domain/errors.ts';
import { type SalesUnitKeys, salesUnitAccess } from '../../wallets/epayment/epayment-access.ts';
import {
  getSalesUnit,
  type SalesUnit,
} from '../../wallets/epayment/management/management-operations.ts';
import { readEpaymentPresence } from '../../wallets/epayment/point-of-sale/epayment-presence.ts';
import { epaymentProfile } from '../../wallets/epayment/epayment-profile.ts';
import { CredentialsRefusedError, ServiceRefusedError } from '../../wallets/http/errors.ts';
import { Transport } from '../../wallets/http/transport.ts';
import type { Network } from './service.ts';
import { Exchanges, reasonOf } from './service-reasons.ts';

export interface SalesUnitAddress {
  readonly baseUrl: string;
  readonly keys: SalesUnitKeys;
  /** Only there the service tells of its sales units. */
  readonly isProduction: boolean;
}

/** Every method throws a Refusal with the real reason. */
export class SalesUnitInSetup {
  readonly #address: SalesUnitAddress;
  readonly #transport: Transport;
  readonly #exchanges: Exchanges;

  constructor(address: SalesUnitAddress, network: Network) {
    this.#address = address;
    this.#exchanges = new Exchanges(network, () => 'baseUrl');
    const { baseUrl, keys } = address;
    const { clock, log, clientVersion: version } = network;
    const parts = { baseUrl, clock, log, send: this.#exchanges.send };
    const system = { name: 'tillbeacon', version, pluginName: 'setup', pluginVersion: version };
    this.#transport = new Transport({
      ...parts,
      profile: epaymentProfile,
      access: salesUnitAccess({ ...parts, keys, system }),
    });
  }

  /** Fetches a token, shows it to the service, and reads the sales unit where that can be. */
  async test(): Promise<OutputOf<'testSalesUnit'>> {
    try {
      await readEpaymentPresence(this.#transport);
      const clockOffSeconds = this.#exchanges.last?.clockOffSeconds ?? null;
      const unit = this.#address.isProduction ? await this.#unit() : null;
      if (unit !== null) this.#checkOpen(unit);
      return {
        name: unit?.name ?? null,
        country: unit === null ? null : countryOf(unit),
        clockOffSeconds,
      };
    } catch (error) {
      throw this.#reason(error);
    }
  }

  /**
   * null when these keys may not read it, which payments do not need. @throws as `Transport.call`
   */
  async #unit(): Promise<SalesUnit | null> {
    try {
      return await this.#transport.call(
        getSalesUnit,
        { msn: this.#address.keys.msn },
        { maxAttempts: 1 },
      );
    } catch (error) {
      if (error instanceof ServiceRefusedError) return null;
      throw error;
    }
  }

  /** @throws Refusal salesUnitClosed */
  #checkOpen({ configuration }: SalesUnit): void {
    const { paymentAllowed, captureType } = configuration ?? {};
    if (paymentAllowed === false)
      throw this.#refusal('salesUnitClosed', 'paymentAllowed is false', 'merchantSerialNumber');
    if (captureType != null && captureType !== 'ReserveCapture')
      throw this.#refusal(
        'salesUnitClosed',
        `captureType is ${captureType}, and must be ReserveCapture`,
        'merchantSerialNumber',
      );
  }

  #reason(error: unknown): unknown {
    if (error instanceof Refusal) return error;
    const why = messageOf(error);
    const isRefused =
      error instanceof CredentialsRefusedError || error instanceof ServiceRefusedError;
    if (isRefused && error.status === 403)
      return this.#refusal('salesUnitRefused', why, 'merchantSerialNumber', 403);
    if (error instanceof CredentialsRefusedError)
      return this.#refusal('keysRefused', why, 'clientSecret', error.status);
    return reasonOf(error, this.#exchanges.last, { merchant: false });
  }

  #refusal(code: ServiceRefusal, message: string, field: string, status?: number): Refusal {
    return new Refusal(code, message, {
      field,
      facts: { host: new URL(this.#address.baseUrl).host, ...(status !== undefined && { status }) },
    });
  }
}

/** The country in `business:DK:CVR`; null when there is no currency for it. */
function countryOf({ businessIdentifier }: SalesUnit): Country | null {
  const said = /^business:([A-Z]{2})\b/.exec(businessIdentifier?.scheme ?? '')?.[1];
  return countries.find((country) => country === said) ?? null;
}
