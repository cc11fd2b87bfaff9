import { passphrasePath, passwordPath } from '../settings/each-secret.ts';
import { mapSecrets } from '../settings/wallet.ts';
import { type Secret } from '../../support/settings/secrets.ts';
import type { Draft, KeptWallet } from './draft.ts';
import type { KeptTill } from './kept-till.ts';

/** @param path in the draft, e.g. `till.password` */
type Change = (secret: Secret, path: string) => Secret;

/** Returns the draft with each secret changed. Of a till's token it contains only the hash. */
export function mapDraftSecrets(draft: Draft, change: Change): Draft {
  return {
    ...draft,
    wallet: draft.wallet && walletWith(draft.wallet, change),
    till: draft.till && tillWith(draft.till, change),
  };
}

export const walletWith = (wallet: KeptWallet, change: Change): KeptWallet =>
  mapSecrets(wallet, (secret, field) => change(secret, `wallet.${field}`));

export function tillWith(till: KeptTill, change: Change): KeptTill {
  if (till.transport !== 'http')
    return till.password === null
      ? till
      : { ...till, password: change(till.password, passwordPath('till')) };
  if (till.nexo?.key?.passphrase == null) return till;
  const { nexo } = till;
  return {
    ...till,
    nexo: {
      ...nexo,
      key: {
        ...till.nexo.key,
        passphrase: change(till.nexo.key.passphrase, passphrasePath('till')),
      },
    },
  };
}
