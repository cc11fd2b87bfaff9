import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { systemIds } from '../../../../main/domain/ids.ts';
import { silentLog } from '../../../../main/domain/log.ts';
import { startApplication, type Application } from '../../../../main/app/application.ts';
import { socketPath, type ToScreen } from '../../../../preload/contract.ts';
import { type QuestionName, questions } from '../../../../preload/procedures.ts';
import type { Answer } from '../../../../preload/procedures/procedure.ts';
import { cheapPinCost } from '../../../support/first-manager.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Whoever is at the socket, without any of our screens. */
class Stranger {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #id = 0;
  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as ToScreen;
      if (message.type === 'answer') this.#waiting.get(message.id)?.(message.answer);
    });
  }
  static async connect(url: string): Promise<Stranger> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${socketPath}`);
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    return new Stranger(socket);
  }
  ask(name: string, asked: unknown): Promise<Answer> {
    this.#id += 1;
    this.#socket.send(JSON.stringify({ type: 'question', id: this.#id, name, asked }));
    return new Promise((resolve) => this.#waiting.set(this.#id, resolve));
  }
  close(): void {
    this.#socket.close();
  }
}

const protectedQuestions = (Object.keys(questions) as QuestionName[]).filter((name) => questions[name].who !== 'anyone');
const clock = new ManualClock();
let folder: string;
let terminal: Application;
let url: string;
let manager: Stranger;
let managerId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-pin-needed-'));
  mkdirSync(join(folder, 'renderer'));
  writeFileSync(join(folder, 'renderer', 'index.html'), '<!doctype html>');
  const screens = { port: 0 };
  terminal = await startApplication({
    settings: null,
    dataFolder: join(folder, 'data'),
    screens,
    rendererFolder: join(folder, 'renderer'),
    demo: false,
    signsOutAfterMs: 60_000,
    pinCost: cheapPinCost,
    clock,
    ids: systemIds,
    log: silentLog,
  });
  url = terminal.screensUrl as string;
  manager = await Stranger.connect(url);
  const added = await manager.ask('addManager', { name: 'Ada', pin: '4711' });
  managerId = (added.ok && (added.value as { managerId: string }).managerId) || '';
});
afterAll(async () => {
  await terminal.close();
  rmSync(folder, { recursive: true, force: true });
});

test('there is something to protect', () => {
  expect(protectedQuestions).toEqual(expect.arrayContaining(['addManager', 'changePin', 'removeManager', 'health', 'diagnostics']));
});

async function expectNoneIsAnswered(whom: Stranger, asked: unknown = {}): Promise<void> {
  const answers = await Promise.all(protectedQuestions.map(async (name) => [name, await whom.ask(name, asked)] as const));
  expect(answers.filter(([, answer]) => answer.ok || answer.code !== 'pinNeeded')).toEqual([]);
}

describe('none of the questions that need a PIN is answered', () => {
  test('to who has none, whatever they send', async () => {
    const stranger = await Stranger.connect(url);
    for (const asked of [{}, null, { managerId, pin: '9999', name: 'Eve' }, { managerId }]) await expectNoneIsAnswered(stranger, asked);
    stranger.close();
  });

  test('to who was wrong', async () => {
    const stranger = await Stranger.connect(url);
    expect(await stranger.ask('signIn', { managerId, pin: '0000' })).toMatchObject({ ok: false, code: 'wrongPin' });
    await expectNoneIsAnswered(stranger);
    stranger.close();
  });

  test('to who was signed in for too long without a question', async () => {
    await clock.pass(60_000);
    await expectNoneIsAnswered(manager);
  });

  test('to who has signed out', async () => {
    expect(await manager.ask('signIn', { managerId, pin: '4711' })).toMatchObject({ ok: true });
    expect(await manager.ask('signOut', {})).toMatchObject({ ok: true });
    await expectNoneIsAnswered(manager);
  });
});

test('what a manager may ask is answered to a manager: the refusals above are the guard’s', async () => {
  await manager.ask('signIn', { managerId, pin: '4711' });
  expect(await manager.ask('health', {})).toMatchObject({ ok: true, value: { service: { code: 'notSetUp' } } });
});
