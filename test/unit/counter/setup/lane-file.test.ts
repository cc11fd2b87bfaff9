import { describe, expect, test } from 'vitest';
import { Settings } from '../../../../main/counter/settings/schema.ts';
import {
  draftOf,
  isWhole,
  nextStep,
  settingsWith,
  type WholeDraft,
} from '../../../../main/counter/setup/draft.ts';
import { draftTillFrom, tillSettings } from '../../../../main/counter/setup/draft-till.ts';
import { exportLane, importLane } from '../../../../main/counter/setup/lane-file.ts';
import { TillInput } from '../../../../preload/procedures/setup-fields.ts';
import { settings, till, withNetwork } from './draft-support.ts';

describe('a lane as a file', () => {
  const exported = (of = settings, laneId = '1'): string =>
    Buffer.from(exportLane(of, laneId).content).toString();

  test('holds everything but the secrets', () => {
    expect(exported()).toContain('/dev/ttyUSB1');
    expect(exported()).not.toMatch(/very secret|also secret/);
    const text = exported(withNetwork, '2');
    expect(text).toContain('192.168.1.40');
    expect(text).not.toContain('192837');
  });

  test('carries the protocol of its till; of Concert the line alone is in the settings', () => {
    const [first, ...others] = withNetwork.lanes;
    const concert = Settings.parse({
      ...withNetwork,
      lanes: [{ ...first, till: { protocol: 'concert', transport: 'tcp' } }, ...others],
    });
    const { draft } = importLane(exported(concert), null);
    expect(draft.till).toMatchObject({ protocol: 'concert', port: 8_888 });
    const asked = TillInput.parse({
      protocol: 'concert',
      transport: 'tcp',
      port: 8_889,
      password: '123456',
      refunds: true,
      profile: 'narrowPaper',
    });
    expect(tillSettings(draftTillFrom(asked, draft.till))).toEqual({
      protocol: 'concert',
      transport: 'tcp',
      host: '127.0.0.1',
      port: 8_889,
    });
  });

  test('carries data bits and parity of a till of Concert; a till of ZVT has eight data bits', () => {
    const line = {
      transport: 'serial',
      path: '/dev/ttyUSB1',
      dataBits: 7,
      parity: 'even',
    } as const;
    const written = (protocol: 'zvt' | 'concert') =>
      tillSettings(draftTillFrom(TillInput.parse({ protocol, stopBits: 1, ...line }), null));
    expect(written('concert')).toEqual({
      protocol: 'concert',
      baudRate: 9600,
      stopBits: 1,
      ...line,
    });
    expect(written('zvt')).toEqual({
      protocol: 'zvt',
      transport: 'serial',
      path: '/dev/ttyUSB1',
      baudRate: 9600,
      stopBits: 1,
      parity: 'even',
    });
    const concert = Settings.parse({
      ...settings,
      lanes: settings.lanes.map((one, at) =>
        at === 0 ? { ...one, till: written('concert') } : one,
      ),
    });
    const { draft } = importLane(exported(concert), null);
    expect(draft.till && tillSettings(draft.till)).toEqual(written('concert'));
  });

  test('keeps what its till does differently when it is changed in setup, and writes no stop bits that the profile has', () => {
    const profile = {
      profile: 'oneStopBit',
      columns: 32,
      record: true,
      partialReversals: true,
    } as const;
    const own = Settings.parse({
      ...settings,
      lanes: settings.lanes.map((one, index) =>
        index === 0
          ? {
              ...one,
              till: { protocol: 'zvt', transport: 'serial', path: '/dev/ttyUSB1', ...profile },
            }
          : one,
      ),
    });
    const { till: kept } = draftOf(own, '1');
    expect(kept).toMatchObject({ stopBits: 1, ...profile });
    const { columns: _notAsked, ...asking } = profile;
    const asked = (stopBits: number) =>
      tillSettings(
        draftTillFrom(
          TillInput.parse({ transport: 'serial', path: '/dev/ttyUSB1', stopBits, ...asking }),
          kept,
        ),
      );
    expect(asked(1)).toEqual(own.lanes[0]?.till);
    expect(
      draftOf(own, '1').till &&
        tillSettings(
          draftTillFrom(TillInput.parse({ transport: 'serial', path: '/dev/ttyUSB1' }), kept),
        ),
    ).toEqual({
      protocol: 'zvt',
      transport: 'serial',
      path: '/dev/ttyUSB1',
      baudRate: 9600,
      columns: 32,
    });
    const { draft } = importLane(exported(own), null);
    expect(
      isWhole({ ...draft, wallet: { kind: 'simulator' } }) &&
        draft.till &&
        tillSettings(draft.till),
    ).toEqual(own.lanes[0]?.till);
    expect(asked(2)).toEqual({ ...own.lanes[0]?.till, stopBits: 2 });
  });

  test('keeps what the till may do, and says that its password is missing', () => {
    const { draft, hadPassword } = importLane(exported(withNetwork, '2'), null);
    expect(draft.till).toEqual({
      ...till,
      host: '0.0.0.0',
      from: ['192.168.1.40'],
      refunds: 50_000,
    });
    expect(hadPassword).toBe(true);
    expect(importLane(exported(), null).hadPassword).toBe(false);
  });

  test('changes nothing of the password that its till has here', () => {
    expect(importLane(exported(withNetwork, '2'), withNetwork).draft.till).toMatchObject({
      password: '192837',
    });
  });

  test('of a version that knew nothing of what a till may do is taken', () => {
    const older = JSON.parse(exported()) as { till: object };
    const text = JSON.stringify({
      ...older,
      till: { transport: 'tcp', host: '127.0.0.1', port: 20_007 },
    });
    expect(importLane(text, null).draft.till).toEqual(till);
  });

  test('comes back as a draft in which only the secret is missing', () => {
    const { draft } = importLane(exported(), null);
    expect(nextStep(draft)).toBe('wallet');
    expect(draft).toMatchObject({
      laneId: null,
      pointOfSale: { merchantPosId: 'shop-1', laneId: '1' },
      till: { path: '/dev/ttyUSB1' },
    });
  });

  test.each([true, false])(
    'says whether customers check in first (%s), at another counter and at this one',
    (checkInFirst) => {
      const [lane, ...others] = settings.lanes as [Settings['lanes'][0], ...Settings['lanes']];
      const text = Buffer.from(
        exportLane({ ...settings, lanes: [{ ...lane, checkInFirst }, ...others] }, lane.id).content,
      ).toString();
      for (const inUse of [
        null,
        { ...settings, lanes: [{ ...lane, checkInFirst: !checkInFirst }, ...others] },
      ]) {
        const { draft } = importLane(text, inUse);
        const made = settingsWith(inUse, { ...draft, wallet: { kind: 'simulator' } } as WholeDraft);
        expect(made.lane.checkInFirst).toBe(checkInFirst);
      }
    },
  );

  test('lets customers check in first at a lane that has a tag and no code', () => {
    const [lane, ...others] = settings.lanes as [Settings['lanes'][0], ...Settings['lanes']];
    const withTag = {
      ...lane,
      checkInFirst: true,
      pointOfSale: { ...lane.pointOfSale, beaconTypes: ['NFC' as const] },
    };
    const text = Buffer.from(
      exportLane({ ...settings, lanes: [withTag, ...others] }, lane.id).content,
    ).toString();
    const { draft } = importLane(text, null);
    const made = settingsWith(null, { ...draft, wallet: { kind: 'simulator' } } as WholeDraft);
    expect(made.lane.checkInFirst).toBe(true);
  });

  test('says whether payments can be reserved, at another counter and at this one, and a changed lane keeps it', () => {
    const [lane, ...others] = settings.lanes as [Settings['lanes'][0], ...Settings['lanes']];
    const reserving = {
      ...settings,
      lanes: [{ ...lane, plannedCaptureDelay: 'LessThan14Days' as const }, ...others],
    };
    const { draft } = importLane(
      Buffer.from(exportLane(reserving, lane.id).content).toString(),
      settings,
    );
    expect(
      settingsWith(settings, { ...draft, wallet: { kind: 'simulator' } } as WholeDraft).lane
        .plannedCaptureDelay,
    ).toBe('LessThan14Days');
    const begun = { ...draftOf(reserving, lane.id), wallet: { kind: 'simulator' } } as WholeDraft;
    expect(settingsWith(reserving, begun).lane.plannedCaptureDelay).toBe('LessThan14Days');
    const without = {
      ...begun,
      pointOfSale: { ...begun.pointOfSale, plannedCaptureDelay: 'None' },
    } as WholeDraft;
    expect(settingsWith(reserving, without).lane.plannedCaptureDelay).toBe('None');
  });

  test('changes the lane that has its point of sale, and takes no other lane’s id', () => {
    expect(importLane(exported(), settings).draft.laneId).toBe('1');
    const [first, second] = settings.lanes;
    const elsewhere = {
      ...settings,
      lanes: [{ ...first, pointOfSale: { ...second?.pointOfSale, merchantPosId: 'elsewhere' } }],
    } as Settings;
    expect(importLane(exported(), elsewhere).draft).toMatchObject({
      laneId: null,
      pointOfSale: { laneId: null },
    });
  });

  test('that is something else is refused, and one with a mistake says where', () => {
    expect(() => importLane('hello', null)).toThrow(expect.objectContaining({ code: 'notALane' }));
    expect(() => importLane('{"lanes": []}', null)).toThrow(
      expect.objectContaining({ code: 'notALane' }),
    );
    const wrong = exported().replace('"shop-1"', '"shop-🍎"');
    expect(() => importLane(wrong, null)).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: expect.stringContaining('pointOfSale.merchantPosId'),
      }),
    );
  });

  test.each([
    'http://api.example',
    'https://me:hunter2@api.example',
    'https://api.example/?key=hunter2',
  ])('that names the service %s is refused', (address) => {
    const wrong = exported().replace('https://api.example', address);
    expect(() => importLane(wrong, null)).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: expect.stringMatching(/^wallet\.baseUrl: must (?!.*hunter2)/),
      }),
    );
  });
});
