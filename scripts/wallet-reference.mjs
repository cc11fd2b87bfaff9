// Writes the references of the wallet services' clients from the declarations of their operations.
import { writeFileSync } from 'node:fs';
import { readCommand } from './command.mjs';
import { epaymentReference } from '../main/wallets/epayment/epayment-reference.ts';
import { v10Reference } from '../main/wallets/v10/v10-reference.ts';

readCommand({
  call: 'npm run wallet-reference --',
  does: "Writes main/wallets/v10/REFERENCE.md and main/wallets/epayment/REFERENCE.md from the declarations of the services' operations.",
  options: {},
});

writeFileSync(new URL('../main/wallets/v10/REFERENCE.md', import.meta.url), v10Reference());
writeFileSync(
  new URL('../main/wallets/epayment/REFERENCE.md', import.meta.url),
  epaymentReference(),
);
