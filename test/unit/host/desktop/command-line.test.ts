import { expect, test } from 'vitest';
import { argsAtSignIn, parseCommandLine } from '../../../../main/host/desktop/command-line.ts';

const nothing = {
  demo: false,
  service: null,
  dataFolder: null,
  settingsFile: null,
  daemonPort: null,
};

test('options are read among those of Electron and Chromium', () => {
  expect(parseCommandLine([])).toEqual(nothing);
  expect(
    parseCommandLine([
      '--no-sandbox',
      '--demo',
      '--service',
      'epayment',
      '--data',
      'd',
      '--user-data-dir=/u',
      '--supervised',
    ]),
  ).toEqual({
    ...nothing,
    demo: true,
    service: 'epayment',
    dataFolder: 'd',
  });
  expect(parseCommandLine(['--settings', 'counter.json'])).toEqual({
    ...nothing,
    settingsFile: 'counter.json',
  });
});

test.each([[['--daemon', '4180']], [['--daemon=4180']]])(
  'the port of a daemon is read from %j, and kept for the next sign-in',
  (args) => {
    const parsed = parseCommandLine(['--supervised', ...args, '--no-sandbox']);
    expect(parsed).toEqual({ ...nothing, daemonPort: 4180 });
    expect(argsAtSignIn(parsed)).toEqual(['--daemon=4180']);
  },
);

test.each([
  [['--daemon'], 'nothing'],
  [['--daemon', '--supervised'], '"--supervised"'],
  [['--daemon='], '""'],
  [['--daemon', '0'], '"0"'],
  [['--daemon', '65536'], '"65536"'],
  [['--daemon', '0x10'], '"0x10"'],
  [['--daemon', 'http://127.0.0.1:4180/'], '"http://127.0.0.1:4180/"'],
])('%j names no daemon', (args, got) => {
  expect(() => parseCommandLine(args)).toThrow(
    `--daemon: must be the port of a daemon's screens, 1 to 65535, got ${got}`,
  );
});

test('a settings file is imported once, not at every sign-in', () => {
  expect(argsAtSignIn(parseCommandLine(['--settings', 'counter.json']))).toEqual([]);
});
