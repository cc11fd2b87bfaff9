import type { Operation, OperationAnswer, OperationInput } from '../http/operation.ts';
import type { CallOptions, Transport } from '../http/transport.ts';

// Only that it is an operation matters here; `any` lets each keep its own types.
// oxlint-disable-next-line typescript/no-explicit-any
type AnyOperation = Operation<string, string, any, any, any>;

/**
 * One method for each operation, under the operation's name; errors as of {@link Transport.call}.
 */
export type Client<Operations extends readonly AnyOperation[]> = {
  readonly [Op in Operations[number] as Op['name']]: (
    input: OperationInput<Op>,
    options?: CallOptions,
  ) => Promise<OperationAnswer<Op>>;
};

/** The typed client of an interface, made from its declarations. */
export function clientOf<const Operations extends readonly AnyOperation[]>(
  transport: Transport,
  operations: Operations,
): Client<Operations> {
  const methods = operations.map((operation) => [
    operation.name,
    // The caller's types come from `Client<Operations>`.
    (input: never, options?: CallOptions) =>
      transport.call(operation as Operation<string, string, never, never, never>, input, options),
  ]);
  // fromEntries forgets which name has which method.
  return Object.fromEntries(methods) as Client<Operations>;
}
