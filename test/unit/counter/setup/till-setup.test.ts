import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { OpenSerialWire } from '../../../../main/core/domain/wire.ts';
import type { Session } from '../../../../main/counter/server/session.ts';
import { emptyDraft } from '../../../../main/counter/setup/draft.ts';
import { DraftStore } from '../../../../main/counter/setup/draft-store.ts';
import { Settings } from '../../../../main/counter/settings/schema.ts';
import { draftTillFrom } from '../../../../main/counter/setup/draft-till.ts';
import { PortsSeen } from '../../../../main/counter/setup/ports.ts';
import { TillSetup } from '../../../../main/counter/setup/till-setup.ts';
import { Tokens } from '../../../../main/tills/http/tokens.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import {
  PointOfSaleInput,
  TillInput,
  type TillLine,
} from '../../../../preload/procedures/setup-fields.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { Heard } from '../../../../preload/procedures/setup-till.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { registration } from './till-support.ts';

describe('a till that is saved', () => {
  const path = '/dev/ttyUSB0';
  const serial = {
    protocol: 'zvt',
    transport: 'serial',
    path,
    baudRate: 9600,
    stopBits: 2,
  } as const;
  let folder: string;
  let clock: ManualClock;
  let till: TillSetup;
  let drafts: DraftStore;
  let isPerson = true;
  /** What is received on the line once it is open; null when there is no such port. */
  let line: Uint8Array | null;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbeacon-till-'));
    clock = new ManualClock();
    line = new Uint8Array();
    const host = { settings: () => null, secrets: { environment: {}, safe: null, folder } };
    drafts = new DraftStore({
      path: join(folder, 'draft.json'),
      testedLanes: { testedWith: () => null },
      host,
      clock,
      log: silentLog,
    });
    till = withLine(async (_asked, listener) => {
      if (line === null) throw new Error('no such file: is the cable plugged in?');
      if (line.length > 0) listener.data(line);
      return { write: async () => {}, close: async () => {} };
    });
  });
  const withLine = (openLine: OpenSerialWire): TillSetup => {
    const host = {
      settings: () => null,
      lanes: () => [],
      openTestCounter: () => Promise.reject(new Error('no test')),
      tokens: new Tokens({
        path: join(folder, 'tokens.json'),
        clock,
        ids: systemIds,
        log: silentLog,
      }),
      apiPort: async () => null,
      secrets: { environment: {}, safe: null, folder },
      requirePerson() {
        if (!isPerson) throw new Refusal('pinNeeded', 'no person');
      },
    };
    return new TillSetup({
      drafts,
      host,
      listSerialPorts: async () => [],
      openSerialWire: openLine,
      clock,
    });
  };
  afterEach(async () => {
    await till.release();
    rmSync(folder, { recursive: true, force: true });
  });
  const screen: Session = { manager: null };
  const listenTo = async (asked: TillLine): Promise<Heard> =>
    (await till.handlers.listenToTill?.({ till: asked }, screen)) as Heard;

  test('is answered with what its port is, not with that it is being opened', async () => {
    line = null;
    expect(await listenTo(serial)).toMatchObject({
      what: 'opening',
      detail: expect.stringContaining('is the cable plugged in?'),
    });
    line = new Uint8Array();
    expect(await listenTo(serial)).toMatchObject({ what: 'nothing', detail: null });
    line = encodeBlock(registration);
    expect(await listenTo(serial)).toMatchObject({ what: 'zvt' });
  });

  test('whose port never opens is not waited for without an end', async () => {
    let opens: () => void = () => {};
    till = withLine(
      () =>
        new Promise(
          (resolve) => (opens = () => resolve({ write: async () => {}, close: async () => {} })),
        ),
    );
    const listening = listenTo(serial);
    await settled();
    await clock.pass(2_000);
    expect(await listening).toMatchObject({ what: 'opening', detail: null });
    opens();
  });

  test('is known to be there only when it was heard at that very line', async () => {
    expect(till.isHeard(serial)).toBe(false);
    await listenTo(serial);
    expect(till.isHeard(serial)).toBe(false);
    line = encodeBlock(registration);
    await listenTo(serial);
    expect(till.isHeard(serial)).toBe(true);
    // The page may release the line before or after it saves.
    await till.handlers.stopListening?.({}, screen);
    expect(till.isHeard(serial)).toBe(true);
    expect(till.isHeard({ ...serial, path: '/dev/ttyUSB7' })).toBe(false);
    expect(
      till.isHeard({
        protocol: 'zvt',
        transport: 'tcp',
        host: '127.0.0.1',
        port: 20_007,
        from: [],
      }),
    ).toBe(false);
  });

  test('and recognised as Concert is taken over without its saying anything again; as ZVT it was not heard', async () => {
    line = Uint8Array.of(5, 4, 5);
    expect(await listenTo(serial)).toMatchObject({ what: 'otherProtocol', protocol: 'concert' });
    line = new Uint8Array();
    const asConcert = { ...serial, protocol: 'concert', stopBits: 1 } as const;
    expect(await listenTo(asConcert)).toMatchObject({ what: 'concert', till: asConcert });
    expect([till.isHeard(asConcert), till.isHeard(serial)]).toEqual([true, false]);
    // Another baud rate opens the line again.
    expect(await listenTo({ ...asConcert, baudRate: 19_200 })).toMatchObject({ what: 'nothing' });
  });

  test('and is a program is tried only where its token is not readable, also when a file has brought its address', async () => {
    const pointOfSale = PointOfSaleInput.parse({
      merchantPosId: 'shop-1',
      name: 'Kiosk',
      beaconTypes: ['QR'],
      beaconId: null,
    });
    const store = {
      merchantVat: 'DK12345678',
      store: { storeId: '5a1e0000-0000-4000-8000-000000000010' } as never,
    };
    const program = (host: string) =>
      draftTillFrom(TillInput.parse({ transport: 'http', host, port: 0 }), null);
    const tried = async (host: string): Promise<unknown> => {
      drafts.keep({
        ...emptyDraft,
        wallet: { kind: 'simulator' },
        store,
        pointOfSale,
        till: program(host),
      });
      await till.handlers.startTestPayment?.({ with: 'till' }, screen);
      let state = till.handlers.testPaymentState?.({}, screen) as { state: string; detail: string };
      while (state.state === 'starting') {
        await new Promise(setImmediate);
        state = till.handlers.testPaymentState?.({}, screen) as typeof state;
      }
      return state.detail;
    };
    expect(await tried('127.0.0.1')).toBe('no test');
    expect(await tried('0.0.0.0')).toMatch('tokens would be readable in the network');
  });

  test('and is in the network is listened to, checked and tried only where a person vouches for the page', async () => {
    isPerson = false;
    try {
      const line = { protocol: 'zvt' as const, transport: 'tcp' as const, port: 0, from: [] };
      const program = { port: 0, tls: null, origins: [] };
      const refused = expect.objectContaining({ code: 'pinNeeded' });
      for (const host of [
        '0.0.0.0',
        '::',
        '192.168.1.20',
        'till.shop.example',
        '127.0.0.1.example',
      ]) {
        await expect(listenTo({ ...line, host })).rejects.toEqual(refused);
        await expect(till.handlers.checkTillApi?.({ ...program, host }, screen)).rejects.toEqual(
          refused,
        );
        drafts.keep({
          ...emptyDraft,
          till: draftTillFrom(TillInput.parse({ ...line, host }), null),
        });
        await expect(till.handlers.startTestPayment?.({ with: 'till' }, screen)).rejects.toEqual(
          refused,
        );
      }
      expect(await listenTo({ ...line, host: '127.0.0.1' })).toMatchObject({ what: 'nothing' });
      expect(
        await till.handlers.checkTillApi?.({ ...program, host: 'localhost' }, screen),
      ).toMatchObject({ address: expect.any(String) });
    } finally {
      isPerson = true;
    }
  });

  test('and was heard stays known, until its line is another one or its own test payment says it', async () => {
    const input = draftTillFrom(TillInput.parse(serial), null);
    drafts.save({ step: 'till', value: input, unheard: false });
    expect(till.isHeard(serial)).toBe(true);
    expect(till.isHeard({ ...serial, path: '/dev/ttyUSB7' })).toBe(false);
    drafts.save({ step: 'till', value: input, unheard: true });
    expect(till.isHeard(serial)).toBe(false);
    drafts.tested('own');
    expect(drafts.draft).toMatchObject({ tested: 'own', unheard: true });
    drafts.tested('till');
    expect(drafts.draft).toMatchObject({ tested: 'till', unheard: false });
    drafts.tested('own');
    expect(drafts.draft?.tested).toBe('till');
  });
});

describe('the lane that is tried', () => {
  test('has an id that no lane in use has, and its API is as the draft says', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-lane-'));
    try {
      const pointOfSale = {
        merchantPosId: 'shop-1',
        name: 'Kasse',
        beaconTypes: ['QR'],
        beaconId: null,
      };
      const lanes = ['1', '2'].map((id) => ({
        id,
        name: id,
        currency: 'DKK',
        pointOfSale: {
          ...pointOfSale,
          merchantPosId: `shop-${id}`,
          storeId: '5a1e0000-0000-4000-8000-000000000010',
        },
        till: { protocol: 'zvt', transport: 'serial', path: `COM${id}` },
      }));
      const settings = Settings.parse({ wallet: { simulator: true }, lanes });
      const host = { settings: () => settings, secrets: { environment: {}, safe: null, folder } };
      const drafts = new DraftStore({
        path: join(folder, 'draft.json'),
        testedLanes: { testedWith: () => null },
        host,
        clock: new ManualClock(),
        log: silentLog,
      });
      drafts.begin(null);
      drafts.save({
        step: 'pointOfSale',
        value: PointOfSaleInput.parse({ ...pointOfSale, merchantPosId: 'shop-3' }),
      });
      drafts.save({
        step: 'till',
        value: draftTillFrom(TillInput.parse({ transport: 'http', port: 4_443 }), null),
        unheard: true,
      });
      expect(drafts.laneToTry()).toMatchObject({ id: '3', till: { protocol: 'http' } });
      expect(drafts.apiToTry()).toMatchObject({ host: '127.0.0.1', port: 4_443, names: [] });
      const nexo = { poiId: 'Till-1', key: { identifier: 'a', version: 1 } };
      const save = (input: object) =>
        drafts.save({
          step: 'till',
          value: drafts.till(TillInput.parse({ transport: 'http', ...input })),
          unheard: true,
        });
      save({ nexo });
      expect(() => drafts.laneToTry()).toThrow(
        expect.objectContaining({ code: 'incomplete', facts: { step: 'till' } }),
      );
      save({ nexo: { ...nexo, key: { ...nexo.key, passphrase: 'sixteen letters!' } } });
      expect(drafts.laneToTry().till).toEqual({
        protocol: 'http',
        nexo: { ...nexo, key: { ...nexo.key, passphrase: 'sixteen letters!' } },
      });
      settings.lanes[1] = Settings.shape.lanes.element.parse({
        ...lanes[1],
        till: { protocol: 'http', nexo: { poiId: 'Till-2' } },
      });
      expect(() => save({ nexo: { poiId: 'Till-2' } })).toThrow(
        expect.objectContaining({ code: 'poiTaken', facts: { laneId: '2' } }),
      );
      drafts.begin('1');
      expect(drafts.laneToTry().id).toBe('1');
      expect(drafts.apiToTry()).toBeNull();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the list of ports', () => {
  const port = (path: string) => ({
    path,
    name: path,
    manufacturer: null,
    serialNumber: null,
    vendorId: null,
    productId: null,
  });

  test('knows the one that was just plugged in, also when it was there and was unplugged meanwhile', () => {
    const seen = new PortsSeen();
    const plugged = (...paths: string[]) => [...seen.plugged(paths.map(port))];
    expect(plugged('a', 'b')).toEqual([]);
    expect(plugged('a', 'b', 'c')).toEqual(['c']);
    expect(plugged('a', 'b', 'c')).toEqual(['c']);
    expect(plugged('b', 'c')).toEqual(['c']);
    expect(plugged('a', 'b', 'c')).toEqual(['a', 'c']);
  });
});
