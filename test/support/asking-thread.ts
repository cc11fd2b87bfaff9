/**
 * A thread of a process, as those of the product: it imports the client, and asks for the addresses
 * that it is sent.
 */
import { getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { httpClient } from '../../main/support/http-client.ts';
import { failureOf } from '../../main/wallets/http/http.ts';

parentPort?.on('message', (url: string) => {
  const text = httpClient(url, {}).then((answer) => answer.text(), failureOf);
  void text.then((told) =>
    parentPort?.postMessage(`${told} ${getDefaultAutoSelectFamilyAttemptTimeout()}`),
  );
});
parentPort?.postMessage('ready');
