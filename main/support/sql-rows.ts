import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';

/** Reads the value of one column. @throws RowError when the database holds something else */
export type Column<T> = (value: SQLOutputValue | undefined) => T;

/** A row holds what its table's layout does not allow: the file is damaged. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

const refuse = (expected: string, value: unknown): never => {
  throw new RowError(
    `${value === null ? 'NULL' : typeof value} stands where ${expected} is expected`,
  );
};

export const text: Column<string> = (value) =>
  typeof value === 'string' ? value : refuse('text', value);
/** SQLite's integers and reals, as far as a double holds them exactly. */
export const number: Column<number> = (value) =>
  typeof value === 'number' ? value : refuse('a number', value);
/** A boolean, which SQLite stores as 0 or 1. */
export const flag: Column<boolean> = (value) => number(value) !== 0;

/** NULL, or no such row in an outer join, is null. */
export function orNull<T>(column: Column<T>): Column<T | null> {
  return (value) => (value === null || value === undefined ? null : column(value));
}

/** One of the texts that a column may hold. */
export function oneOf<const T extends string>(allowed: readonly T[]): Column<T> {
  return (value) => allowed.find((one) => one === value) ?? refuse(allowed.join(' or '), value);
}

/**
 * JSON that this program wrote into the column itself. The type is the caller's word: the text is
 * checked by the seal of its row or written in the same version's format, and parsing it by a
 * schema again would make every start slower.
 */
export function json<T>(): Column<T> {
  return (value) => JSON.parse(text(value)) as T;
}

type Columns = Readonly<Record<string, Column<unknown>>>;
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: ReturnType<C[Name]> };
type Parameters = readonly (SQLInputValue | Record<string, SQLInputValue>)[];

/** A prepared statement whose rows are values: `saleId` is read from the column `sale_id`. */
export interface Query<Row> {
  all(...parameters: Parameters): Row[];
  /** The first row; null when the result is empty. */
  first(...parameters: Parameters): Row | null;
  iterate(...parameters: Parameters): Generator<Row>;
}

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function query<C extends Columns>(
  db: DatabaseSync,
  sql: string,
  columns: C,
): Query<RowOf<C>> {
  const statement = db.prepare(sql);
  const readers = Object.entries(columns).map(
    ([name, read]) => [name, snakeCase(name), read] as const,
  );
  const rowOf = (values: Record<string, SQLOutputValue>): RowOf<C> => {
    const row: Record<string, unknown> = {};
    for (const [name, column, read] of readers) row[name] = read(values[column]);
    // Built from the same columns as its type.
    return row as RowOf<C>;
  };
  // node:sqlite declares the named parameters as a first argument of their own.
  const spread = (parameters: Parameters) => parameters as SQLInputValue[];
  return {
    all: (...parameters) => statement.all(...spread(parameters)).map(rowOf),
    first(...parameters) {
      const row = statement.get(...spread(parameters));
      return row === undefined ? null : rowOf(row);
    },
    *iterate(...parameters) {
      for (const row of statement.iterate(...spread(parameters))) yield rowOf(row);
    },
  };
}
