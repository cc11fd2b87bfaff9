/**
 * Tills that hold event streams: `URL TOKENS COUNT`. Says `ready` once each has heard how its lane
 * is, and for each payment's id on stdin `heard` once each stream has told of it. A process of its
 * own that lets others go first: on a counter they are other machines.
 */
import { request } from 'node:http';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';

const [url = '', commaTokens = '', count = ''] = process.argv.slice(2);
const tokens = commaTokens.split(',');
setPriority(10);
/** The end of what each stream has told. */
const texts = Array.from({ length: Number(count) }, () => '');
const maxCharacters = 4_000;
let listener = (): void => {};

for (const [index] of texts.entries()) {
  request(
    `${url}/v1/events`,
    { agent: false, headers: { authorization: `Bearer ${tokens[index % tokens.length]}` } },
    (response) => {
      if (response.statusCode !== 200)
        throw new Error(`a stream was answered ${response.statusCode}`);
      response.setEncoding('utf8').on('data', (text: string) => {
        texts[index] = `${texts[index]}${text}`.slice(-maxCharacters);
        listener();
      });
    },
  ).end();
}

const until = (isTold: (text: string) => boolean): Promise<void> =>
  new Promise((resolve) => {
    listener = () => {
      if (!texts.every(isTold)) return;
      listener = () => {};
      resolve();
    };
    listener();
  });

await until((text) => text.includes('event: lane'));
process.stdout.write('ready\n');
for await (const paymentId of createInterface({ input: process.stdin })) {
  await until((text) => text.includes(paymentId));
  process.stdout.write('heard\n');
}
process.exit();
