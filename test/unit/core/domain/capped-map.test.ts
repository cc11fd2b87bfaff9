import { expect, test } from 'vitest';
import { CappedMap } from '../../../../main/core/domain/capped-map.ts';

test('the entry that was set longest ago makes room, and is handed over', () => {
  const dropped: unknown[] = [];
  const map = new CappedMap<string, number>(2, (value, key) => dropped.push([key, value]));
  map.set('a', 1).set('b', 2).set('c', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
  expect(dropped).toEqual([['a', 1]]);
});

test('an entry that is set again is the newest, and drops nothing', () => {
  const dropped: unknown[] = [];
  const map = new CappedMap<string, number>(2, (value, key) => dropped.push([key, value]));
  map.set('a', 1).set('b', 2).set('a', 3);
  expect([[...map.keys()], dropped]).toEqual([['b', 'a'], []]);
  map.set('c', 4);
  expect([[...map.keys()], dropped]).toEqual([['a', 'c'], [['b', 2]]]);
});

test('it keeps its limit with a million keys, and an undefined one among them', () => {
  const map = new CappedMap<number | undefined, true>(10);
  map.set(undefined, true);
  for (let key = 0; key < 1_000_000; key += 1) map.set(key, true);
  expect([map.size, map.has(undefined), map.has(999_999)]).toEqual([10, false, true]);
});
