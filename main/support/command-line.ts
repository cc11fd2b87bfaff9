/**
 * What stands on a command line: each command is declared once, and read, explained and refused
 * from that.
 */
import { parseArgs } from 'node:util';
import { asError, messageOf } from '../core/domain/errors.ts';
import { say, sayAside } from './standard-output.ts';

interface Option {
  readonly type: 'string' | 'boolean';
  /** What its value is called, such as `FILE`. Only for strings. */
  readonly value?: string;
  readonly does: string;
  readonly default?: string;
  readonly isRequired?: true;
  /** Whether it may be given several times. */
  readonly multiple?: true;
}
type Options = Readonly<Record<string, Option>>;

export interface Command<Its extends Options = Options> {
  /** The beginning of the call as a user types it, e.g. `npm run daemon --`. */
  readonly call: string;
  /** What it does, in sentences. */
  readonly does: string;
  readonly options: Its;
  /** What may follow beside options, e.g. `[SUITE …]`. */
  readonly operands?: string;
}

type ValueOf<One extends Option> = One['type'] extends 'boolean'
  ? boolean
  : One extends { multiple: true }
    ? readonly string[]
    : One extends { default: string } | { isRequired: true }
      ? string
      : string | undefined;

export interface Read<Its extends Options> {
  readonly values: { readonly [Name in keyof Its]: ValueOf<Its[Name]> };
  readonly operands: readonly string[];
}

/**
 * Ends a command before it has begun: its help, or a mistake in its arguments. The message is for
 * the user at the terminal.
 */
export class CommandEnd extends Error {
  /** 0 for help, 2 for a mistake. */
  readonly code: 0 | 2;

  constructor(message: string, code: 0 | 2 = 2) {
    super(message);
    this.code = code;
  }
}

/** Declares a command, with the types of its options. */
export const command = <const Its extends Options>(declared: Command<Its>): Command<Its> =>
  declared;

/** @throws CommandEnd */
export function parseCommand<Its extends Options>(
  declared: Command<Its>,
  args: readonly string[],
): Read<Its> {
  if (asksForHelp(args)) throw new CommandEnd(helpOf(declared), 0);
  const { values, positionals } = parsed(declared, args);
  const options = Object.entries<Option>(declared.options);
  for (const [name, { isRequired }] of options)
    if (isRequired && (values[name] ?? '') === '')
      throw new CommandEnd(`--${name}: is missing\n${usageOf(declared)}`);
  const complete = options.map(([name, { type, multiple }]) => [
    name,
    values[name] ?? (multiple ? [] : type === 'boolean' ? false : undefined),
  ]);
  // The declaration guarantees the types.
  return { values: Object.fromEntries(complete) as Read<Its>['values'], operands: positionals };
}

function parsed(declared: Command, args: readonly string[]) {
  try {
    const options = Object.fromEntries(
      Object.entries(declared.options).map(
        ([name, { type, default: otherwise, multiple = false }]) => [
          name,
          { type, multiple, ...(otherwise !== undefined && { default: otherwise }) },
        ],
      ),
    );
    return parseArgs({
      args: [...args],
      options,
      allowPositionals: declared.operands !== undefined,
    });
  } catch (error) {
    // Node appends advice that does not apply here.
    throw new CommandEnd(`${messageOf(error).split('\n', 1)[0]}\n${usageOf(declared)}`);
  }
}

/** Reads the arguments of this process, and ends it where there is nothing to begin. */
export function readCommand<Its extends Options>(declared: Command<Its>): Read<Its> {
  try {
    return parseCommand(declared, process.argv.slice(2));
  } catch (error) {
    endCommand(asError(error));
  }
}

/** The first argument names one of several commands. @throws CommandEnd */
export function chosenCommand<Name extends string>(
  commands: Readonly<Record<Name, Command>>,
  args: readonly string[],
): { readonly name: Name; readonly rest: readonly string[] } {
  const usages = Object.values<Command>(commands).map(usageOf).join('\n');
  const [name, ...rest] = args;
  const isOne = (text: string | undefined): text is Name =>
    text !== undefined && Object.hasOwn(commands, text);
  if (isOne(name)) return { name, rest };
  if (asksForHelp(args))
    throw new CommandEnd(`${usages}\nAdd --help to a command to see its options.`, 0);
  throw new CommandEnd(
    `${name === undefined ? 'a command is missing' : `there is no command ${name}`}\n${usages}`,
  );
}

/** A package has one command for all of them, which says so. */
const inPackage = process.env['TILLBEACON_COMMAND'];
const asTyped = (call: string): string =>
  inPackage === undefined
    ? call
    : call.replace(/^npm run (?:-s )?(\S+)(?: --)?/, `${inPackage} $1`);

/** The usage in one line. */
export function usageOf({ call, options, operands }: Command): string {
  const parts = Object.entries(options).map(([name, option]) => {
    const spelled = `${spelling(name, option)}${option.multiple ? ' …' : ''}`;
    return option.isRequired ? spelled : `[${spelled}]`;
  });
  return ['usage:', asTyped(call), ...(operands === undefined ? [] : [operands]), ...parts].join(
    ' ',
  );
}

function helpOf(declared: Command): string {
  const rows = Object.entries(declared.options).map(
    ([name, option]) => [spelling(name, option), option] as const,
  );
  const width = Math.max(...rows.map(([spelled]) => spelled.length), 0);
  const lines = rows.map(
    ([spelled, { does, default: otherwise }]) =>
      `  ${spelled.padEnd(width)}  ${does}${otherwise === undefined ? '' : ` (default: ${otherwise})`}`,
  );
  return [usageOf(declared), '', declared.does, ...(lines.length > 0 ? ['', ...lines] : [])].join(
    '\n',
  );
}

const spelling = (name: string, { type, value = 'VALUE' }: Option): string =>
  type === 'boolean' ? `--${name}` : `--${name} ${value}`;

/**
 * Whether help is asked for, wherever the option stands, even in the place of a value that was
 * forgotten.
 */
const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return args
    .slice(0, end === -1 ? undefined : end)
    .some((one) => one === '--help' || one === '-h');
};

/** @param option e.g. `--port`. @throws CommandEnd */
export function wholeNumber(
  option: string,
  text: string,
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  const rule =
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${min} on`
      : `a whole number from ${min} to ${max}`;
  throw new CommandEnd(`${option}: must be ${rule}, got ${text}`);
}

/**
 * {@link wholeNumber} of an argument of this process. Ends the process if the argument is invalid.
 */
export function numberIn(option: string, text: string, min?: number, max?: number): number {
  try {
    return wholeNumber(option, text, min, max);
  } catch (error) {
    endCommand(asError(error));
  }
}

type Mistake = abstract new (...args: never[]) => Error;

/**
 * Message and exit code when an error ends a command: 2 for a mistake in its input, otherwise 1.
 */
export function lastWords(
  error: Error,
  mistake: Mistake = CommandEnd,
): { readonly text: string; readonly code: 0 | 1 | 2 } {
  const code = error instanceof CommandEnd ? error.code : error instanceof mistake ? 2 : 1;
  return { text: `${error.message}\n`, code };
}

/** Writes help to stdout and everything else to stderr, and ends the process. */
export function endCommand(error: Error, mistake?: Mistake): never {
  const { text, code } = lastWords(error, mistake);
  (code === 0 ? say : sayAside)(text.trimEnd());
  process.exit(code);
}
