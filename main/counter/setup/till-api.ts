/**
 * Whether tills that are programs can find this computer where an installer wants it: checked at
 * once, because only they would notice.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { isOfThisMachineAlone, type TillApi } from '../../../preload/procedures/setup-fields.ts';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import { maxPemBytes, readBoundedText } from '../../support/bounded-file.ts';
import { tryToListen } from './displays.ts';

interface CheckOptions {
  /** That relative paths begin at. */
  readonly folder: string;
  /** The port at which this daemon serves the API already; null when it does not. */
  readonly servedPort: number | null;
  readonly nowMs: number;
}

/** A host name as the settings take it. */
const hostName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * @returns with whole paths, and the names in the certificate. @throws Refusal one of `apiRefusals`
 */
export async function checkedApi(
  asked: TillApi,
  { folder, servedPort, nowMs }: CheckOptions,
): Promise<TillApi & { names: string[] }> {
  const { host, port, origins } = asked;
  const tls = asked.tls && {
    certificate: resolve(folder, asked.tls.certificate),
    key: resolve(folder, asked.tls.key),
  };
  if (tls === null && !isOfThisMachineAlone(host))
    throw new Refusal(
      'tlsMissing',
      'other machines reach it: tokens would be readable in the network',
      { field: 'certificate' },
    );
  const names = tls === null ? [] : checkedNames(tls, nowMs);
  // Then our own server has the port.
  await tryToListen(host, servedPort === port ? 0 : port, { host: 'host', port: 'port' });
  return { host, port, tls, origins, names };
}

function checkedNames(tls: NonNullable<TillApi['tls']>, nowMs: number): string[] {
  const pem = { cert: textOf(tls.certificate, 'certificate'), key: textOf(tls.key, 'key') };
  const certificate = parsed(() => new X509Certificate(pem.cert), 'notACertificate', 'certificate');
  if (nowMs < Date.parse(certificate.validFrom) || nowMs > Date.parse(certificate.validTo))
    throw new Refusal(
      'certificateExpired',
      `valid from ${certificate.validFrom} to ${certificate.validTo}`,
      { field: 'certificate' },
    );
  const key: KeyObject = parsed(() => createPrivateKey(pem.key), 'notAKey', 'key');
  if (!certificate.checkPrivateKey(key))
    throw new Refusal('keyMismatch', 'the key is another certificate’s', { field: 'key' });
  parsed(() => createSecureContext(pem), 'notACertificate', 'certificate');
  return namesIn(certificate).filter((name) => hostName.test(name) && name !== 'localhost');
}

const namesIn = ({ subjectAltName = '' }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/DNS:([^,\s]+)/g)].map(([, name = '']) => name.toLowerCase());

function textOf(path: string, field: 'certificate' | 'key'): string {
  try {
    return readBoundedText(path, maxPemBytes);
  } catch (error) {
    const code = systemCodeOf(error);
    throw new Refusal(
      code === 'ENOENT' || code === 'ENOTDIR' ? 'fileAbsent' : 'fileUnreadable',
      messageOf(error),
      { field, facts: { path } },
    );
  }
}

function parsed<Value>(
  parse: () => Value,
  code: 'notACertificate' | 'notAKey',
  field: 'certificate' | 'key',
): Value {
  try {
    return parse();
  } catch (error) {
    throw new Refusal(code, messageOf(error), { field });
  }
}
