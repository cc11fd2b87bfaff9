// Writes the references of the wallet services' clients from the declarations of their operations.
import { writeFileSync } from 'node:fs';
import { readCommand } from './command.mjs';
import { epaymentReference } from '../main/wallet/epayment/reference.ts';
import { walletReference } from '../main/wallet/v10/reference.ts';

readCommand({
  call: 'npm run wallet-reference --',
  does: "Writes main/wallet/v10/REFERENCE.md and main/wallet/epayment/REFERENCE.md from the declarations of the services' operations.",
  options: {},
});

writeFileSync(new URL('../main/wallet/v10/REFERENCE.md', import.meta.url), walletReference());
writeFileSync(
  new URL('../main/wallet/epayment/REFERENCE.md', import.meta.url),
  epaymentReference(),
);
