/** The wallet service alone. */
import '../support/umask.ts';
import { readFileSync } from 'node:fs';
import { ZodError } from 'zod';
import { systemClock } from '../core/domain/clock.ts';
import { systemIds } from '../core/domain/ids.ts';
import { WorldEventFile } from '../sandbox/simulator/world-event-file.ts';
import { seededIds } from '../sandbox/simulator/seeded-ids.ts';
import { Simulator } from '../sandbox/simulator/simulator.ts';
import { command, endCommand, parseCommand, wholeNumber } from '../support/command-line.ts';
import { networkOf } from '../support/settings/network-settings.ts';
import { SettingsError } from '../support/settings/settings-error.ts';
import { jsonLine } from '../support/json-line.ts';
import { useNetwork } from '../support/network.ts';
import { say } from '../support/standard-output.ts';
import { messageOf } from '../core/domain/errors.ts';
import { profileNamed, profileNames } from '../wallets/v10/v10-profile.ts';

/**
 * Not 4190, where the service once was: the platform's fetch refuses that port (it is a mail
 * filter's).
 */
const defaultPort = 4191;
const simulatorCommand = command({
  call: 'npm run simulator --',
  does: [
    'Runs only the simulated providers, both at one address.',
    'Prints one line of JSON with that address and the credentials; those of ePayment are under epayment.',
    'Open the address in a browser for its page.',
  ].join(' '),
  options: {
    port: {
      type: 'string',
      value: 'N',
      does: 'port to listen on; 0 for any free port',
      default: String(defaultPort),
    },
    seed: { type: 'string', value: 'N', does: 'creates the same ids at every start' },
    'poll-delay': {
      type: 'string',
      value: 'MS',
      does: 'time that clients are asked to wait between polls',
      default: '1000',
    },
    profile: {
      type: 'string',
      value: 'NAME',
      does: `provider whose names it uses: ${profileNames.join(' or ')}`,
      default: 'generic',
    },
    faults: {
      type: 'string',
      value: 'FILE',
      does: 'faults to inject, in the format of POST /simulator/faults',
    },
    books: {
      type: 'string',
      value: 'FILE',
      does: 'file that keeps its data between runs; without it, data is lost at the end',
    },
  },
});

/** @throws RangeError with one line that names the file, the field and the rule */
function planFaults(simulator: Simulator, path: string): void {
  try {
    simulator.faults.plan(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const issue = error instanceof ZodError ? error.issues[0] : undefined;
    const why =
      issue === undefined
        ? messageOf(error).split('\n', 1)[0]
        : `${issue.path.join('.') || 'file'}: ${issue.message}`;
    throw new RangeError(`--faults ${path}: ${why}`, { cause: error });
  }
}

async function main(): Promise<void> {
  const { values } = parseCommand(simulatorCommand, process.argv.slice(2));
  useNetwork(networkOf(process.env));
  const port = wholeNumber('--port', values.port, 0, 65_535);
  const seed = values.seed === undefined ? null : wholeNumber('--seed', values.seed);
  const pollDelayInMs = wholeNumber('--poll-delay', values['poll-delay'], 0, 60_000);
  const profile = profileNames.find((name) => name === values.profile);
  if (profile === undefined)
    throw new RangeError(
      `--profile: must be one of ${profileNames.join(', ')}, got ${values.profile}`,
    );
  const books =
    values.books === undefined
      ? null
      : new WorldEventFile({
          path: values.books,
          clock: systemClock,
          profile,
          pollDelayInMs,
          seed,
        });
  const ids = seed === null ? systemIds : seededIds(seed);
  const lasting =
    books === null ? { clock: systemClock, ids } : { clock: books, ids: books, eventLog: books };
  const simulator = new Simulator({
    profile: profileNamed(profile),
    ...lasting,
    policy: { pollDelayInMs },
  });
  if (values.faults !== undefined) planFaults(simulator, values.faults);
  await simulator.start({ port });
  const stop = (): void => void simulator.stop().finally(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const { baseUrl, authUrl, credentials, salesUnit, storeIds } = simulator;
  const { clientId, clientSecret, subscriptionKeys, msn: merchantSerialNumber } = salesUnit;
  const epayment = {
    clientId,
    clientSecret,
    subscriptionKey: subscriptionKeys[0],
    merchantSerialNumber,
  };
  say(jsonLine({ ready: true, baseUrl, authUrl, ...credentials, storeIds, epayment }));
}

main().catch((error: Error) =>
  endCommand(error, error instanceof SettingsError ? SettingsError : RangeError),
);
