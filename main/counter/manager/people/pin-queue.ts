import { Refusal } from '../../../../preload/procedures/procedure.ts';

/** A longer queue would keep people waiting for too long. */
const mostAtATime = 8;

/** Hashes PINs one at a time: each takes a core for a second, and payments need the others. */
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
