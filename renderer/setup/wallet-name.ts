import { epaymentService } from '../../preload/procedures/plain.ts';
import type { WalletView } from '../../preload/procedures/setup-fields.ts';

/** How a wallet service is named on the screens. */
export interface WalletName {
  readonly host: string;
  /**
   * The account at the service that gets the payments: the client's id, or the sales unit's number.
   */
  readonly account: string;
  readonly isTest: boolean;
}

/** null when the service is simulated, or none is chosen. */
export function walletName(wallet: WalletView | null | undefined): WalletName | null {
  if (wallet == null || wallet.kind === 'simulator') return null;
  if (wallet.kind === 'service')
    return {
      host: new URL(wallet.baseUrl).host,
      account: wallet.clientId,
      isTest: wallet.testService,
    };
  const { environment, baseUrl, merchantSerialNumber } = wallet;
  return {
    host: new URL(baseUrl ?? epaymentService.environments[environment]).host,
    account: `MSN ${merchantSerialNumber}`,
    isTest: environment === 'test',
  };
}

/**
 * Whether the daemon can check a phone in by itself: at a service for tests, and at the embedded
 * simulator.
 */
export const hasTestPhones = (wallet: WalletView): boolean =>
  wallet.kind === 'simulator' || (wallet.kind === 'service' && wallet.testService);

/** Whether the service can be asked who has checked in at the lane's beacon. */
export const testsBeacon = (
  { beacons }: { readonly beacons: readonly unknown[] },
  wallet: WalletView | undefined,
): boolean => wallet !== undefined && wallet.kind !== 'epayment' && beacons.length > 0;
