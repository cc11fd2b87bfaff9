import { setImmediate } from 'node:timers/promises';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Health } from '../../../../preload/procedures/health.ts';
import { redact, redactLine } from '../../../support/redaction.ts';
import { messageOf } from '../../../core/domain/errors.ts';

/**
 * The contents of a bundle. All of it is redacted, because none is trusted to be free of secrets
 * and personal data.
 */
export interface BundleParts {
  readonly madeAtMs: number;
  readonly health: Health;
  /** null before setup. */
  readonly settings: object | null;
  readonly logLines: readonly string[];
  /** Since `fromMs`. */
  readonly journal: AsyncIterable<object>;
  readonly fromMs: number;
  /** Secrets in use and names of people, which are removed wherever they occur. */
  readonly secrets: readonly string[];
}

/** A few milliseconds of work, so that payments go on in between. */
const linesAtOnce = 50;
/** The earliest time that a zip file can hold; a clock with an empty battery may be earlier. */
const earliestMs = Date.UTC(1980, 0, 2);

/** Makes a zip file for support. */
export async function makeBundle({
  madeAtMs,
  health,
  settings,
  logLines,
  journal,
  fromMs,
  secrets,
}: BundleParts): Promise<{ name: string; content: Uint8Array }> {
  const at = new Date(madeAtMs).toISOString();
  const json = (value: unknown): string => JSON.stringify(redact(value, secrets), null, 2);
  const files: Readonly<Record<string, AsyncIterable<string> | Iterable<string>>> = {
    'README.txt': [
      `Tillbeacon ${health.software.version}: diagnostics of ${at}`,
      '',
      'health.json     how the service, the tills, the disk and the journal were when this was made',
      'settings.json   the settings, without secrets',
      `log.jsonl       the newest ${logLines.length} lines of the log`,
      `journal.jsonl   what happened to payments and refunds since ${new Date(fromMs).toISOString()}: states, times and ids`,
      '',
      'Secrets, PINs, names, telephone numbers and loyalty ids are replaced by [removed].',
    ],
    'health.json': [json(health)],
    'settings.json': [json(settings)],
    'log.jsonl': logLines.values().map((line) => redactLine(line, secrets)),
    'journal.jsonl': journalLines(journal, secrets),
  };
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error !== null) throw error;
    parts.push(part);
  });
  for (const [name, lines] of Object.entries(files)) {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = Math.max(earliestMs, madeAtMs);
    zip.add(file);
    for await (const text of inParts(lines)) file.push(strToU8(text));
    file.push(new Uint8Array(), true);
  }
  zip.end();
  return {
    name: `tillbeacon-diagnostics-${at.slice(0, 19).replaceAll(':', '-')}Z.zip`,
    content: Buffer.concat(parts),
  };
}

/**
 * An unreadable journal may be the reason for the bundle: it contains what could be read, and the
 * error.
 */
async function* journalLines(
  journal: AsyncIterable<object>,
  secrets: readonly string[],
): AsyncGenerator<string> {
  try {
    for await (const event of journal) yield JSON.stringify(redact(event, secrets));
  } catch (error) {
    yield JSON.stringify(redact({ unreadable: messageOf(error) }, secrets));
  }
}

async function* inParts(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let part: string[] = [];
  const text = (): string => part.map((line) => `${line}\n`).join('');
  for await (const line of lines) {
    part.push(line);
    if (part.length < linesAtOnce) continue;
    yield text();
    part = [];
    await setImmediate();
  }
  yield text();
}
