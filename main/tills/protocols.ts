/** The till protocols of this product. A new one is its folder and a line here. */
import { z } from 'zod';
import type { Secret } from '../support/settings/secrets.ts';
import { concertProtocol } from './concert/concert-protocol.ts';
import { httpTillProtocol } from './http/http-till-protocol.ts';
import type { TillProtocol, TillSecret } from './till-protocol.ts';
import { zvtProtocol } from './zvt/zvt-protocol.ts';

export const tillProtocols = [zvtProtocol, concertProtocol, httpTillProtocol] as const;

type Protocols = typeof tillProtocols;
type SchemasOf<List extends readonly { readonly settings: z.ZodType }[]> = {
  [Index in keyof List]: List[Index]['settings'];
};

export const TillSettings = z.discriminatedUnion(
  'protocol',
  // A map keeps the order of a tuple, which its type does not say.
  tillProtocols.map(({ settings }) => settings) as unknown as SchemasOf<Protocols>,
);
export type TillSettings = z.infer<typeof TillSettings>;
/** A till's settings whose secrets have been looked up. */
export type ReadyTill = Parameters<Protocols[number]['create']>[0];

/** @throws Error for a name that is not in the list: settings are checked before */
export function protocolOf({
  protocol,
}: {
  readonly protocol: string;
}): TillProtocol<z.ZodType, ReadyTill> {
  const declared = tillProtocols.find(({ name }) => name === protocol);
  if (declared === undefined) throw new Error(`there is no till protocol ${protocol}`);
  // The name selects the descriptor, so that the settings are those of its own protocol.
  return declared;
}

/** Returns a till's settings with each secret changed. */
export const mapTillSecrets = <Till extends TillSettings>(
  till: Till,
  change: (secret: Secret, declared: TillSecret) => Secret,
): Till =>
  protocolOf(till).secrets.reduce(
    (changed, declared) =>
      changedAt(changed, declared.path.split('.'), (secret) => change(secret, declared)),
    till,
  );

/** The secrets of a till whose settings have been looked up. */
export function secretsOfTill(till: ReadyTill): string[] {
  const secrets: string[] = [];
  for (const { path } of protocolOf(till).secrets)
    changedAt(till, path.split('.'), (secret) => {
      if (typeof secret === 'string') secrets.push(secret);
      return secret;
    });
  return secrets;
}

function changedAt<Value extends object>(
  value: Value,
  [key = '', ...rest]: readonly string[],
  change: (secret: Secret) => Secret,
): Value {
  const inner: unknown = Reflect.get(value, key);
  if (inner === undefined) return value;
  const changed =
    rest.length === 0 ? change(inner as Secret) : changedAt(inner as object, rest, change);
  return { ...value, [key]: changed };
}
