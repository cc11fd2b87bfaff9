/** What an installation does, as data: printed, tested, and carried out one after the other. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { win32 } from 'node:path';

export type Step =
  | {
      readonly do: 'write';
      readonly path: string;
      readonly text: string;
      readonly encoding?: 'utf16le';
    }
  | { readonly do: 'makeFolder'; readonly path: string }
  | { readonly do: 'remove'; readonly path: string }
  /**
   * Asks how something is. What `refusal` says of the answer, null when the command failed, ends
   * the installation.
   */
  | {
      readonly do: 'check';
      readonly command: Command;
      readonly refusal: (answer: string | null) => string | null;
    }
  /**
   * `mayFail`: what it is to bring about may be so already. `isShown`: its output is for the
   * person.
   */
  | {
      readonly do: 'run';
      readonly command: Command;
      readonly mayFail?: true;
      readonly isShown?: true;
    };
type Command = readonly [string, ...string[]];

/** @param show prints output that is for the person @throws Error in plain words */
export function carryOut(steps: readonly Step[], show: (output: string) => void = () => {}): void {
  for (const step of steps) {
    switch (step.do) {
      case 'write':
        write(step);
        break;
      case 'check':
        check(step);
        break;
      case 'makeFolder':
        mkdirSync(step.path, { recursive: true });
        break;
      case 'remove':
        rmSync(step.path, { force: true });
        break;
      case 'run':
        run(step, show);
    }
  }
}

/**
 * As a new file: a link that somebody has put there would lead an administrator's text elsewhere.
 */
function write({ path, text, encoding }: Extract<Step, { do: 'write' }>): void {
  rmSync(path, { force: true });
  // With the mark by which Windows knows this encoding.
  writeFileSync(path, encoding === undefined ? text : `\uFEFF${text}`, {
    encoding: encoding ?? 'utf8',
    mode: 0o644,
    flag: 'wx',
  });
}

function check({ command, refusal }: Extract<Step, { do: 'check' }>): void {
  const why = refusal(answerTo(command));
  if (why !== null) throw new Error(why);
}

function run(
  { command, mayFail, isShown }: Extract<Step, { do: 'run' }>,
  show: (output: string) => void,
): void {
  const { status, error, stdout, stderr } = spawned(command);
  if (isShown && status === 0) show(stdout.trimEnd());
  if (status === 0 || mayFail) return;
  throw new Error(`${command.join(' ')} failed: ${error?.message ?? `${stderr}${stdout}`.trim()}`);
}

/** Runs a command and returns what it says; null when it failed. */
export function answerTo(command: Command): string | null {
  const { status, stdout } = spawned(command);
  return status === 0 ? stdout : null;
}

const { SystemRoot } = process.env;
/** Windows looks for a program where the command is started first: that may be anybody's folder. */
const folder =
  process.platform === 'win32' && SystemRoot ? win32.join(SystemRoot, 'System32') : undefined;
const spawned = ([program, ...args]: Command): SpawnSyncReturns<string> =>
  spawnSync(program, args, { cwd: folder, encoding: 'utf8', windowsHide: true });

/** For people, before they let it happen. */
export function stepText(step: Step): string {
  switch (step.do) {
    case 'write':
      return `write ${step.path}:\n${step.text.trimEnd().replaceAll(/^(?=.)/gm, '    ')}`;
    case 'makeFolder':
      return `make the folder ${step.path}`;
    case 'remove':
      return `remove ${step.path}`;
    case 'check':
      return `check with ${commandText(step.command)}`;
    case 'run':
      return `run ${commandText(step.command)}`;
  }
}

const commandText = (command: Command): string =>
  command.map((part) => (/^[\w/.:\\=*-]+$/.test(part) ? part : JSON.stringify(part))).join(' ');
