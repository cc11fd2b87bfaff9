// Writes main/wallet/REFERENCE.md from the declarations of the wallet service's operations.
import './node-version.mjs';
import { writeFileSync } from 'node:fs';
import { walletReference } from '../main/wallet/reference.ts';

writeFileSync(new URL('../main/wallet/REFERENCE.md', import.meta.url), walletReference());
