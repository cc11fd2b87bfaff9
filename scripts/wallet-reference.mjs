// Writes main/wallet/v10/REFERENCE.md from the declarations of the wallet service's operations.
import { writeFileSync } from 'node:fs';
import { readCommand } from './command.mjs';
import { walletReference } from '../main/wallet/v10/reference.ts';

readCommand({
  call: 'npm run wallet-reference --',
  does: "Writes main/wallet/v10/REFERENCE.md from the declarations of the wallet service's operations.",
  options: {},
});

writeFileSync(new URL('../main/wallet/v10/REFERENCE.md', import.meta.url), walletReference());
