import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { Settings } from '../../../../main/counter/settings/schema.ts';
import {
  Draft,
  draftOf,
  emptyDraft,
  isWhole,
  nextStep,
  settingsWith,
  shownDraft,
  type WholeDraft,
  withCallbackOf,
  withStep,
} from '../../../../main/counter/setup/draft.ts';
import { keptOf, type KeptTill, tillSettings } from '../../../../main/counter/setup/kept-till.ts';
import { exportLane, importLane } from '../../../../main/counter/setup/lane-file.ts';
import {
  beaconIdIn,
  merchantVatIn,
  PointOfSaleAsked,
  StoreAsked,
  TillInput,
} from '../../../../preload/procedures/setup-fields.ts';

const storeId = '51050000-0000-4000-8000-000000000001';
const settings = Settings.parse({
  language: 'da',
  wallet: {
    baseUrl: 'https://api.example',
    authUrl: 'https://auth.example',
    clientId: 'me',
    clientSecret: 'very secret',
    merchantVat: 'DK12345678',
    reportingKey: 'also secret',
  },
  lanes: ['1', '2'].map((id) => ({
    id,
    name: `Check-out ${id}`,
    currency: 'DKK',
    pointOfSale: {
      merchantPosId: `shop-${id}`,
      storeId,
      name: `Check-out ${id}`,
      beaconTypes: ['QR'],
      beaconId: null,
    },
    till: { protocol: 'zvt', transport: 'serial', path: `/dev/ttyUSB${id}` },
  })),
});
const store = StoreAsked.parse({
  merchantVat: 'FI12345678',
  store: {
    storeId,
    name: 'Kauppa',
    street: null,
    zipCode: null,
    city: null,
    brandName: null,
    merchantBrandId: null,
    merchantLocationId: null,
  },
});
const pointOfSale = PointOfSaleAsked.parse({
  merchantPosId: 'shop-9',
  name: 'Kassa 9',
  beaconTypes: ['QR'],
  beaconId: null,
});
const asked = (about: object): TillInput => TillInput.parse({ transport: 'tcp', ...about });
type KeptLine = Exclude<KeptTill, { transport: 'http' }>;
const keptLine = (input: TillInput, before: KeptTill | null): KeptLine =>
  keptOf(input, before) as KeptLine;
const till = keptLine(asked({}), null);
/** A counter whose second till is in the network, with every possible field. */
const inNetwork = {
  protocol: 'zvt',
  transport: 'tcp',
  host: '0.0.0.0',
  port: 20_007,
  password: '192837',
  refunds: 50_000,
  from: ['192.168.1.40'],
} as const;
const withNetwork: Settings = Settings.parse({
  ...settings,
  lanes: settings.lanes.map((lane) => (lane.id === '2' ? { ...lane, till: inNetwork } : lane)),
});
const service = {
  kind: 'service' as const,
  baseUrl: 'https://api.example',
  authUrl: 'https://auth.example',
  clientId: 'me',
  clientSecret: 'very secret',
  tokenFor: 'merchant' as const,
  profile: 'generic' as const,
  reportingKey: null,
  reportingUrl: null,
  testService: false,
  provenAtMs: null,
};

describe('the path', () => {
  test('goes on at the first step that is not done', () => {
    let draft: Draft = emptyDraft;
    const steps: string[] = [nextStep(draft)];
    for (const answer of [
      { step: 'language', value: 'fi' },
      { step: 'wallet', value: service },
      { step: 'store', value: store },
      { step: 'pointOfSale', value: pointOfSale },
      { step: 'till', value: till, unheard: false },
    ] as const) {
      draft = withStep(draft, answer);
      steps.push(nextStep(draft));
    }
    expect(steps).toEqual(['language', 'wallet', 'store', 'pointOfSale', 'till', 'finish']);
  });

  test('of a demonstration needs no store to be looked for', () => {
    const draft = withStep(withStep(emptyDraft, { step: 'language', value: 'da' }), {
      step: 'wallet',
      value: { kind: 'simulator' },
    });
    expect(nextStep(draft)).toBe('pointOfSale');
  });

  test('asks for the store again when the wallet is another one, and not when only its secret is', () => {
    const draft = withStep(withStep(emptyDraft, { step: 'wallet', value: service }), {
      step: 'store',
      value: store,
    });
    expect(
      withStep(draft, { step: 'wallet', value: { ...service, clientSecret: 'renewed' } }).store,
    ).toEqual(store);
    expect(
      withStep(draft, { step: 'wallet', value: { ...service, clientId: 'other' } }).store,
    ).toBeNull();
  });

  test('wants a test payment again once the till is another one', () => {
    const tested: Draft = {
      ...withStep(emptyDraft, { step: 'till', value: till, unheard: false }),
      tested: 'till',
    };
    const after = (about: object): string | null =>
      withStep(tested, { step: 'till', value: keptOf(asked(about), tested.till), unheard: false })
        .tested;
    expect(after({})).toBe('till');
    expect(after({ port: 20_008 })).toBeNull();
    expect(after({ password: '123456' })).toBeNull();
    expect(after({ from: ['192.168.1.40'] })).toBeNull();
  });

  test('goes on with a draft of a version that knew only whether a test payment went through, with the built-in till at least', () => {
    const { unheard: _unheard, ...before } = emptyDraft;
    expect(Draft.parse({ ...before, tested: true })).toMatchObject({
      tested: 'own',
      unheard: false,
    });
    expect(Draft.parse({ ...before, tested: false })).toMatchObject({
      tested: null,
      unheard: false,
    });
    for (const tested of ['own', 'till', null])
      expect(Draft.parse({ ...emptyDraft, tested }).tested).toBe(tested);
  });

  test('shows no secret', () => {
    expect(JSON.stringify(shownDraft(draftOf(settings, '1')))).not.toMatch(
      /secret"?:"|very secret|also secret/,
    );
    expect(shownDraft(draftOf(settings, '1')).wallet).toMatchObject({
      hasSecret: true,
      hasReportingKey: true,
    });
    expect(JSON.stringify(shownDraft(draftOf(withNetwork, '2')))).not.toContain('192837');
    expect(shownDraft(draftOf(withNetwork, '2')).till).toMatchObject({
      hasPassword: true,
      refunds: 50_000,
      from: ['192.168.1.40'],
    });
    expect(shownDraft(draftOf(settings, '1')).till).toMatchObject({
      hasPassword: false,
      refunds: null,
    });
  });

  test('keeps the password of a till that is changed, until there is another one, or none', () => {
    const { till: before } = draftOf(withNetwork, '2');
    const passwordAfter = (about: object): unknown => keptLine(asked(about), before).password;
    expect(passwordAfter({ port: 20_008 })).toBe('192837');
    expect(passwordAfter({ transport: 'serial', path: 'COM3' })).toBe('192837');
    expect(passwordAfter({ password: '000000' })).toBe('000000');
    expect(passwordAfter({ password: '' })).toBeNull();
    expect(keptLine(asked({}), null).password).toBeNull();
  });

  test('goes on with a draft of a version that knew nothing of what a till may do', () => {
    const {
      password: _password,
      refunds: _refunds,
      from: _from,
      ...line
    } = { from: null, ...till };
    expect(Draft.parse({ ...emptyDraft, till: line }).till).toEqual(till);
  });
});

describe('the settings that it makes', () => {
  const whole: Draft = { ...emptyDraft, language: 'fi', wallet: service, store, pointOfSale, till };

  test('of a lane that is opened and not changed are the same', () => {
    for (const inUse of [settings, withNetwork]) {
      const draft = draftOf(inUse, '2');
      expect(isWhole(draft) && settingsWith(inUse, draft).settings).toStrictEqual(inUse);
    }
  });

  test('of a lane with restrictions, a label and a notification service keep them, also through a file', () => {
    const restrictions = { debitCardDisallowed: false, creditCardDisallowed: true };
    const [first, ...others] = settings.lanes as [Settings['lanes'][0], ...Settings['lanes']];
    const changed = {
      ...first,
      restrictions,
      merchantPaymentLabel: 'shift 7',
      pointOfSale: { ...first.pointOfSale, callbackAlias: 'check-in' },
    };
    const inUse = { ...settings, lanes: [changed, ...others] };
    const draft = draftOf(inUse, '1');
    expect(isWhole(draft) && settingsWith(inUse, draft).settings).toStrictEqual(inUse);
    const text = Buffer.from(exportLane(inUse, '1').content).toString();
    expect(
      settingsWith(null, {
        ...importLane(text, null).draft,
        wallet: { kind: 'simulator' },
      } as WholeDraft).lane,
    ).toMatchObject({
      restrictions,
      merchantPaymentLabel: 'shift 7',
      pointOfSale: { callbackAlias: 'check-in' },
    });
  });

  test('keep the notification service of the present point of sale, unless another one, or none, is asked for', () => {
    const aliasIn = (callbackAlias: string | null | undefined, found: string | null): unknown => {
      const asked = {
        ...whole,
        pointOfSale: { ...pointOfSale, ...(callbackAlias !== undefined && { callbackAlias }) },
      } as WholeDraft;
      return settingsWith(null, withCallbackOf({ callbackAlias: found }, asked)).lane.pointOfSale
        .callbackAlias;
    };
    expect(aliasIn(undefined, 'present')).toBe('present');
    expect(aliasIn(undefined, null)).toBeUndefined();
    expect(aliasIn('other', 'present')).toBe('other');
    expect(aliasIn(null, 'present')).toBeNull();
  });

  test('say nothing of a till’s password, refunds and addresses where nothing was said', () => {
    const made = isWhole(whole) ? settingsWith(null, whole).lane.till : null;
    expect(made).toStrictEqual({
      protocol: 'zvt',
      transport: 'tcp',
      host: '127.0.0.1',
      port: 20_007,
    });
  });

  test('of a lane called like its point of sale follow its new name; a name of its own stays', () => {
    const renamed = (inUse: Settings) => {
      const draft = draftOf(inUse, '2');
      const { lane } = settingsWith(inUse, {
        ...draft,
        pointOfSale: { ...draft.pointOfSale, name: 'Kasse 7' },
      } as WholeDraft);
      return [lane.name, lane.pointOfSale.name];
    };
    const own = { ...settings, lanes: settings.lanes.map((lane) => ({ ...lane, name: 'Front' })) };
    expect(renamed(settings)).toEqual(['Kasse 7', 'Kasse 7']);
    expect(renamed(own)).toEqual(['Front', 'Kasse 7']);
  });

  test('have the new lane behind the others, with a free id and the currency of its country', () => {
    const made = isWhole(whole)
      ? settingsWith({ ...settings, lanes: settings.lanes.slice(1) }, whole)
      : null;
    expect(made?.settings.lanes.map(({ id }) => id)).toEqual(['2', '1']);
    expect(made?.lane).toMatchObject({
      name: 'Kassa 9',
      currency: 'EUR',
      till: { protocol: 'zvt', transport: 'tcp', port: 20_007 },
    });
    expect(parseSettings(made?.settings, {}).lanes).toHaveLength(2);
  });
});

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
    expect(tillSettings(keptOf(asked, draft.till))).toEqual({
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
      tillSettings(keptOf(TillInput.parse({ protocol, stopBits: 1, ...line }), null));
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
        keptOf(
          TillInput.parse({ transport: 'serial', path: '/dev/ttyUSB1', stopBits, ...asking }),
          kept,
        ),
      );
    expect(asked(1)).toEqual(own.lanes[0]?.till);
    expect(
      draftOf(own, '1').till &&
        tillSettings(keptOf(TillInput.parse({ transport: 'serial', path: '/dev/ttyUSB1' }), kept)),
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

describe('a VAT number', () => {
  test.each([
    ['DK12345678', 'en', 'DK12345678'],
    [' dk 12 34 56 78 ', 'fi', 'DK12345678'],
    ['FI-1234567-1', 'da', 'FI12345671'],
    // Without its letters the country is found by the dash, which only Finland has, otherwise by
    // the check digit or the shop's language.
    ['1234567-8', 'da', 'FI12345678'],
    ['13585628', 'fi', 'DK13585628'],
    ['01120389', 'da', 'FI01120389'],
    ['90000028', 'da', 'DK90000028'],
    ['90000028', 'en', 'DK90000028'],
    ['90000028', 'fi', 'FI90000028'],
    ['90000028', 'sv', 'FI90000028'],
    // An incomplete number is left as it is.
    ['1234567', 'da', '1234567'],
    ['DK1234567', 'da', 'DK1234567'],
    ['', 'da', ''],
    ['SE12345678', 'sv', 'SE12345678'],
  ] as const)('typed as %j in a shop that speaks %s is %s', (typed, language, whole) =>
    expect(merchantVatIn(typed, language)).toBe(whole),
  );
});

describe('what is typed', () => {
  test.each([
    ['123456789012345', '123456789012345'],
    ['walletpos://pos?id=123456789012345&source=qr', '123456789012345'],
    [
      'WALLETPOS://POS?ID=4F9D6A10-0A53-4E86-8B9A-6B6E2A1D9A11&SOURCE=QR',
      '4f9d6a10-0a53-4e86-8b9a-6b6e2a1d9a11',
    ],
    // A scanner that assumes an American keyboard, at a Danish one.
    [
      'walletposÆ--pos_id´4f9d6a10+0a53+4e86+8b9a+6b6e2a1d9a11/source´qr',
      '4f9d6a10-0a53-4e86-8b9a-6b6e2a1d9a11',
    ],
    ['  4f9d6a10-0a53-4e86-8b9a-6b6e2a1d9a11\r\n', '4f9d6a10-0a53-4e86-8b9a-6b6e2a1d9a11'],
    ['5701234567890', null],
    ['1234567890123456', null],
    ['', null],
  ])('or scanned as %s is the beacon %s', (scanned, beaconId) =>
    expect(beaconIdIn(scanned)).toBe(beaconId),
  );
});

describe('a lane whose till is a program', () => {
  const software = Settings.parse({
    ...settings,
    lanes: settings.lanes.map((lane) =>
      lane.id === '1' ? { ...lane, till: { protocol: 'http' } } : lane,
    ),
  });
  const tls = { certificate: '/etc/tls/till.pem', key: '/etc/tls/till.key' };
  const program: KeptTill = {
    transport: 'http',
    host: '192.168.1.20',
    port: 4_443,
    tls,
    origins: ['https://till.example'],
    nexo: null,
    names: ['till-1.shop.example'],
  };
  const tillToken: Draft['tillToken'] = {
    tokenId: '5a1e0000-0000-4000-8000-000000000001',
    name: 'Kiosk',
    scopes: ['pay'],
    sha256: 'ab'.repeat(32),
    madeAtMs: 1,
  };
  const settingsOf = (draft: Draft, inUse: Settings): Settings =>
    settingsWith(inUse, draft as WholeDraft).settings;

  test('is taken up as it is in use, and is not changed when nothing is', () => {
    const draft = draftOf(software, '1');
    expect(draft.till).toEqual({
      transport: 'http',
      host: '127.0.0.1',
      port: 4_182,
      tls: null,
      origins: [],
      nexo: null,
      names: [],
    });
    expect(parseSettings(settingsOf(draft, software), {}).lanes[0]?.till).toEqual({
      protocol: 'http',
    });
  });

  test('says where its till finds this computer, and keeps what setup does not ask of that', () => {
    const api = {
      host: '127.0.0.1',
      port: 4_182,
      names: ['old.example'],
      origins: ['https://old.example'],
    };
    const changed = parseSettings(
      settingsOf({ ...draftOf(software, '1'), till: program }, { ...software, api }),
      {},
    );
    expect(changed.api).toEqual({
      host: '192.168.1.20',
      port: 4_443,
      tls: { certificate: tls.certificate, key: { file: tls.key } },
      names: ['till-1.shop.example', 'old.example'],
      origins: ['https://till.example'],
    });
    const back = settingsOf(
      { ...draftOf(software, '1'), till: { ...program, host: '127.0.0.1', tls: null } },
      changed,
    );
    expect(back.api?.tls).toBeUndefined();
  });

  test('has its token in the draft alone, which is gone with another kind of till and is never shown', () => {
    const draft: Draft = { ...draftOf(software, '1'), tillToken };
    const changedTo = (value: KeptTill) =>
      withStep(draft, { step: 'till', value, unheard: false }).tillToken;
    expect([changedTo(program), changedTo(till)]).toEqual([tillToken, null]);
    expect(draftOf(software, '1').tillToken).toBeNull();
    expect(JSON.stringify(shownDraft(draft))).not.toContain(tillToken.sha256);
  });

  const shared = { identifier: 'shop', version: 3, passphrase: 'correct horse battery' };
  const nexo = { poiId: 'Tillbeacon-1', key: shared };

  test('speaks Nexo with a shared key, whose passphrase goes in and never comes out', () => {
    const draft = draftOf(
      settingsOf({ ...draftOf(software, '1'), till: { ...program, nexo } }, software),
      '1',
    );
    expect(draft.till).toMatchObject({ nexo });
    const shown = shownDraft(draft);
    expect(shown.till).toMatchObject({
      nexo: { poiId: 'Tillbeacon-1', key: { identifier: 'shop', version: 3, hasPassphrase: true } },
    });
    expect(JSON.stringify(shown)).not.toContain('horse');
    const asks = (passphrase: string | null) =>
      keptOf(
        TillInput.parse({ transport: 'http', nexo: { ...nexo, key: { ...shared, passphrase } } }),
        draft.till,
      ) as typeof program;
    expect(asks(null)).toMatchObject({ nexo });
    expect(asks('another passphrase')).toMatchObject({
      nexo: { key: { passphrase: 'another passphrase' } },
    });
    expect(
      keptOf(TillInput.parse({ transport: 'http', nexo: { poiId: 'x' } }), draft.till),
    ).toMatchObject({ nexo: { poiId: 'x', key: null } });
    // A till with a shared key has no token.
    expect(
      withStep(
        { ...draft, tillToken },
        { step: 'till', value: { ...program, nexo }, unheard: true },
      ).tillToken,
    ).toBeNull();
    expect(
      withStep(
        { ...draft, tillToken },
        { step: 'till', value: { ...program, nexo: { poiId: 'x', key: null } }, unheard: true },
      ).tillToken,
    ).toBe(tillToken);
  });

  test('is exported without its passphrase, and is not whole before there is one again', () => {
    const withNexo = settingsOf(
      { ...draftOf(software, '1'), till: { ...program, nexo } },
      software,
    );
    const text = Buffer.from(exportLane(withNexo, '1').content).toString();
    expect(text).not.toContain('horse');
    const { draft } = importLane(text, null);
    expect(draft.till).toMatchObject({
      nexo: { poiId: 'Tillbeacon-1', key: { identifier: 'shop', version: 3, passphrase: null } },
    });
    expect(nextStep({ ...draft, language: 'da', wallet: { kind: 'simulator' } })).toBe('till');
    // In this draft the lane has the settings.
    expect(importLane(text, withNexo).draft.till).toMatchObject({ nexo });
  });

  test('is exported with its address, and imported to where other such tills find a counter already', () => {
    const withApi = settingsOf({ ...draftOf(software, '1'), till: program }, software);
    const text = Buffer.from(exportLane(withApi, '1').content).toString();
    expect(importLane(text, null).draft.till).toEqual({ ...program, names: [] });
    expect(importLane(text, null).hadPassword).toBe(false);
    expect(importLane(text, software).draft.till).toEqual(draftOf(software, '1').till);
  });
});

describe('a change to the ePayment service', () => {
  const unit = {
    kind: 'epayment',
    environment: 'production',
    country: 'DK',
    merchantSerialNumber: '1234567',
    clientId: 'me',
    clientSecret: 'very secret',
    subscriptionKey: 'key',
    secondSubscriptionKey: null,
    code: 'picture',
    baseUrl: null,
    provenAtMs: null,
  } as const;
  const changed = withStep(draftOf(settings, '1'), { step: 'wallet', value: unit });

  test('needs no store, and keeps the service before with what its payments need', () => {
    expect(changed.store).toBeNull();
    if (!isWhole(changed)) throw new Error(`${nextStep(changed)} is missing`);
    const { settings: next } = settingsWith(settings, changed);
    const {
      kind: _kind,
      baseUrl: _none,
      provenAtMs: _never,
      secondSubscriptionKey: _second,
      ...keys
    } = unit;
    expect(next).toMatchObject({
      wallet: { service: 'epayment', ...keys },
      formerWallet: settings.wallet,
      lanes: [{ pointOfSale: { storeId } }, { pointOfSale: { storeId } }],
    });
    expect(() => Settings.parse(next)).not.toThrow();
  });

  test('of a counter that uses it already keeps the one before it', () => {
    if (!isWhole(changed)) throw new Error('not whole');
    const first = settingsWith(settings, changed).settings;
    const again = withStep(draftOf(first, '2'), {
      step: 'wallet',
      value: { ...unit, subscriptionKey: 'another key' },
    });
    if (!isWhole(again)) throw new Error(`${nextStep(again)} is missing`);
    expect(settingsWith(first, again).settings).toMatchObject({
      wallet: { subscriptionKey: 'another key' },
      formerWallet: settings.wallet,
    });
  });

  test('begins without scanners; a lane of that service that has one keeps it', () => {
    if (!isWhole(changed)) throw new Error('not whole');
    const flows = ({ lanes }: Settings) => lanes.map(({ flow }) => flow);
    const withScanners = (of: Settings): Settings => ({
      ...of,
      lanes: of.lanes.map((lane) => ({ ...lane, flow: 'prepare' })),
    });
    const first = settingsWith(withScanners(settings), changed).settings;
    expect(flows(first)).toEqual(['initiate', 'initiate']);
    const again = draftOf(withScanners(first), '1');
    if (!isWhole(again)) throw new Error(`${nextStep(again)} is missing`);
    expect(flows(settingsWith(withScanners(first), again).settings)).toEqual([
      'prepare',
      'prepare',
    ]);
  });

  test('keeps the stickers of its lanes, which the point-of-sale interface does not have', () => {
    if (!isWhole(changed)) throw new Error('not whole');
    const begun = settingsWith(settings, changed).settings;
    const withStickers = {
      ...begun,
      receiver: { url: 'https://callbacks.example', token: 'x'.repeat(32) },
      lanes: begun.lanes.map((lane) => ({
        ...lane,
        flow: 'prepare' as const,
        checkInFirst: true,
        sticker: { id: `sticker-${lane.id}` },
        scanner: { path: `COM${lane.id}`, baudRate: 9600 as const },
      })),
    };
    const again = draftOf(withStickers, '1');
    if (!isWhole(again)) throw new Error(`${nextStep(again)} is missing`);
    const { settings: kept } = settingsWith(withStickers, again);
    expect(kept).toMatchObject({
      receiver: withStickers.receiver,
      lanes: [
        { sticker: { id: 'sticker-1' }, scanner: { path: 'COM1' }, checkInFirst: true },
        { sticker: { id: 'sticker-2' }, scanner: { path: 'COM2' } },
      ],
    });
    expect(() => Settings.parse(kept)).not.toThrow();
    const back = settingsWith(withStickers, {
      ...again,
      wallet: draftOf(settings, '1').wallet ?? again.wallet,
      store: draftOf(settings, '1').store,
    }).settings;
    expect(JSON.stringify(back.lanes)).not.toMatch(/sticker|scanner/);
    expect(() => Settings.parse(back)).not.toThrow();
  });

  test('is exported without keys, and shown without them', () => {
    if (!isWhole(changed)) throw new Error('not whole');
    const inUse = settingsWith(settings, changed).settings;
    const shown = JSON.stringify([
      shownDraft(changed),
      Buffer.from(exportLane(inUse, '1').content).toString(),
    ]);
    expect(shown).not.toMatch(/very secret|"key"/);
    expect(
      importLane(Buffer.from(exportLane(inUse, '1').content).toString(), null).draft,
    ).toMatchObject({
      wallet: { kind: 'epayment', clientSecret: null, subscriptionKey: null },
    });
  });
});
