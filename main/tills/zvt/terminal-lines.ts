import { localMinute } from '../../core/domain/local-time.ts';
import type { PaperLine } from './paper.ts';
import { layout } from './receipt.ts';
import type { Registration } from './registration.ts';
import { softwareName, type ZvtTerminal } from './terminal.ts';
import { tillTexts } from './texts.ts';

/**
 * The lines of 06 1A and 06 79: what this terminal is, and whether it works. They hold no secrets,
 * because any peer that reaches the port can print them.
 */
export function terminalLines(
  { commands, laneName, terminalId, shop, softwareVersion, clock }: ZvtTerminal,
  registration: Registration,
  { isTest }: { readonly isTest: boolean },
): PaperLine[] {
  const { terminal: texts, receipt } = tillTexts[registration.language];
  const { row, title, rule } = layout(registration);
  const hindrance = commands.hindrance();
  const wallet = {
    none: texts.walletReady,
    serviceUnreachable: texts.walletAway,
    starting: texts.walletStarting,
    needsPerson: texts.walletNeedsPerson,
  };
  return [
    ...[shop.name, softwareName].flatMap((text) => (text === null ? [] : title(text))),
    rule,
    ...row(texts.version, softwareVersion),
    ...row(receipt.terminal, terminalId),
    ...row(texts.lane, laneName),
    ...row(receipt.wallet, wallet[hindrance ?? 'none']),
    ...row(texts.clock, localMinute(clock.wallMs())),
    ...(isTest
      ? [rule, ...row(texts.selfTest, hindrance === null ? texts.passed : texts.failed)]
      : []),
  ];
}
