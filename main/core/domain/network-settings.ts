/** The settings `network`, of a counter and of the callback receiver. */
import { z } from 'zod';

export const proxyRule =
  'must be an address such as http://proxy.shop.example:3128, without a user, a path or a query';

/** User and password have settings of their own, so that an address holds no secret. */
export function isProxyAddress(text: string): boolean {
  const url = /^https?:\/\/[^\s\\/?#@]+\/?$/i.test(text) ? URL.parse(text) : null;
  return url !== null && url.hostname !== '';
}

/** @param secret how these settings hold a password */
export const networkSettings = <Secret extends z.ZodType>(secret: Secret) =>
  z.strictObject({
    proxy: z
      .strictObject({
        url: z
          .string()
          .refine(isProxyAddress, proxyRule)
          .describe('The address of the proxy, e.g. http://proxy.shop.example:3128.'),
        user: z
          .string()
          .regex(/^[^:\p{Cc}]{1,200}$/u, 'must be a user name without a colon')
          .optional()
          .describe('The user name, for a proxy that requires one.'),
        password: secret.optional().describe("The user's password."),
      })
      .refine(
        ({ user, password }) => (user === undefined) === (password === undefined),
        'must have both user and password, or neither',
      )
      .optional()
      .describe(
        'All connections to other machines go through this proxy. Default: HTTPS_PROXY, or no proxy.',
      ),
    noProxy: z
      .array(
        z
          .string()
          .regex(
            /^[^\s,]{1,253}$/,
            'must be a host, a domain, an address or a network such as 10.0.0.0/8',
          ),
      )
      .max(100)
      .optional()
      .describe(
        'Hosts that are reached without the proxy. This machine always is. Default: NO_PROXY.',
      ),
    certificates: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A PEM file with additional certificate authorities, besides NODE_EXTRA_CA_CERTS. A relative path begins at the settings.',
      ),
    systemCertificates: z
      .boolean()
      .default(false)
      .describe("true: the authorities in the operating system's store are trusted too."),
  });

export type NetworkSettings<Password> = z.infer<
  ReturnType<typeof networkSettings<z.ZodType<Password>>>
>;
/** With the password looked up, and whole paths. */
export type ReadyNetwork = NetworkSettings<string>;

/**
 * Why a proxy did not forward a request. proxyLogin: it wants another user or password.
 * proxyRefused: it does not allow this one.
 */
export const proxyProblems = ['proxyAway', 'proxyLogin', 'proxyRefused'] as const;
export type ProxyProblem = (typeof proxyProblems)[number];

/** The codes of errors, as logs and reports have them. */
export const proxyAwayCode = (systemCode: string): string => `PROXY_AWAY_${systemCode}`;
export const proxyStatusCode = (status: number): string => `PROXY_${status}`;

export function proxyProblemOf(code: string | null): ProxyProblem | null {
  if (code === null || !code.startsWith('PROXY_')) return null;
  if (code.startsWith(proxyAwayCode(''))) return 'proxyAway';
  return code === proxyStatusCode(407) ? 'proxyLogin' : 'proxyRefused';
}
