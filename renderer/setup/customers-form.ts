import { type CustomersSee, longestShopName, ShopName } from '../../preload/procedures/setup-customer.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';

/** The form of the customers' screen, without the pictures. */
export interface CustomersForm {
  /** Empty: none. */
  shopName: string;
  /** The ids of the lanes where customers check in first. */
  checkInFirst: string[];
  hasDisplays: boolean;
  host: string;
  port: string;
}

export const anyHost = '0.0.0.0';
const usualPort = '4181';

export function formOf({ shopName, lanes, displays }: CustomersSee): CustomersForm {
  return {
    shopName: shopName ?? '',
    checkInFirst: lanes.filter(({ checkInFirst }) => checkInFirst).map(({ laneId }) => laneId),
    hasDisplays: displays !== null,
    host: displays?.host ?? anyHost,
    port: displays === null ? usualPort : String(displays.port),
  };
}

/** The broken rule, shown while typing. */
export function shopNameProblem(shopName: string, language: Language): string | null {
  const texts = setupTexts[language].customers;
  const tooMany = shopName.trim().length - longestShopName;
  if (tooMany > 0) return texts.shopNameTooLong({ by: tooMany });
  return shopName.trim() === '' || ShopName.safeParse(shopName).success ? null : texts.shopNameInvisible;
}

export function isPort(port: string): boolean {
  return /^\d{1,5}$/.test(port.trim()) && Number(port) <= 65_535;
}

export function formProblems({ shopName, hasDisplays, port }: CustomersForm, language: Language): Record<string, string | null> {
  return { shopName: shopNameProblem(shopName, language), port: hasDisplays && !isPort(port) ? setupTexts[language].till.portRule : null };
}
