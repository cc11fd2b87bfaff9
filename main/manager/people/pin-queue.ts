import { Refusal } from '../../../preload/procedures/procedure.ts';

/** A longer queue would take longer than people wait. */
const mostAtATime = 8;

/** PINs are hashed one after the other: each takes a core for a second, and payments need the other cores. */
export class PinQueue {
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws Refusal when it is full */
  mustHaveRoom(): void {
    if (this.#count >= mostAtATime) throw new Refusal('failed', 'too many PINs at once');
  }

  /** @throws Refusal when it is full */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.mustHaveRoom();
    this.#count += 1;
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    try {
      return await done;
    } finally {
      this.#count -= 1;
    }
  }
}
