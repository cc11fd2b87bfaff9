/**
 * The rule for every setting that holds a service's address. Credentials, payments and customers'
 * data go there, so it must be https. Only the simulated service and tests on this machine may use
 * http.
 */
import { z } from 'zod';
import { isOfThisMachineAlone } from './this-machine.ts';

const rules = {
  notAnAddress: 'must be an address that begins with https://',
  notSecure: 'must begin with https://, because http:// is for services on this machine alone',
  /** Credentials in an address would appear in logs, reports and screens. */
  credentials: 'must not hold a user name or a password',
  /** Paths are appended to the address. */
  query: 'must not hold anything after a ? or #',
} as const;
export type AddressProblem = keyof typeof rules;

export const isThisMachine = ({ hostname }: URL): boolean =>
  isOfThisMachineAlone(hostname === '[::1]' ? '::1' : hostname);

/** @returns the broken rule, or null */
export function addressProblem(text: string): AddressProblem | null {
  // A URL parser repairs blanks, backslashes and missing slashes, so that a reader may see another
  // host than the one that is contacted.
  const authority = /^https?:\/\/([^\s\\/?#]+)[^\s\\]*$/i.exec(text)?.[1];
  const url = URL.parse(text);
  if (url === null || authority === undefined) return 'notAnAddress';
  if (url.protocol !== 'https:' && !isThisMachine(url)) return 'notSecure';
  if (authority.includes('@')) return 'credentials';
  return /[?#]/.test(text) ? 'query' : null;
}

/** The broken rule in words, for a command line; null when none is broken. */
export function addressRule(text: string): string | null {
  const problem = addressProblem(text);
  return problem === null ? null : rules[problem];
}

const address = (allowed: AddressProblem | null) =>
  z
    .string()
    .superRefine((text, context) => {
      const problem = addressProblem(text);
      if (problem !== null && problem !== allowed)
        context.addIssue({ code: 'custom', message: rules[problem], input: text });
    })
    .meta({ format: 'uri' });

export const serviceAddress = address(null);
export const wholeAddress = address('query');

/** Masks possible secrets, also in text that is not a valid address. */
export function maskedAddress(text: string): string {
  return text
    .replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@')
    .replace(/(:\/\/[^?#]*[?#]).+$/s, '$1***');
}

/** The origin of a web page that may call the HTTP API, as browsers write it. */
export const webOrigin = z
  .string()
  .regex(
    /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/,
    'must be an origin such as https://till.example, in lower case and without a path',
  );
export const maxOrigins = 20;
