import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase } from 'vitest/node';

/** With retries on, names the tests that passed only in a later attempt. */
export default class SecondChances implements Reporter {
  readonly #needed: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const { message = '', diff = '' } = test.result().errors?.[0] ?? {};
    this.#needed.push(
      `${test.module.relativeModuleId} > ${test.fullName}: ${message}\n${stripVTControlCharacters(diff)}`,
    );
  }

  onTestRunEnd(): void {
    if (this.#needed.length > 0)
      console.log(
        `\nPassed, but not at the first attempt:\n${this.#needed.map((test) => `  ${test}\n`).join('')}`,
      );
  }
}
