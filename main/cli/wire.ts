/** What the tills' lines were recorded as: shown, and played again. */
import '../support/umask.ts';
import '../support/network.ts';
import { readFileSync } from 'node:fs';
import { openSerialWire } from '../counter/devices/serial-port.ts';
import { systemClock } from '../core/domain/clock.ts';
import { messageOf } from '../core/domain/errors.ts';
import { lineOf, lineOptions, passwordOf, passwordOption } from '../sandbox/till/line-options.ts';
import { endWhenNobodyReads, say, writeOut } from '../support/standard-output.ts';
import {
  chosenCommand,
  command,
  CommandEnd,
  endCommand,
  parseCommand,
  usageOf,
  wholeNumber,
} from '../support/command-line.ts';
import { readRecording, type Recording } from '../sandbox/wire/recording.ts';
import { replay } from '../sandbox/wire/replay.ts';
import { shownLines } from '../sandbox/wire/show.ts';
import { connectTo } from '../sandbox/wire/terminal-line.ts';

const commands = {
  show: command({
    call: 'npm run -s wire -- show',
    does: "Shows a recording of a till's line as a conversation: the time of each packet, and how long after the other side's last packet it came. Name several files of one lane oldest first.",
    operands: 'FILE …',
    options: {
      bytes: { type: 'boolean', does: 'shows the bytes of each packet; ** marks hidden bytes' },
    },
  }),
  replay: command({
    call: 'npm run -s wire -- replay',
    does:
      "Plays the till's side of a recording against a terminal, such as a running daemon, and compares the answers. Times, receipt numbers and trace numbers may have other values. " +
      'For that terminal, the payments are real. Exit code 0: all answers match the recording; 1: something differs.',
    operands: 'FILE …',
    options: {
      ...lineOptions,
      ...passwordOption,
      patience: {
        type: 'string',
        value: 'SECONDS',
        does: 'how long to wait for the next packet of the terminal',
        default: '180',
      },
    },
  }),
};

async function main(): Promise<number> {
  const { name, rest } = chosenCommand(commands, process.argv.slice(2));
  if (name === 'replay') return playAgain(rest);
  const { values, operands } = parseCommand(commands.show, rest);
  const recording = recordingIn(operands, usageOf(commands.show));
  for (const line of shownLines(recording, { withBytes: values.bytes }))
    await writeOut(`${line}\n`);
  return 0;
}

async function playAgain(args: readonly string[]): Promise<number> {
  const { values, operands } = parseCommand(commands.replay, args);
  const line = lineOf(values, openSerialWire);
  const password = passwordOf(values, process.env);
  const patienceMs = wholeNumber('--patience', values.patience, 1, 3_600) * 1000;
  const { connections } = recordingIn(operands, usageOf(commands.replay));
  const connect = connectTo(line, systemClock);
  return (await replay(connections, { connect, password, patienceMs, clock: systemClock, say }))
    ? 0
    : 1;
}

/** @throws CommandEnd */
function recordingIn(files: readonly string[], usage: string): Recording {
  if (files.length === 0) throw new CommandEnd(`FILE: is missing\n${usage}`);
  const texts = files.map((file) => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new CommandEnd(`${file}: ${messageOf(error)}`);
    }
  });
  try {
    return readRecording(texts.join(''));
  } catch (error) {
    throw new CommandEnd(`${files.join(', ')}: ${messageOf(error)}`);
  }
}

endWhenNobodyReads();

main().then(
  (code) => process.exit(code),
  (error: Error) => endCommand(error),
);
