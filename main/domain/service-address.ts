/**
 * Where a service is: the one rule for every setting that holds such an address. Credentials, money and what is known of customers go there, so the way
 * is https. Only the simulated service and tests, on this machine, do without.
 */
import { z } from 'zod';

const rules = {
  notAnAddress: 'must be an address that begins with https://',
  notSecure: 'must begin with https://, because http:// is for services on this machine alone',
  /** They would stand in logs, reports and screens with the address. */
  credentials: 'must not hold a user name or a password',
  /** Paths are put behind it. */
  query: 'must not hold anything after a ? or #',
} as const;
export type AddressProblem = keyof typeof rules;

const thisMachine = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

export const isThisMachine = ({ hostname }: URL): boolean => thisMachine.test(hostname);

/** null: it keeps the rule. */
export function addressProblem(text: string): AddressProblem | null {
  // A parser repairs blanks, backslashes and missing slashes: somebody who reads the address may see another host than is asked.
  const authority = /^https?:\/\/([^\s\\/?#]+)[^\s\\]*$/i.exec(text)?.[1];
  const url = URL.parse(text);
  if (url === null || authority === undefined) return 'notAnAddress';
  if (url.protocol !== 'https:' && !isThisMachine(url)) return 'notSecure';
  if (authority.includes('@')) return 'credentials';
  return /[?#]/.test(text) ? 'query' : null;
}

const address = (allowed: AddressProblem | null) =>
  z
    .string()
    .superRefine((text, context) => {
      const problem = addressProblem(text);
      if (problem !== null && problem !== allowed) context.addIssue({ code: 'custom', message: rules[problem], input: text });
    })
    .meta({ format: 'uri' });

export const serviceAddress = address(null);
/** One that is used as it stands. */
export const wholeAddress = address('query');

/** Without what may be a secret in it, also where it is no address because of that. */
export function maskedAddress(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@').replace(/(:\/\/[^?#]*[?#]).+$/s, '$1***');
}
