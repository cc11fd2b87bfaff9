/**
 * The customer: simulated by the sandbox, or a person with a test phone (document 4, section 1.15).
 */
import type { Client } from '../../wallets/v10/typed-client.ts';
import type { sandboxOperations } from '../../wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { testPhone, type TestUser } from '../../wallets/v10/point-of-sale/test-phones.ts';
import { errorText } from '../simulator/error-text.ts';
import { NotShownError } from './finding.ts';

/** Asks a person at the terminal. @throws when nobody is there or answers */
export type Operator = (instruction: string) => Promise<void>;

export interface Customer {
  checkIn(who?: Card): Promise<void>;
  approve(who?: Card): Promise<void>;
  refuse(who?: Card): Promise<void>;
}

/** The test user, whose phone has this kind of card. */
export type Card = TestUser;

export interface CustomerOptions {
  readonly sandbox: Client<typeof sandboxOperations>;
  readonly beaconId: string;
  readonly merchantVat: string;
  /** null when nobody is at the terminal. */
  readonly operator: Operator | null;
  /**
   * Whether the sandbox certainly simulates the customer. A failure is then an error, and no person
   * is asked instead.
   */
  readonly simulationIsSure: boolean;
}

export function createCustomer({
  sandbox,
  beaconId,
  merchantVat,
  operator,
  simulationIsSure,
}: CustomerOptions): Customer {
  const act = async (simulated: () => Promise<unknown>, instruction: string): Promise<void> => {
    try {
      await simulated();
    } catch (error) {
      if (simulationIsSure) throw error;
      if (operator === null)
        throw new NotShownError(
          `the sandbox does not simulate a customer here (${errorText(error)}), and nobody is at a terminal to do it`,
        );
      await operator(instruction);
    }
  };
  const phone = (card: Card): string => testPhone(merchantVat, card);
  return {
    checkIn: (who = 'credit') =>
      act(
        () => sandbox.simulateCheckIn({ body: { beaconId, phoneNumber: phone(who) } }),
        `Check in with the test phone ${phone(who)} (${who}) at beacon ${beaconId} and press Enter`,
      ),
    approve: (who = 'credit') =>
      act(
        () => sandbox.simulateAcceptPayment({ body: { beaconId, phoneNumber: phone(who) } }),
        `Approve the payment on the test phone ${phone(who)} and press Enter`,
      ),
    refuse: (who = 'credit') =>
      act(
        () => sandbox.simulateCancelPaymentByUser({ body: { beaconId } }),
        `Cancel the payment on the test phone ${phone(who)} and press Enter`,
      ),
  };
}
