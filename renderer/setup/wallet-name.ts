import { epaymentService } from '../../preload/procedures/plain.ts';
import type { WalletShown } from '../../preload/procedures/setup-fields.ts';

/** How a wallet service is named. */
export interface WalletName {
  readonly host: string;
  /** Whose payments they are there: the client, or the sales unit. */
  readonly account: string;
  readonly isTest: boolean;
}

/** null when it is simulated, or there is none. */
export function walletName(wallet: WalletShown | null | undefined): WalletName | null {
  if (wallet == null || wallet.kind === 'simulator') return null;
  if (wallet.kind === 'service') return { host: new URL(wallet.baseUrl).host, account: wallet.clientId, isTest: wallet.testService };
  const { environment, baseUrl, merchantSerialNumber } = wallet;
  return { host: new URL(baseUrl ?? epaymentService.environments[environment]).host, account: `MSN ${merchantSerialNumber}`, isTest: environment === 'test' };
}
