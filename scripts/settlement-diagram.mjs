// Writes the state diagrams of docs/money.md, explored from the settlement machine itself.
import { readFileSync, writeFileSync } from 'node:fs';
import { isFinal } from '../main/core/settlement/outcome.ts';
import { reachableRefundPairs } from '../test/simulation/reachable-refunds.ts';
import { reachablePaymentPairs } from '../test/simulation/reachable.ts';

const page = new URL('../docs/money.md', import.meta.url);

/** @returns a Mermaid state diagram: one arrow for each event that changes the state */
function diagram(explore) {
  const arrows = new Set();
  explore('v10', (from, event, to) => {
    if (from !== to) arrows.add(`  ${from ?? '[*]'} --> ${to}: ${event}`);
    if (isFinal({ kind: to })) arrows.add(`  ${to} --> [*]`);
  });
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...[...arrows].sort((a, b) => (a < b ? -1 : 1)),
    '```',
  ].join('\n');
}

/** The page with its diagrams as the machine is now. */
export function withDiagrams(text) {
  const put = (before, name, explore) =>
    before.replace(
      new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- end -->)`),
      (_, begin, end) => `${begin}${diagram(explore)}${end}`,
    );
  return put(put(text, 'payment', reachablePaymentPairs), 'refund', reachableRefundPairs);
}

if (process.argv[1]?.endsWith('settlement-diagram.mjs'))
  writeFileSync(page, withDiagrams(readFileSync(page, 'utf8')));
