/** A till to try a terminal with: by hand, or by a script. */
import '../support/umask.ts';
import '../support/network.ts';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openSerialWire } from '../counter/devices/serial-port.ts';
import { currencies } from '../core/domain/money.ts';
import { messageOf } from '../core/domain/errors.ts';
import { keyHelp, typed } from '../sandbox/till/keys.ts';
import { lineOptions, lineOf, passwordOf, passwordOption } from '../sandbox/till/line-options.ts';
import { checked, Script, StepMistake } from '../sandbox/till/steps.ts';
import { outcomeInWords } from '../sandbox/till/step-outcome.ts';
import { packetLine, runScript, TryTill, type TryTillOptions } from '../sandbox/till/try-till.ts';
import { command, CommandEnd, endCommand, parseCommand } from '../support/command-line.ts';
import { say } from '../support/standard-output.ts';

const tillCommand = command({
  call: 'npm run till --',
  does:
    'A test till for payment terminals, such as this daemon. By hand: type one key in each line; h lists the keys. With --script it runs the steps of a file. ' +
    'Exit code 0: everything expected arrived; 1: something else did. docs/till-tools.md describes scripts.',
  options: {
    ...lineOptions,
    currency: {
      type: 'string',
      value: 'CODE',
      does: `currency to send: ${currencies.join(', ')}, or none`,
      default: 'DKK',
    },
    ...passwordOption,
    script: { type: 'string', value: 'FILE', does: 'script, as JSON; - reads it from stdin' },
  },
});

function readScript(path: string): Script {
  try {
    const script: unknown = JSON.parse(
      readFileSync(path === '-' ? process.stdin.fd : path, 'utf8'),
    );
    checked(Script, script);
    // Checked just now.
    return script as Script;
  } catch (error) {
    throw new CommandEnd(`--script ${path}: ${messageOf(error)}`);
  }
}

async function main(): Promise<number> {
  const { values } = parseCommand(tillCommand, process.argv.slice(2));
  const line = lineOf(values, openSerialWire);
  const currency = currencies.find((one) => one === values.currency) ?? null;
  if (currency === null && values.currency !== 'none')
    throw new CommandEnd(
      `--currency: must be one of ${currencies.join(', ')}, none, got ${values.currency}`,
    );
  const password = passwordOf(values, process.env);
  const script = values.script === undefined ? null : readScript(values.script);
  const options = {
    line,
    packet: (packet) => say(packetLine(packet)),
    currency: script?.currency ?? currency,
    password: script?.password ?? password,
  } satisfies TryTillOptions;
  if (script === null) return byHand(options);
  const till = await TryTill.open(options);
  try {
    return (await runScript(till, script, say)).passed ? 0 : 1;
  } finally {
    await till.close();
  }
}

/** @returns when the person has had enough, or the terminal has hung up */
async function byHand(options: TryTillOptions): Promise<number> {
  let stop = (): void => {};
  const till = await TryTill.open({ ...options, gone: () => stop() });
  // Not earlier: what comes before the loop below would be lost.
  const lines = createInterface({ input: process.stdin });
  stop = () => lines.close();
  say(`connected. Keys:\n${keyHelp}`);
  let running: Promise<void> | null = null;
  for await (const line of lines) {
    const key = typed(line);
    if (key.what === 'quit') break;
    if (key.what === 'help') say(keyHelp);
    if (key.what === 'mistake') say(key.why);
    if (key.what !== 'step') continue;
    if (running !== null && key.step.do === 'abort') {
      await till.abort().catch((error: unknown) => say(messageOf(error)));
      continue;
    }
    if (running !== null) {
      say('a command is still running: wait for its end, or abort it with a');
      continue;
    }
    running = till
      .do(key.step)
      .then((outcome) => {
        for (const printed of outcome.printed) say(`             | ${printed}`);
        say(`${key.step.do}: ${outcomeInWords(outcome)}`);
      })
      .catch((error: unknown) => {
        say(`${key.step.do}: ${messageOf(error)}`);
        if (!till.isOpen) lines.close();
      })
      .finally(() => {
        running = null;
      });
  }
  // At the end of piped input, finish the running payment before closing the connection.
  await running;
  const lost = !till.isOpen;
  await till.close();
  return lost ? 1 : 0;
}

main().then(
  (code) => process.exit(code),
  (error: Error) => endCommand(error, StepMistake),
);
