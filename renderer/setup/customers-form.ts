import { shopRules } from '../../preload/described/shop.ts';
import {
  maxAddressLength,
  maxShopNameLength,
  defaultPorts,
  vatIn,
} from '../../preload/procedures/plain.ts';
import type { CustomersSee } from '../../preload/procedures/setup-customer.ts';
import { fits } from '../../preload/shape.ts';
import type { Language } from '../locales/i18n.ts';
import { hostPort } from '../../main/core/domain/host-port.ts';
import { setupTexts } from '../locales/setup.ts';

/** The form of the customers' screen, without the pictures. */
export interface CustomersForm {
  /** Empty when the shop's name is not shown. */
  shopName: string;
  /** The address on receipts; empty for none. */
  address: string;
  /** The VAT number on receipts; empty for the one that the wallet service knows. */
  vat: string;
  /** The ids of the lanes where customers check in first. */
  checkInFirst: string[];
  hasDisplays: boolean;
  /** Empty when this machine has no network address that other devices can reach. */
  host: string;
  port: string;
}

/**
 * A settings file may name this to listen at all addresses. Setup itself offers one network at a
 * time.
 */
export const anyHost = '0.0.0.0';

export function formOf({
  shopName,
  address,
  vat,
  lanes,
  displays,
  addresses,
}: CustomersSee): CustomersForm {
  return {
    shopName: shopName ?? '',
    address: address ?? '',
    vat: vat ?? '',
    checkInFirst: lanes.filter(({ checkInFirst }) => checkInFirst).map(({ laneId }) => laneId),
    hasDisplays: displays !== null,
    host: displays?.host ?? addresses[0] ?? '',
    port: String(displays?.port ?? defaultPorts.customerDisplays),
  };
}

/** The broken rule, shown while typing. */
export function shopNameProblem(shopName: string, language: Language): string | null {
  const texts = setupTexts[language].customers;
  const tooMany = shopName.trim().length - maxShopNameLength;
  if (tooMany > 0) return texts.shopNameTooLong({ by: tooMany });
  return shopName.trim() === '' || fits(shopRules.name, shopName.trim())
    ? null
    : texts.shopNameInvisible;
}

function isPort(port: string): boolean {
  return /^\d{1,5}$/.test(port.trim()) && Number(port) <= 65_535;
}

/** The fields that the daemon would refuse, each with the reason in words. */
export function formProblems(
  { shopName, address, vat, hasDisplays, host, port }: CustomersForm,
  language: Language,
): Record<string, string | null> {
  const { customers, fields } = setupTexts[language];
  return {
    shopName: shopNameProblem(shopName, language),
    address:
      address.trim() === '' || fits(shopRules.address, address.trim())
        ? null
        : customers.addressTooLong({ most: maxAddressLength }),
    vat: vat.trim() === '' || fits(shopRules.vat, vatIn(vat)) ? null : customers.vatRule,
    host: hasDisplays && host === '' ? customers.hostMissing : null,
    port: hasDisplays && !isPort(port) ? fields.port.rule : null,
  };
}

/**
 * Addresses of the customers' screens for other devices, the likeliest first; empty while there are
 * none. @param servedAt the port in use when `port` is 0
 */
export function displayAddresses(
  { host, port }: Pick<CustomersForm, 'host' | 'port'>,
  { servedAt, addresses, lanes }: Pick<CustomersSee, 'servedAt' | 'addresses' | 'lanes'>,
  laneId: string,
): string[] {
  if (!isPort(port) || host === '') return [];
  // For port 0 the system picks a free port when the server starts.
  const at = Number(port) === 0 ? servedAt : Number(port);
  if (at === null) return [];
  const query = lanes.length === 1 ? '' : `?${new URLSearchParams({ lane: laneId }).toString()}`;
  return (host === anyHost ? addresses : [host]).map(
    (one) => `http://${hostPort(one, at)}/${query}`,
  );
}
