/** A few of something that is slow to make, each used by one caller at a time. */
export class Pool<Member> {
  readonly members: readonly Member[];
  readonly #free: Member[];
  readonly #waiting: ((member: Member) => void)[] = [];

  constructor(members: readonly Member[]) {
    this.members = members;
    this.#free = [...members];
  }

  /** Waits for a free member, and frees it when `work` has ended, however it ended. */
  async use<Result>(work: (member: Member) => Promise<Result>): Promise<Result> {
    const member =
      this.#free.pop() ?? (await new Promise<Member>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(member);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(member);
      else next(member);
    }
  }
}
