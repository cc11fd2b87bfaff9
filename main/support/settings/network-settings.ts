/** What settings and environment say about the way to the internet, as `useNetwork` takes it. */
import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import {
  isProxyAddress,
  type NetworkSettings,
  proxyRule,
  type ReadyNetwork,
} from '../../core/domain/network-settings.ts';
import { maskedAddress } from '../../core/domain/service-address.ts';
import { maxPemBytes, readBoundedText, UnfitFileError } from '../bounded-file.ts';
import type { Network } from '../network.ts';
import type { Environment } from './secrets.ts';
import { SettingsError } from './settings-error.ts';

export const proxyPasswordPath = 'network.proxy.password';

/**
 * A setting comes before the environment. Certificates of both are trusted: Electron, whose fuse
 * for Node's options is off, does not read NODE_EXTRA_CA_CERTS itself.
 * @throws SettingsError with a sentence for each mistake, without passwords
 */
export function networkOf(environment: Environment, settings?: ReadyNetwork): Network {
  const mistakes: string[] = [];
  const checked = <Value>(read: () => Value, otherwise: Value): Value => {
    try {
      return read();
    } catch (error) {
      mistakes.push(messageOf(error));
      return otherwise;
    }
  };
  const { proxy, noProxy, certificates, systemCertificates = false } = settings ?? {};
  const files = [
    ['NODE_EXTRA_CA_CERTS', environment['NODE_EXTRA_CA_CERTS']],
    ['network.certificates', certificates],
  ] as const;
  const own = proxy && addressWith(proxy);
  const network: Network = {
    httpsProxy: own ?? checked(() => proxyIn(environment, 'https'), null),
    httpProxy: own ?? checked(() => proxyIn(environment, 'http'), null),
    noProxy:
      noProxy ??
      (valueIn(environment, 'no_proxy')?.value ?? '')
        .split(/[\s,]+/)
        .filter((entry) => entry !== ''),
    certificates: files.flatMap(([name, file]) =>
      file ? checked(() => certificatesIn(name, file), []) : [],
    ),
    systemCertificates: systemCertificates || environment['NODE_USE_SYSTEM_CA'] === '1',
  };
  if (mistakes.length > 0) throw new SettingsError([...new Set(mistakes)]);
  return network;
}

/**
 * Settings with the password looked up, and whole paths.
 * @param lookUp of a password, from where the settings say it is
 * @throws SettingsError, also when `networkOf` would refuse them later
 */
export function readyNetwork<Password>(
  { proxy, certificates, ...others }: NetworkSettings<Password>,
  { environment, folder }: { readonly environment: Environment; readonly folder: string },
  lookUp: (password: NonNullable<Password>) => string,
): ReadyNetwork {
  const { password, ...address } = proxy ?? {};
  const ready: ReadyNetwork = {
    ...others,
    ...(proxy !== undefined && {
      proxy: {
        ...address,
        url: proxy.url,
        ...(password != null && { password: lookUp(password) }),
      },
    }),
    ...(certificates !== undefined && { certificates: resolve(folder, certificates) }),
  };
  networkOf(environment, ready);
  return ready;
}

/** Lower case first, as curl and Node do; Windows knows no difference. */
function valueIn(
  environment: Environment,
  ...names: readonly string[]
): { readonly name: string; readonly value: string } | null {
  for (const name of names.flatMap((one) => [one, one.toUpperCase()])) {
    const value = environment[name]?.trim();
    if (value) return { name, value };
  }
  return null;
}

/** Without a scheme it is http, as curl takes it. */
function proxyIn(environment: Environment, scheme: 'http' | 'https'): string | null {
  const setting = valueIn(environment, `${scheme}_proxy`, 'all_proxy');
  if (setting === null) return null;
  const { name, value } = setting;
  const mistake = (rule: string): Error =>
    new Error(`${name}: ${rule}, got ${JSON.stringify(maskedAddress(value))}`);
  const [, before = 'http://', credentials = null, host = ''] =
    /^([a-z][a-z\d+.-]*:\/\/)?(?:(.*)@)?([^@]*)$/i.exec(value) ?? [];
  if (!isProxyAddress(before + host))
    throw mistake(proxyRule.replace(', without a user', ', also with USER:PASSWORD@, without'));
  if (credentials === null) return new URL(before + host).href;
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(credentials) ?? [];
  if (user === '' || password === '')
    throw mistake('must have both a user and a password, or neither');
  return addressWith({ url: before + host, user: decoded(user), password: decoded(password) });
}

/** A % that begins no escape stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function addressWith({ url, user, password }: NonNullable<ReadyNetwork['proxy']>): string {
  const address = new URL(url);
  if (user !== undefined) address.username = encodeURIComponent(user);
  if (password !== undefined) address.password = encodeURIComponent(password);
  return address.href;
}

const block =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----.+?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/gs;

/** @throws Error in one sentence */
function certificatesIn(name: string, file: string): string[] {
  const mistake = (rule: string): Error =>
    new Error(`${name}: must name ${rule}, got ${JSON.stringify(file)}`);
  let text = '';
  try {
    text = readBoundedText(resolve(file), maxPemBytes);
  } catch (error) {
    if (error instanceof UnfitFileError)
      throw mistake(`a regular file of at most ${maxPemBytes} bytes`);
    throw mistake(`a file that can be read (${systemCodeOf(error) ?? messageOf(error)})`);
  }
  const blocks = text.match(block) ?? [];
  if (blocks.length === 0)
    throw mistake('a PEM file with certificates (-----BEGIN CERTIFICATE-----)');
  return blocks.map((pem, at) => {
    try {
      return new X509Certificate(pem).toString();
    } catch {
      throw mistake(`a PEM file with certificates, of which number ${at + 1} cannot be read`);
    }
  });
}
