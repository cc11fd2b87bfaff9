import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { firstManagerCode } from '../support/first-manager.ts';
import {
  aCounterForEachTest,
  ask,
  customerApproves,
  enterCode,
  folder,
  idle,
  install,
  logged,
  logRecently,
  pointOfSale,
  refusal,
  restart,
  settingsPath,
  signOut,
  simulator,
  start,
  tcp,
  terminal,
  till,
  wallet,
} from './setup-support.ts';

aCounterForEachTest();

describe('a service for tests', () => {
  const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const service = () => terminal?.views.lane('1')?.service;

  test('is called so by the screens, also after its lane was changed', async () => {
    await start();
    await install();
    expect(service()).toBe('real');
    await ask('beginSetup', { laneId: '1' });
    await ask('saveDraft', { step: 'wallet', value: { ...wallet(), testService: true } });
    await ask('finishSetup', {});
    expect(service()).toBe('test');
    await ask('beginSetup', { laneId: '1' });
    await ask('finishSetup', {});
    await restart();
    expect(service()).toBe('test');
    await restart(unchecked);
    expect(service()).toBe('testUnchecked');
    expect(logged).toContain('the certificates of the wallet service are not checked');
  });

  test('is the only one that is asked where no certificates are checked', async () => {
    await start(unchecked);
    const refused = {
      code: 'certificatesUnchecked',
      facts: { detail: 'NODE_TLS_REJECT_UNAUTHORIZED=0' },
    };
    expect(await refusal('testCredentials', { wallet: wallet(), merchantVat: null })).toMatchObject(
      refused,
    );
    await ask('saveDraft', { step: 'wallet', value: wallet() });
    expect(await refusal('findStores', { merchantVat: 'DK90000028', at: null })).toMatchObject(
      refused,
    );
    expect(await (await fetch(`${simulator.baseUrl}/simulator/requests`)).json()).toEqual([]);
    expect(
      await ask('testCredentials', {
        wallet: { ...wallet(), testService: true },
        merchantVat: null,
      }),
    ).toMatchObject({ stores: null });
  });
});

describe('a counter without settings', () => {
  test('starts, is set up step by step, and takes a payment, also after a restart', async () => {
    await start();
    expect(terminal?.lanes()).toEqual([]);
    expect(await ask('shop', {})).toEqual({ language: null, isSetUp: false });
    expect(await install()).toBe('1');
    expect(await ask('shop', {})).toEqual({ language: 'da', isSetUp: true });
    expect(await ask('setupState', {})).toMatchObject({
      draft: null,
      file: { state: 'inUse' },
      inUse: { lanes: [{ laneId: '1', till: expect.stringContaining('tcp:') }] },
    });
    await restart();
    const register = await till();
    const paying = register.pay(1234, 'DKK');
    await customerApproves();
    expect((await paying).ended?.by).toBe('completion');
    await register.close();
  });

  test('goes on where it was left, after a restart and on another screen', async () => {
    await start();
    await ask('saveDraft', { step: 'language', value: 'sv' });
    await ask('saveDraft', { step: 'wallet', value: wallet() });
    await restart();
    const { draft } = await ask('setupState', {});
    expect(draft).toMatchObject({
      language: 'sv',
      next: 'store',
      wallet: { hasSecret: true, provenAtMs: null },
    });
    expect(
      await ask('testCredentials', {
        wallet: { ...wallet(), clientSecret: null },
        merchantVat: null,
      }),
    ).toMatchObject({ stores: null });
    expect((await ask('setupState', {})).draft).toMatchObject({
      wallet: { provenAtMs: expect.any(Number) },
    });
  });

  test('keeps secrets to itself: in no answer, in no log, and in files of its owner alone', async () => {
    await start();
    const { clientSecret } = simulator.credentials;
    await install();
    await ask('beginSetup', { laneId: '1' });
    const said = [
      await ask('setupState', {}),
      await ask('saveDraft', { step: 'wallet', value: wallet() }),
    ];
    expect(JSON.stringify(said)).not.toContain(clientSecret);
    expect(logged).not.toContain(clientSecret);
    for (const name of ['settings.json', 'setup-draft.json']) {
      expect(readFileSync(join(folder, name), 'utf8')).toContain(clientSecret);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  test('keeps what a till may do, and tells its password to nobody', async () => {
    await start();
    await install();
    const password = '192837';
    await ask('addManager', { name: 'Ada', pin: '4711' });
    await ask('beginSetup', { laneId: '1' });
    const saved = await ask('saveDraft', {
      step: 'till',
      value: { ...tcp, password, refunds: 50_000, from: ['127.0.0.0/8'] },
    });
    await restart();
    await ask('signIn', {
      managerId: (await ask('session', {})).managers[0]?.managerId ?? '',
      pin: '4711',
    });
    await ask('finishSetup', {});
    await idle('1');
    expect(JSON.parse(readFileSync(settingsPath(), 'utf8'))).toMatchObject({
      lanes: [{ till: { password, refunds: 50_000, from: ['127.0.0.0/8'] } }],
    });
    const draft = await ask('beginSetup', { laneId: '1' });
    expect(draft.till).toMatchObject({ hasPassword: true, refunds: 50_000, from: ['127.0.0.0/8'] });
    const again = await ask('saveDraft', { step: 'till', value: { ...tcp, password: null } });
    expect(again.till).toMatchObject({ hasPassword: true, refunds: null, from: [] });
    const stranger = await Register.overTcp({
      host: '127.0.0.1',
      port: Number(terminal?.lanes()[0]?.till.split(':')[2]),
      password: '000000',
    });
    expect((await stranger.register({ currency: 'DKK' })).refused).not.toBeNull();
    await stranger.close();
    const lane = await ask('exportLane', { laneId: '1' });
    const text = Buffer.from(
      (await ask('filePart', { fileId: lane.fileId, part: 0 })).base64,
      'base64',
    ).toString();
    expect(text).not.toContain(password);
    expect(await ask('importLane', { text })).toMatchObject({
      missing: [],
      draft: { till: { hasPassword: true, refunds: 50_000, from: ['127.0.0.0/8'] } },
    });
    expect(
      await ask('importLane', { text: text.replaceAll('"shop-1"', '"shop-2"') }),
    ).toMatchObject({ missing: ['tillPassword'] });
    const told = [
      saved,
      draft,
      again,
      await ask('setupState', {}),
      await ask('tillHeard', {}),
      await ask('serialPorts', {}),
    ];
    expect(JSON.stringify(told)).not.toContain(password);
    expect(logged).not.toContain(password);
    logRecently(`{"level":"warn","detail":"the till wants ${password}"}`);
    const offered = await ask('diagnostics', {});
    const { base64 } = await ask('filePart', { fileId: offered.fileId, part: 0 });
    const files = Object.values(unzipSync(Buffer.from(base64, 'base64')))
      .map((file) => strFromU8(file))
      .join('\n');
    expect(files).toContain('the till wants');
    expect(files).not.toContain(password);
  });

  test('sends a kept secret to no other address than the one it was typed for', async () => {
    await start();
    await install({ ...pointOfSale });
    const authorizations: string[] = [];
    const stranger = createServer((request, response) => {
      authorizations.push(request.headers.authorization ?? '');
      response.writeHead(400).end();
    });
    await new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    for (const about of [{ authUrl: elsewhere }, { baseUrl: elsewhere }]) {
      const asked = { ...wallet(), clientSecret: null, ...about };
      expect(
        await refusal('testCredentials', { wallet: asked, merchantVat: 'DK90000028' }),
      ).toMatchObject({ code: 'secretMissing', field: 'clientSecret' });
      expect(await refusal('saveDraft', { step: 'wallet', value: asked })).toMatchObject({
        code: 'secretMissing',
        field: 'clientSecret',
      });
    }
    const offered = await ask('exportLane', { laneId: '1' });
    const { base64 } = await ask('filePart', { fileId: offered.fileId, part: 0 });
    const text = Buffer.from(base64, 'base64').toString().replaceAll(simulator.authUrl, elsewhere);
    expect(await ask('importLane', { text })).toMatchObject({
      missing: ['clientSecret'],
      draft: { wallet: { hasSecret: false } },
    });
    expect(authorizations).toEqual([]);
    await new Promise((resolve) => stranger.close(resolve));
  });

  test('sends a kept key of the reports to no other address either', async () => {
    await start();
    await ask('saveDraft', {
      step: 'wallet',
      value: { ...wallet(), reportingKey: 'key of the reports' },
    });
    const again = { ...wallet(), clientSecret: null };
    expect(await ask('saveDraft', { step: 'wallet', value: again })).toMatchObject({
      wallet: { hasReportingKey: true },
    });
    expect(
      await ask('saveDraft', {
        step: 'wallet',
        value: { ...again, reportingUrl: 'http://127.0.0.1:1' },
      }),
    ).toMatchObject({
      wallet: { hasReportingKey: false },
    });
  });

  test('tries a key of the reports that is typed, and a kept one no more', async () => {
    await start();
    const { merchantVat } = simulator.credentials;
    const reportingKey = simulator.world.merchants.get(merchantVat)?.apiKey ?? '';
    const tried = (about: object) =>
      refusal('testCredentials', { wallet: { ...wallet(), ...about }, merchantVat: null });
    const refused = { code: 'reportingKeyRefused', field: 'reportingKey' };
    for (const wrong of ['wrong-key', 'näin ei', 'two words'])
      expect(await tried({ reportingKey: wrong }), wrong).toMatchObject(refused);
    expect(await tried({ reportingKey })).toEqual({ ok: true });
    expect(await tried({ reportingKey, reportingUrl: 'http://127.0.0.1:1' })).toMatchObject({
      field: 'reportingUrl',
    });
    await ask('saveDraft', { step: 'wallet', value: { ...wallet(), reportingKey: 'expired' } });
    expect(await tried({ clientSecret: null })).toEqual({ ok: true });
    expect(logged).not.toContain(reportingKey);
  });

  test('says which field breaks a rule, and what is not done yet', async () => {
    await start();
    expect(
      await refusal('saveDraft', {
        step: 'pointOfSale',
        value: { ...pointOfSale, name: 'Kasse 🍎' },
      }),
    ).toMatchObject({
      code: 'invalid',
      field: 'value.name',
    });
    expect(await refusal('finishSetup', {})).toMatchObject({
      code: 'incomplete',
      facts: { step: 'language' },
    });
    expect(await refusal('findStores', { merchantVat: 'DK90000028', at: null })).toMatchObject({
      code: 'incomplete',
      facts: { step: 'wallet' },
    });
    expect(
      await refusal('saveDraft', { step: 'wallet', value: { ...wallet(), clientSecret: null } }),
    ).toMatchObject({ code: 'secretMissing' });
  });

  test('hears at once when the beacon belongs to somebody else, and is set up with another', async () => {
    await start();
    const beaconId = '123456789012345';
    await install({ ...pointOfSale, beaconId });
    await ask('beginSetup', { laneId: null });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2', beaconId },
    });
    await ask('saveDraft', { step: 'till', value: tcp });
    expect(await ask('consequences', {})).toMatchObject({
      pointOfSale: 'new',
      beaconTakenBy: 'shop-1',
    });
    expect(await refusal('finishSetup', {})).toMatchObject({
      code: 'beaconTaken',
      field: 'beaconId',
    });
    await ask('saveDraft', {
      step: 'pointOfSale',
      value: { ...pointOfSale, merchantPosId: 'shop-2', name: 'Kasse 2' },
    });
    expect(await ask('finishSetup', {})).toMatchObject({ laneId: '2' });
    await idle('2');
    expect(terminal?.lanes().map(({ id }) => id)).toEqual(['1', '2']);
  });
});

describe('a counter that has managers', () => {
  test('are made with the code that its setup ended with, by whoever has it', async () => {
    await start();
    await install();
    const code = firstManagerCode(folder);
    expect(logged).not.toContain(code);
    signOut();
    expect(await refusal('addManager', { name: 'Eve', pin: '4711' })).toMatchObject({
      code: 'pinNeeded',
    });
    expect(await refusal('setupState', {})).toMatchObject({ code: 'pinNeeded' });
    await ask('enterCode', { code });
    await ask('addManager', { name: 'Ada', pin: '4711' });
    expect(existsSync(join(folder, 'first-manager-code.txt'))).toBe(false);
  });

  test('are nobody’s to make by taking their file away and the next start: the code is another one', async () => {
    await start();
    await install();
    await ask('addManager', { name: 'Ada', pin: '4711' });
    rmSync(join(folder, 'managers.json'));
    signOut();
    await restart();
    expect(await refusal('addManager', { name: 'Eve', pin: '4711' })).toMatchObject({
      code: 'pinNeeded',
    });
    await enterCode();
    await ask('addManager', { name: 'Ada', pin: '4711' });
  });

  test('is changed by nobody without a PIN', async () => {
    await start();
    await install();
    await ask('addManager', { name: 'Ada', pin: '4711' });
    signOut();
    for (const [name, asked] of [
      ['setupState', {}],
      ['beginSetup', { laneId: null }],
      ['saveDraft', { step: 'language', value: 'fi' }],
      ['finishSetup', {}],
      ['removeLane', { laneId: '1' }],
      ['deletePointOfSale', { merchantPosId: 'shop-1' }],
      ['payForTest', { laneId: '1', actionId: systemIds.uuid() }],
      ['useTestPhone', { laneId: '1', does: 'approve' }],
      ['refundTest', { laneId: '1', saleId: systemIds.uuid(), actionId: systemIds.uuid() }],
      ['keepPointOfSale', { merchantPosId: 'shop-1' }],
      ['exportLane', { laneId: '1' }],
      ['importLane', { text: '{}' }],
      ['serialPorts', {}],
    ] as const)
      expect(await refusal(name, asked as never), name).toMatchObject({ code: 'pinNeeded' });
    expect(await ask('shop', {})).toMatchObject({ isSetUp: true });
  });
});

describe('what is carried away', () => {
  const fetched = async ({ fileId }: { fileId: string }): Promise<Buffer> =>
    Buffer.from((await ask('filePart', { fileId, part: 0 })).base64, 'base64');

  test('a lane without its secret, and back again with the one that is here', async () => {
    await start();
    await install();
    const offer = await ask('exportLane', { laneId: '1' });
    const text = (await fetched(offer)).toString();
    expect(offer).toMatchObject({ name: 'lane-1.json', type: 'application/json' });
    expect(text).not.toContain(simulator.credentials.clientSecret);
    expect(await ask('importLane', { text })).toMatchObject({
      missing: [],
      draft: { laneId: '1', next: 'finish', wallet: { hasSecret: true } },
    });
  });

  test('the stickers of its code', async () => {
    await start();
    await install();
    const offer = await ask('stickerSheet', { laneId: '1', hold: 'Hold telefonen her' });
    expect(offer.type).toBe('application/pdf');
    expect((await fetched(offer)).subarray(0, 5).toString()).toBe('%PDF-');
    expect(
      await refusal('stickerSheet', { laneId: '7', hold: 'Hold telefonen her' }),
    ).toMatchObject({ code: 'notFound' });
  });
});
