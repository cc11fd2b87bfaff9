import { randomUUID } from 'node:crypto';
import {
  createRefund,
  getRefund,
  listRefunds,
} from '../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import type { AnswerTo } from '../../preload/procedures.ts';
import { operationPath } from '../../main/wallets/http/operation.ts';
import { headerNames, profileNamed } from '../../main/wallets/v10/v10-profile.ts';
import type { SaleSummary } from '../../preload/procedures/refunds.ts';
import type { Counter } from './counter.ts';
import { ada } from './manager.ts';
import { ContractClient } from './contract-client.ts';
import { until } from './processes.ts';

/** Signs in and asks as a manager's screen does. */
export class ContractLine extends ContractClient {
  static async at(screens: string): Promise<ContractLine> {
    return new ContractLine(await ContractClient.open(screens));
  }

  /** Signed in as Ada, who is this counter's first manager. */
  static async ofAda(counter: {
    readonly started: { readonly screens: string };
    readonly firstManagerCode: string;
  }): Promise<ContractLine> {
    const line = await ContractLine.at(counter.started.screens);
    const { managers, codeFile } = await line.value('session', {});
    const [known] = managers;
    if (known === undefined) {
      if (codeFile !== null) await line.value('enterCode', { code: counter.firstManagerCode });
      await line.value('addManager', ada);
    } else await line.value('signIn', { managerId: known.managerId, pin: ada.pin });
    return line;
  }
}

/** Takes a payment with the till and a phone, and returns it once it is settled. */
export async function paidSale(
  counter: Counter,
  manager: ContractLine,
  amountMinor: number,
): Promise<SaleSummary & { paymentId: string }> {
  const payment = counter.till.pay(amountMinor, 'DKK');
  await counter.customerPays();
  await payment;
  const { paymentId } = await counter.serviceSays('Captured');
  let sale: SaleSummary | undefined;
  await until(async () => {
    sale = (await manager.value('findSales', { paymentIdEnding: paymentId })).sales.find(
      ({ state }) => state === 'paid',
    );
    return sale !== undefined;
  }, 'the journal to have it as paid');
  return { ...(sale as SaleSummary), paymentId };
}

/** Refunds under a new action id. */
export function refundSale(
  manager: ContractLine,
  saleId: string,
  amountMinor: number,
): Promise<AnswerTo<'refund'>> {
  return manager.ask('refund', { actionId: randomUUID(), saleId, amountMinor, note: 'Paid twice' });
}

export interface ServiceRefund {
  readonly refundOrderId: string;
  readonly amount: number;
  readonly status: string;
}

/** The refunds of a payment in the service's own books. */
export async function serviceRefunds(
  counter: Counter,
  paymentId: string,
): Promise<ServiceRefund[]> {
  const { refundIds } = (await (
    await toService(counter, 'GET', `${pathOf(listRefunds)}?paymentId=${paymentId}`)
  ).json()) as { refundIds: string[] };
  return Promise.all(
    refundIds.map(
      async (refundId) =>
        (await (
          await toService(counter, 'GET', pathOf(getRefund).replace('{refundId}', refundId))
        ).json()) as ServiceRefund,
    ),
  );
}

/** Refunds at the service without the daemon, as somebody with the merchant's credentials can. */
export function refundAtService(
  counter: Counter,
  paymentId: string,
  amount: number,
): Promise<Response> {
  return toService(counter, 'POST', pathOf(createRefund), {
    paymentId,
    refundOrderId: `elsewhere-${randomUUID().slice(0, 8)}`,
    amount,
    currencyCode: 'DKK',
  });
}

const profile = profileNamed('generic');
const pathOf = (operation: Parameters<typeof operationPath>[1]): string =>
  operationPath(profile, operation);

async function toService(
  counter: Counter,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const { authUrl, baseUrl, clientId, clientSecret, merchantVat } = counter.credentials;
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const form = new URLSearchParams({ grant_type: 'client_credentials', merchant_vat: merchantVat });
  const { access_token: token } = (await (
    await fetch(`${authUrl}${profile.tokenPath}`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
  ).json()) as {
    access_token: string;
  };
  const { clientVersion, idempotencyKey } = headerNames(profile);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    [clientVersion]: '1.0.0',
    [idempotencyKey]: randomUUID(),
  };
  return fetch(baseUrl + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
