import { strToU8, zipSync } from 'fflate';
import type { Health } from '../../preload/questions/health.ts';
import { redact, redactLine } from '../support/redaction.ts';

/** What the bundle is made of. None of it is trusted to be without secrets or without people: all of it passes the same sieve. */
export interface BundleParts {
  readonly madeAtMs: number;
  readonly health: Health;
  /** As they were read; null: not set up yet. */
  readonly settings: object | null;
  readonly logLines: readonly string[];
  /** Since `fromMs`. */
  readonly journal: readonly object[];
  readonly fromMs: number;
  /** Secrets in use and names of people, which are removed wherever they stand. */
  readonly known: readonly string[];
}

/** One zip file that support can be sent. */
export function makeBundle({ madeAtMs, health, settings, logLines, journal, fromMs, known }: BundleParts): { name: string; content: Uint8Array } {
  const at = new Date(madeAtMs).toISOString();
  const json = (value: unknown): Uint8Array => strToU8(`${JSON.stringify(redact(value, known), null, 2)}\n`);
  const lines = (all: readonly string[]): Uint8Array => strToU8(all.map((line) => `${line}\n`).join(''));
  const files = {
    'README.txt': lines([
      `Tillbeacon ${health.software.version}: diagnostics of ${at}`,
      '',
      'health.json     how the service, the tills, the disk and the journal were when this was made',
      'settings.json   the settings, without secrets',
      `log.jsonl       the newest ${logLines.length} lines of the log`,
      `journal.jsonl   what happened to payments and refunds since ${new Date(fromMs).toISOString()}: states, times and ids`,
      '',
      'Secrets, PINs, names, telephone numbers and loyalty ids are replaced by [removed].',
    ]),
    'health.json': json(health),
    'settings.json': json(settings),
    'log.jsonl': lines(logLines.map((line) => redactLine(line, known))),
    'journal.jsonl': lines(journal.map((event) => JSON.stringify(redact(event, known)))),
  };
  return { name: `tillbeacon-diagnostics-${at.slice(0, 19).replaceAll(':', '-')}Z.zip`, content: zipSync(files, { level: 6, mtime: madeAtMs }) };
}
