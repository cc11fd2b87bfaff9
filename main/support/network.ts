/**
 * How this process reaches the internet: the time for one address, the certificate authorities,
 * and the proxy. `useNetwork` configures the process and the threads that it starts later.
 */
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import tls from 'node:tls';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { proxyAwayCode, proxyStatusCode } from '../core/domain/network-settings.ts';
import { unbracketed } from '../core/domain/host-port.ts';

/**
 * Node tries the next address of a name after 250 ms. On a slow link that gives up the address
 * that works, and fails with the one that does not.
 */
export const addressTimeoutMs = 2_500;
setDefaultAutoSelectFamilyAttemptTimeout(addressTimeoutMs);

export interface Network {
  /** Addresses with their credentials; null: none. */
  readonly httpsProxy: string | null;
  readonly httpProxy: string | null;
  /** Hosts, domains, addresses, networks; "*" for everything. */
  readonly noProxy: readonly string[];
  /** Further authorities, each as PEM. */
  readonly certificates: readonly string[];
  /** Whether those in the system's store are trusted too. */
  readonly systemCertificates: boolean;
}

const direct: Network = {
  httpsProxy: null,
  httpProxy: null,
  noProxy: [],
  certificates: [],
  systemCertificates: false,
};

/** What fetch takes as `dispatcher`; its type is undici's. */
interface Dispatcher {
  close(): Promise<void>;
}

/** The types of this Node lack it. @returns a function that restores what was there before */
const { setGlobalProxyFromEnv } = http as unknown as {
  setGlobalProxyFromEnv: (this: void, environment: Readonly<Record<string, string>>) => () => void;
};

/** Where fetch finds its dispatcher, by undici's documentation. */
const globalDispatcher = Symbol.for('undici.globalDispatcher.1');

/** A host that nobody calls. Node replaces an empty list by the one of the environment. */
const nobody = 'nobody.invalid';

/**
 * Node's own agent for a proxy. It sends every request through a tunnel (CONNECT). `proxyFor`
 * decides about exceptions instead of Node, so that we also know whether the proxy failed.
 */
function dispatcherTo(proxy: string): Dispatcher {
  const undo = setGlobalProxyFromEnv({ http_proxy: proxy, https_proxy: proxy, no_proxy: nobody });
  const dispatcher = Reflect.get(globalThis, globalDispatcher) as Dispatcher;
  undo();
  return dispatcher;
}

// Node alone would then send everything to the proxy, also requests to this machine.
if (process.env['NODE_USE_ENV_PROXY'] === '1' || process.execArgv.includes('--use-env-proxy'))
  setGlobalProxyFromEnv({
    http_proxy: `http://${nobody}`,
    https_proxy: `http://${nobody}`,
    no_proxy: '*',
  });

let inUse: Network = direct;
let isExcepted: (url: URL) => boolean = () => true;
let dispatchers = new Map<string, Dispatcher>();
/** The authorities that Node trusts by itself; null until others are added. */
let ownCertificates: readonly string[] | null = null;

const threadData = 'tillbeacon.network';

/**
 * Configures this process and the threads that it starts later. Requests under way are finished.
 */
export function useNetwork(network: Network): void {
  if (JSON.stringify(network) === JSON.stringify(inUse)) return;
  inUse = network;
  setEnvironmentData(threadData, JSON.stringify(network));
  isExcepted = exceptions(network.noProxy);
  for (const dispatcher of dispatchers.values()) void dispatcher.close();
  dispatchers = new Map();
  trust(network);
}

/** The network settings in use. A thread keeps those of its start. */
export const networkInUse = (): Network => inUse;

function trust({ certificates, systemCertificates }: Network): void {
  if (ownCertificates === null && certificates.length === 0 && !systemCertificates) return;
  ownCertificates ??= tls.getCACertificates('default');
  const ofSystem = systemCertificates ? tls.getCACertificates('system') : [];
  tls.setDefaultCACertificates([...new Set([...ownCertificates, ...ofSystem, ...certificates])]);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('0.0.0.0');
loopback.addAddress('::1', 'ipv6');
loopback.addAddress('::', 'ipv6');

const hostIn = ({ hostname }: URL): string => unbracketed(hostname).replace(/\.$/, '');

const isListed = (list: BlockList, host: string): boolean =>
  isIP(host) !== 0 && list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');

/** No proxy ever gets requests to this machine: tills, screens, the simulated service. */
const isLoopback = (host: string): boolean =>
  /(^|\.)localhost$/.test(host) || isListed(loopback, host);

/** As curl reads NO_PROXY, and with networks (10.0.0.0/8). */
function exceptions(entries: readonly string[]): (url: URL) => boolean {
  const networks = new BlockList();
  const names: { readonly name: string; readonly port: string | null }[] = [];
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) !== 0 && bits !== undefined) {
      if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32))
        networks.addSubnet(address, Number(bits), family);
    } else if (isIP(address) !== 0) networks.addAddress(address, family);
    else {
      const [, name = '', port = null] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      names.push({
        name: unbracketed(name)
          .replace(/^\*?\./, '')
          .replace(/\.$/, ''),
        port,
      });
    }
  }
  return (url) => {
    const host = hostIn(url);
    if (isListed(networks, host)) return true;
    const portOf = url.port || (url.protocol === 'https:' ? '443' : '80');
    return names.some(
      ({ name, port }) =>
        (port === null || port === portOf) &&
        (name === '*' || host === name || host.endsWith(`.${name}`)),
    );
  };
}

function proxyFor(url: URL): string | null {
  const proxy = url.protocol === 'https:' ? inUse.httpsProxy : inUse.httpProxy;
  return proxy === null || isLoopback(hostIn(url)) || isExcepted(url) ? null : proxy;
}

/** The `dispatcher` for a request of fetch; null when the request needs no proxy. */
export function dispatcherFor(address: string): Dispatcher | null {
  if (inUse.httpsProxy === null && inUse.httpProxy === null) return null;
  const proxy = proxyFor(new URL(address));
  if (proxy === null) return null;
  const existing = dispatchers.get(proxy);
  if (existing !== undefined) return existing;
  const dispatcher = dispatcherTo(proxy);
  dispatchers.set(proxy, dispatcher);
  return dispatcher;
}

/** The same for a request of `node:http` and `node:https`: their option `agent`. */
export function agentFor(url: URL): http.Agent | undefined {
  const proxy = proxyFor(url);
  if (proxy === null) return undefined;
  const proxyEnv = { http_proxy: proxy, https_proxy: proxy, no_proxy: nobody };
  return url.protocol === 'https:' ? new https.Agent({ proxyEnv }) : new http.Agent({ proxyEnv });
}

/** The proxy did not forward the request. It says nothing about requests before. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** undici's words for an answer to CONNECT. */
const tunnelStatus = /^Proxy response \((\d{3})\)/;
/** fetch's words for a 407, which only proxies send (RFC 9110, section 15.5.8). */
const loginRequired = 'proxy authentication required';
const cannotConnect = /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/;
const isOfConnecting = (error: Error): boolean => 'syscall' in error && error.syscall === 'connect';

/** @param error of a request through a proxy. @returns null when something else failed */
export function proxyErrorOf(error: unknown): ProxyError | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const status = at.message === loginRequired ? '407' : tunnelStatus.exec(at.message)?.[1];
    if (status !== undefined)
      return new ProxyError(`the proxy answered ${status}`, proxyStatusCode(Number(status)));
    // This process itself connects to the proxy alone.
    if (
      'code' in at &&
      typeof at.code === 'string' &&
      (cannotConnect.test(at.code) || isOfConnecting(at))
    )
      return new ProxyError(`the proxy cannot be reached (${at.code})`, proxyAwayCode(at.code));
  }
  return null;
}

if (!isMainThread) {
  const ofProcess = getEnvironmentData(threadData);
  if (typeof ofProcess === 'string') useNetwork(JSON.parse(ofProcess) as Network);
}
