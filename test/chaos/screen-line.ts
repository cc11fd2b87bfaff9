import type { ProcedureName } from '../../preload/procedures.ts';
import { ContractClient } from '../support/contract-client.ts';

export type CallResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string };
/** Without the answer it is unknown whether the action was done. */
const nobodyThere: CallResult = { ok: false, code: 'nobody there' };

/** A browser's connection to the daemon, which may end at any moment. */
export class ScreenLine {
  readonly #client: Promise<ContractClient | null>;

  constructor(screens: string) {
    this.#client = ContractClient.open(screens).then(
      (socket) => new ContractClient(socket),
      () => null,
    );
  }

  async ask(name: ProcedureName, input: object): Promise<CallResult> {
    const client = await this.#client;
    return client === null ? nobodyThere : client.call(name, input).catch(() => nobodyThere);
  }

  close(): void {
    void this.#client.then((client) => client?.close());
  }
}
