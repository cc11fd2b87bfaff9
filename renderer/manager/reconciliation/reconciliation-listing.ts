import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Bridge } from '../../../preload/contract.ts';
import type {
  CategoryFilter,
  Filter,
  Period,
  Row,
  Sort,
  Transfer,
} from '../../../preload/procedures/reconciliation.ts';

export type RowFilter = CategoryFilter | 'transfers';

/** The search starts after a pause of this length in typing. */
const typedMs = 250;
const firstRows = 100;

interface Wanted {
  readonly shown: RowFilter;
  /** Only rows of this transfer. */
  readonly transfer: Transfer | null;
  readonly sort: Sort;
}

/** The content of the table. It is replaced as a whole, so that rows of two lists never mix. */
export type Listed =
  | {
      readonly kind: 'rows';
      readonly total: number;
      readonly fetch: (from: number, to: number) => Promise<readonly Row[]>;
    }
  | {
      readonly kind: 'transfers';
      readonly total: number;
      readonly fetch: (from: number, to: number) => Promise<readonly Transfer[]>;
    };

interface Asked {
  readonly period: Period;
  readonly filter: Filter;
  readonly sort: Sort;
}

/** The listed rows, and their order. */
export class Listing implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #ask: Bridge['ask'];
  /** Called when the daemon has closed the period. */
  readonly #lost: () => void;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  wanted: Wanted = { shown: 'lookAt', transfer: null, sort: { by: 'time', descending: true } };
  /** The text as typed. */
  text = '';
  /** null while it is loading for the first time. A new object means that all rows have changed. */
  listed: Listed | null = null;
  /** Whether the list does not have the latest filter yet. */
  isLoading = false;

  constructor(host: ReactiveControllerHost, ask: Bridge['ask'], lost: () => void) {
    this.#host = host;
    this.#ask = ask;
    this.#lost = lost;
    host.addController(this);
  }

  hostConnected(): void {}

  type(period: Period, text: string): void {
    this.text = text;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.choose(period, {}), typedMs);
    this.#host.requestUpdate();
  }

  /** Fetches the count with the first rows; until then the previous list stays. */
  async choose(period: Period, what: Partial<Wanted>): Promise<void> {
    clearTimeout(this.#typing);
    this.wanted = { ...this.wanted, ...what };
    this.isLoading = true;
    this.#host.requestUpdate();
    const turn = (this.#turn += 1);
    const { shown, transfer, sort } = this.wanted;
    const listed =
      shown === 'transfers'
        ? await this.#transfers(period)
        : await this.#rows({
            period,
            sort,
            filter: {
              category: shown,
              transferId: transfer?.transferId ?? null,
              text: this.text.trim(),
            },
          });
    if (turn !== this.#turn) return;
    this.isLoading = false;
    if (listed !== null) this.listed = listed;
    this.#host.requestUpdate();
  }

  async #rows(asked: Asked): Promise<Listed | null> {
    const read = async (
      from: number,
      count: number,
    ): Promise<{ total: number; rows: readonly Row[] } | null> => {
      const answer = await this.#ask('reconciliationRows', { ...asked, from, count });
      return answer.ok ? answer.value : this.#refused(answer.code);
    };
    const first = await read(0, firstRows);
    if (first === null) return null;
    return {
      kind: 'rows',
      total: first.total,
      fetch: fetching(first.rows, async (from, count) => (await read(from, count))?.rows),
    };
  }

  async #transfers(period: Period): Promise<Listed | null> {
    const read = async (
      from: number,
      count: number,
    ): Promise<{ total: number; transfers: readonly Transfer[] } | null> => {
      const answer = await this.#ask('reconciliationTransfers', { period, from, count });
      return answer.ok ? answer.value : this.#refused(answer.code);
    };
    const first = await read(0, firstRows);
    if (first === null) return null;
    return {
      kind: 'transfers',
      total: first.total,
      fetch: fetching(first.transfers, async (from, count) => (await read(from, count))?.transfers),
    };
  }

  #refused(code: string): null {
    if (code === 'notOpen') this.#lost();
    return null;
  }
}

function fetching<Item>(
  first: readonly Item[],
  read: (from: number, count: number) => Promise<readonly Item[] | undefined>,
) {
  return async (from: number, to: number): Promise<readonly Item[]> => {
    if (to <= first.length) return first.slice(from, to);
    const items = await read(from, to - from);
    if (items === undefined) throw new Error('the rows were refused');
    return items;
  };
}
