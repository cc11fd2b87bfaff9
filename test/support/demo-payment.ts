/** A payment of the demonstration, by the till and the phone of its own window. */
import type { Page } from 'playwright';

/** Types a payment at the demonstration's till, until the customer is shown the code. */
export async function beginPayment(demo: Page, cashier: Page): Promise<void> {
  await cashier.locator('[data-state="idle"]').waitFor();
  await demo.getByTestId('pay').click();
  await cashier.locator('[data-state="waitingForCustomer"]').waitFor();
}

/** Scans the code, and approves the payment once the phone asks. */
export async function approveOnPhone(demo: Page): Promise<void> {
  await demo.getByTestId('scan').click();
  await demo.locator('[data-phone="asked"]').waitFor();
  await demo.getByTestId('approve').click();
}
