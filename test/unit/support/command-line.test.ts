import { describe, expect, test } from 'vitest';
import {
  chosenCommand,
  command,
  CommandEnd,
  lastWords,
  parseCommand,
  wholeNumber,
} from '../../../main/support/command-line.ts';

const weigh = command({
  call: 'npm run weigh --',
  does: 'Weighs what is there.',
  operands: '[THING …]',
  options: {
    scale: { type: 'string', value: 'NAME', does: 'which scale', isRequired: true },
    port: { type: 'string', value: 'N', does: 'where it is', default: '7' },
    tare: { type: 'boolean', does: 'starts from nought' },
    with: { type: 'string', value: 'WEIGHT', does: 'beside it', multiple: true },
  },
});
const close = command({ call: 'npm run close --', does: 'Closes.', options: {} });
const usage =
  'usage: npm run weigh -- [THING …] --scale NAME [--port N] [--tare] [--with WEIGHT …]';

/** Runs it and returns what it throws. */
function endOf(run: () => unknown): CommandEnd {
  try {
    run();
  } catch (error) {
    return error as CommandEnd;
  }
  throw new Error('it did not end');
}

describe('a command', () => {
  test('has all its options, in their types, given or not', () => {
    expect(parseCommand(weigh, ['--scale', 'one', 'a', '--with=2', 'b'])).toEqual({
      values: { scale: 'one', port: '7', tare: false, with: ['2'] },
      operands: ['a', 'b'],
    });
    expect(parseCommand(weigh, ['--scale', 'one', '--tare', '--port', '9']).values).toEqual({
      scale: 'one',
      port: '9',
      tare: true,
      with: [],
    });
  });

  test.each([
    [['--help']],
    [['-h']],
    [['--scale', '--help']],
    [['--wrong', '--help']],
    [['a', '--help', '--tare']],
  ])('asked for help (%s) explains each option, and is no mistake', (args) => {
    expect(lastWords(endOf(() => parseCommand(weigh, args)))).toEqual({
      code: 0,
      text: `${usage}

Weighs what is there.

  --scale NAME   which scale
  --port N       where it is (default: 7)
  --tare         starts from nought
  --with WEIGHT  beside it
`,
    });
  });

  test('takes no help from what stands behind --', () => {
    expect(parseCommand(weigh, ['--scale', 'one', '--', '--help']).operands).toEqual(['--help']);
  });

  test.each([['--prot', '7'], ['--port'], ['--port', '-1'], ['--tare=yes']])(
    'given a wrong option (%s) names it, and says what there is',
    (...args) => {
      const { text, code } = lastWords(
        endOf(() => parseCommand(weigh, ['--scale', 'one', ...args])),
      );
      const [said, ...rest] = text.split('\n');
      expect(said).toContain(args[0]?.split('=')[0]);
      expect({ rest, code }).toEqual({ rest: [usage, ''], code: 2 });
    },
  );

  test('without something that it needs says what is missing, also when it is there and empty', () => {
    const missing = { text: `--scale: is missing\n${usage}\n`, code: 2 };
    expect(lastWords(endOf(() => parseCommand(weigh, [])))).toEqual(missing);
    expect(lastWords(endOf(() => parseCommand(weigh, ['--scale', ''])))).toEqual(missing);
  });

  test('that takes no operands refuses them', () => {
    expect(lastWords(endOf(() => parseCommand(close, ['now'])))).toEqual({
      text: expect.stringMatching(/'now'.*\nusage: npm run close --\n$/),
      code: 2,
    });
  });
});

describe('one of several commands', () => {
  const all = { weigh, close };
  test('is named first', () =>
    expect(chosenCommand(all, ['close', '--x'])).toEqual({ name: 'close', rest: ['--x'] }));
  test('leaves its own help to itself', () =>
    expect(chosenCommand(all, ['weigh', '--help'])).toEqual({ name: 'weigh', rest: ['--help'] }));
  test('is listed with the others in their help', () => {
    const { text, code } = lastWords(endOf(() => chosenCommand(all, ['--help'])));
    expect(text).toBe(
      `${usage}\nusage: npm run close --\nAdd --help to a command to see its options.\n`,
    );
    expect(code).toBe(0);
  });
  test.each([
    [[], 'a command is missing'],
    [['toString'], 'there is no command toString'],
    [['--data', 'x'], 'there is no command --data'],
  ])('that is not there (%s) is a mistake', (args, says) => {
    const { text, code } = lastWords(endOf(() => chosenCommand(all, args)));
    expect(text).toBe(`${says}\n${usage}\nusage: npm run close --\n`);
    expect(code).toBe(2);
  });
});

test('the last words of a wrong value are its own; what nobody started wrongly has another exit code', () => {
  expect(lastWords(new RangeError('--port: too high'), RangeError)).toEqual({
    text: '--port: too high\n',
    code: 2,
  });
  expect(lastWords(new Error('the disk is full'), RangeError)).toEqual({
    text: 'the disk is full\n',
    code: 1,
  });
});

test.each(['', 'x', '-1', '1.5', '1e3', '6', ' 2'])('%o is no whole number from 2 to 5', (text) => {
  expect(() => wholeNumber('--port', text, 2, 5)).toThrow(
    `--port: must be a whole number from 2 to 5, got ${text}`,
  );
});
test('a whole number has its bounds', () => {
  expect(['2', '5'].map((text) => wholeNumber('--port', text, 2, 5))).toEqual([2, 5]);
  expect(() => wholeNumber('--runs', 'x', 1)).toThrow(
    '--runs: must be a whole number from 1 on, got x',
  );
});
