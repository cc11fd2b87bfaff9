// Writes main/wallet/v10/REFERENCE.md from the declarations of the wallet service's operations.
import './node-version.mjs';
import { writeFileSync } from 'node:fs';
import { walletReference } from '../main/wallet/v10/reference.ts';

writeFileSync(new URL('../main/wallet/v10/REFERENCE.md', import.meta.url), walletReference());
