import { expect, test, vi } from 'vitest';
import type { Bridge } from '../../../../../preload/contract.ts';
import { managerTexts } from '../../../../../renderer/locales/manager.ts';
import { Export } from '../../../../../renderer/manager/reconciliation/reconciliation-export.ts';

test('the late answer to a cancelled export leaves the next one on the screen', async () => {
  const answers: (() => void)[] = [];
  const ask = vi.fn((name: string) =>
    name === 'reconciliationExport'
      ? new Promise((resolve) =>
          answers.push(() =>
            resolve({ ok: false, code: 'cancelled', message: '', field: null, facts: {} }),
          ),
        )
      : Promise.resolve({ ok: true, value: { exported: null } }),
  );
  const host = {
    addController: vi.fn(),
    removeController: vi.fn(),
    requestUpdate: vi.fn(),
    updateComplete: Promise.resolve(true),
  };
  // Only these procedures are asked.
  const exporting = new Export(host, () => ({ ask }) as unknown as Pick<Bridge, 'ask'>);
  const request = {
    period: { from: '2026-11-01', to: '2026-11-02' },
    sort: { by: 'time', descending: true },
  } as never;
  const looks = { language: 'en', words: managerTexts.en.reconciliation } as const;
  const first = exporting.save('csv', request, looks);
  const second = exporting.save('csv', request, looks);
  answers[0]?.();
  await first;
  expect(exporting.isBusy).toBe(true);
  answers[1]?.();
  await second;
  expect(exporting.isBusy).toBe(false);
});
