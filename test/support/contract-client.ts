import { createBirpc } from 'birpc';
import { WebSocket } from 'ws';
import { socketPath, type ToPage, type View, type Watch } from '../../preload/contract.ts';
import type { AnswerTo, InputOf, OutputOf, ProcedureName } from '../../preload/procedures.ts';
import type { Answer } from '../../preload/procedures/procedure.ts';

export const watchMessage = (watch: object) => ({ t: 'q', m: 'watch', a: [watch] });
export const callMessage = (id: string | number, name: string, input: unknown) => ({
  t: 'q',
  i: String(id),
  m: name,
  a: [input],
});
export const answerMessage = (id: string | number, answer: unknown) => ({
  t: 's',
  i: String(id),
  r: answer,
});
export const viewMessage = (view: unknown) => ({ t: 'q', m: 'view', a: [view] });
export const viewIn = (message: ToPage): View | null =>
  message.t === 'q' && message.m === 'view' ? message.a[0] : null;

/** A client of the contract's WebSocket without a page. */
export class ContractClient {
  /** The newest view. */
  view: View | null = null;
  readonly #socket: WebSocket;
  readonly #calls;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#calls = createBirpc<
      Record<string, (input: unknown) => Answer>,
      { view(view: View): void },
      false
    >(
      { view: (view) => (this.view = view) },
      {
        post: (message) => socket.send(JSON.stringify(message)),
        on: (deliver) =>
          void socket.on('message', (data) => deliver(JSON.parse((data as Buffer).toString()))),
        timeout: -1,
        proxify: false,
      },
    );
    socket.on('error', () => {});
    socket.on('close', () => this.#calls.$rejectPendingCalls());
  }

  /** @throws when it cannot connect */
  static async open(screens: string): Promise<WebSocket> {
    const socket = new WebSocket(`${screens.replace('http', 'ws')}${socketPath}`);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return socket;
  }

  watch(watch: Watch): void {
    void this.#calls.$callEvent('watch', watch);
  }

  /** Calls a procedure with any name and input. @throws when the connection is lost */
  call(name: string, input: unknown): Promise<Answer> {
    return this.#calls.$call(name, input);
  }

  async ask<Name extends ProcedureName>(name: Name, input: InputOf<Name>): Promise<AnswerTo<Name>> {
    return (await this.call(name, input)) as AnswerTo<Name>;
  }

  /** @throws when it is refused */
  async value<Name extends ProcedureName>(
    name: Name,
    input: InputOf<Name>,
  ): Promise<OutputOf<Name>> {
    const answer = await this.ask(name, input);
    if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer.value;
  }

  close(): void {
    this.#socket.close();
  }
}
