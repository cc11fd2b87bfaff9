import type { Report } from '../report.ts';
import { type CommonOptions, runCases } from '../run.ts';
import { epaymentChecklist, epaymentSections } from './epayment-checklist.ts';
import type { OfSalesUnit } from './epayment-checks.ts';
import { EpaymentHarness, type EpaymentHarnessOptions } from './epayment-harness.ts';

export type EpaymentRunOptions = EpaymentHarnessOptions &
  CommonOptions<EpaymentHarness, OfSalesUnit>;

/** @returns null when it was interrupted */
export function runEpaymentChecklist(options: EpaymentRunOptions): Promise<Report | null> {
  const { called, keys } = options.service;
  const { msn } = keys;
  return runCases<EpaymentHarness, OfSalesUnit>({
    cases: epaymentChecklist,
    ...options,
    driver: new EpaymentHarness(options),
    facts: async () => ({ msn }),
    about: {
      service: `${called} (ePayment)`,
      merchant: `sales unit ${msn}`,
      sections: epaymentSections,
    },
  });
}
