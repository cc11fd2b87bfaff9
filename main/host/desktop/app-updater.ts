/** The part of electron-updater that is loaded. */
import {
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { AppImageUpdater, type AppUpdater, MacUpdater, NsisUpdater } from 'electron-updater';
import type { Log } from '../../core/domain/log.ts';
import { agentFor } from '../../support/network.ts';

export { readAppFeed, SignedFeed } from './app-feed.ts';

interface LimitedUpdater {
  readonly updater: AppUpdater;
  /** Bytes that it may still load, over all requests. */
  readonly allow: (bytes: number) => void;
}

export function createUpdater(platform: NodeJS.Platform, log: Log): LimitedUpdater {
  const updater =
    platform === 'win32'
      ? new NsisUpdater()
      : platform === 'darwin'
        ? new MacUpdater()
        : new AppImageUpdater();
  // Both are decided by `updates/updater.ts` instead.
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  const logDetail = (detail: unknown): void =>
    log.debug({ detail: String(detail) }, 'electron-updater');
  updater.logger = { info: logDetail, warn: logDetail, error: logDetail, debug: logDetail };
  const { httpExecutor } = updater as unknown as { readonly httpExecutor: Requests };
  throughNode(httpExecutor);
  return { updater, allow: limited(httpExecutor) };
}

/** electron-updater's executor, through which each of its requests goes. */
interface Requests {
  createRequest(options: unknown, onResponse: (response: Readable) => void): { abort(): void };
}

/**
 * electron-updater sends its requests with Chromium, which knows neither the proxy nor the
 * certificate authorities of this process. It follows redirects itself.
 */
export function throughNode(executor: Requests): void {
  executor.createRequest = (options, onResponse): ClientRequest => {
    const request = options as RequestOptions;
    const { protocol = 'https:', hostname, port, path = '/' } = request;
    const agent = agentFor(new URL(`${protocol}//${hostname}${port ? `:${port}` : ''}${path}`));
    const send = protocol === 'http:' ? httpRequest : httpsRequest;
    return send(
      { ...request, ...(agent && { agent }) },
      onResponse as (response: IncomingMessage) => void,
    );
  };
}

/**
 * electron-updater itself reads what a server sends to its end, and only then compares the hash.
 * @returns sets how many bytes may still be loaded
 */
export function limited(executor: Requests): (bytes: number) => void {
  const createRequest = executor.createRequest.bind(executor);
  let left = 0;
  executor.createRequest = (options, onResponse) => {
    const request = createRequest(options, (response) => {
      const push = response.push.bind(response);
      // Before anybody reads it: a listener for data could not keep the part that is too much from
      // the others.
      response.push = (part: Uint8Array | null) => {
        left -= part?.length ?? 0;
        if (left >= 0) return push(part);
        response.destroy(new Error('the server sends more bytes than the feed lists'));
        request.abort();
        return false;
      };
      onResponse(response);
    });
    return request;
  };
  return (bytes) => (left = bytes);
}
