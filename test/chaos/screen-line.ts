import { type FromScreen, socketPath, ToScreen } from '../../preload/contract.ts';
import type { QuestionName } from '../../preload/procedures.ts';

export type Said = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly code: string };
/** Whether it was done is not known. */
const nobodyThere: Said = { ok: false, code: 'nobody there' };

/** A screen of the daemon, as the browser has it. */
export class ScreenLine {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (said: Said) => void>();
  readonly #open: Promise<boolean>;
  #count = 0;

  constructor(screens: string) {
    this.#socket = new WebSocket(`${screens.replace('http', 'ws')}${socketPath}`);
    this.#open = new Promise((resolve) => {
      this.#socket.addEventListener('open', () => resolve(true));
      this.#socket.addEventListener('error', () => resolve(false));
      this.#socket.addEventListener('close', () => {
        resolve(false);
        for (const answered of this.#waiting.values()) answered(nobodyThere);
        this.#waiting.clear();
      });
    });
    this.#socket.addEventListener('message', ({ data }) => {
      const message = ToScreen.parse(JSON.parse(String(data)));
      if (message.type === 'view') return;
      this.#waiting.get(message.id)?.(message.type === 'answer' ? message.answer : message.result.ok ? { ok: true, value: null } : message.result);
      this.#waiting.delete(message.id);
    });
  }

  ask(name: QuestionName, asked: object): Promise<Said> {
    return this.#say((id) => ({ type: 'question', id, name, asked }));
  }

  command(command: (FromScreen & { type: 'command' })['command']): Promise<Said> {
    return this.#say((id) => ({ type: 'command', id, command }));
  }

  close(): void {
    this.#socket.close();
  }

  async #say(message: (id: number) => FromScreen): Promise<Said> {
    if (!(await this.#open) || this.#socket.readyState !== WebSocket.OPEN) return nobodyThere;
    const id = (this.#count += 1);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify(message(id)));
    });
  }
}
