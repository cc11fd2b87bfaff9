import { parseArgs } from 'node:util';
import { describe, expect, test } from 'vitest';
import { usageError } from '../../../main/support/usage-errors.ts';

const usage = 'usage: weigh [--port N]';

/** What it throws, for these arguments. */
function mistakeIn(args: readonly string[]): Error {
  try {
    parseArgs({ args: [...args], options: { port: { type: 'string' } } });
  } catch (error) {
    return error as Error;
  }
  throw new Error('that was no mistake');
}

describe('the last words of a command', () => {
  test.each([['--help'], ['--prot', '7'], ['--port'], ['--port', '-1'], ['seven']])('of a wrong option (%s) say which one, and what it takes', (...args) => {
    const { text, code } = usageError(mistakeIn(args), { usage, mistake: RangeError });
    expect(text).toContain(args[0]);
    expect(text).toMatch(/^[^\n]+\nusage: weigh \[--port N\]\n$/);
    expect(code).toBe(2);
  });

  test('of a wrong value are its own; what nobody started wrongly has another exit code', () => {
    expect(usageError(new RangeError('--port: too high'), { usage, mistake: RangeError })).toEqual({ text: '--port: too high\n', code: 2 });
    expect(usageError(new Error('the disk is full'), { usage, mistake: RangeError })).toEqual({ text: 'the disk is full\n', code: 1 });
  });
});
