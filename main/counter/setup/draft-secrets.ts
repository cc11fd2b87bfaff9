import { mapSecretsAt, tillSecretPaths } from '../settings/each-secret.ts';
import { mapSecrets } from '../settings/wallet.ts';
import { type Secret } from '../../support/settings/secrets.ts';
import type { Draft, DraftWallet } from './draft.ts';
import type { DraftTill } from './draft-till.ts';

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

export const walletWith = (wallet: DraftWallet, change: Change): DraftWallet =>
  mapSecrets(wallet, (secret, field) => change(secret, `wallet.${field}`));

export const tillWith = (till: DraftTill, change: Change): DraftTill =>
  mapSecretsAt({ till }, tillSecretPaths('till'), change).till;
