import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TerminalIds } from '../../../../main/counter/app/terminal-ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';

const newPath = (): string =>
  join(mkdtempSync(join(tmpdir(), 'tillbeacon-terminals-')), 'terminal-ids.json');
const open = (path: string, isUsed: (laneId: string) => boolean = () => false): TerminalIds =>
  new TerminalIds({ path, log: silentLog, isUsed });

test('differ between lanes and between counters, and have eight digits', () => {
  const ids = [open(newPath()), open(newPath())].flatMap((counter) =>
    ['1', '2', '3'].map((lane) => counter.ofLane(lane, [])),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^\d{8}$/);
});

test('stay after a restart, also when lanes have changed', () => {
  const path = newPath();
  const id = open(path).ofLane('1', []);
  const later = open(path);
  expect(later.ofLane('0', [])).not.toBe(id);
  expect(later.ofLane('1', [])).toBe(id);
});

test('each lane that was used before it had one keeps 00000001, which its till knows', () => {
  const counter = open(newPath(), (lane) => lane !== 'new');
  expect(counter.ofLane('new', [])).not.toBe('00000001');
  expect(counter.ofLane('1', [])).toBe('00000001');
  expect(counter.ofLane('2', [])).toBe('00000001');
});

test('no lane gets one that settings give to another', () => {
  expect(open(newPath(), () => true).ofLane('1', ['00000001'])).not.toBe('00000001');
});

test('a file that cannot be read is replaced', () => {
  const path = newPath();
  writeFileSync(path, '{ "1": "12" }');
  const id = open(path, () => true).ofLane('1', []);
  expect(id).not.toBe('00000001');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ '1': id });
});
