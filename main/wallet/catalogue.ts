/** Every operation of the wallet service that is declared, interface by interface. */
import type { Operation } from './operation.ts';
import { pointOfSaleOperations, sandboxOperations } from './point-of-sale/operations.ts';

export const catalogue = [...pointOfSaleOperations, ...sandboxOperations] as unknown as readonly Operation[];
