/** What the tills' lines were recorded as: shown, and played again. */
import './support/umask.ts';
import { readFileSync } from 'node:fs';
import { messageOf } from './domain/errors.ts';
import { chosenCommand, command, CommandEnd, endCommand, parseCommand, usageOf } from './support/command-line.ts';
import { readRecording, type Recording } from './wire/recording.ts';
import { shownLines } from './wire/show.ts';

const commands = {
  show: command({
    call: 'npm run -s wire -- show',
    does: "A recording of a till's line as a conversation, with the time of each packet and how long it came after the other side's last one. Several files of one lane: the oldest first.",
    operands: 'FILE …',
    options: { bytes: { type: 'boolean', does: 'with the bytes of each packet; ** is hidden' } },
  }),
};

async function main(): Promise<number> {
  const { rest } = chosenCommand(commands, process.argv.slice(2));
  const { values, operands } = parseCommand(commands.show, rest);
  const recording = recordingIn(operands, usageOf(commands.show));
  for (const line of shownLines(recording, { withBytes: values.bytes })) await write(`${line}\n`);
  return 0;
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

/** As fast as the reader on the other side takes it. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}

// `wire show … | head`: whoever reads has had enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

main().then(
  (code) => process.exit(code),
  (error: Error) => endCommand(error),
);
