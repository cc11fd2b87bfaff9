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
  draftView,
  type WholeDraft,
  withCallbackOf,
  withStep,
} from '../../../../main/counter/setup/draft.ts';
import { draftTillFrom } from '../../../../main/counter/setup/draft-till.ts';
import { exportLane, importLane } from '../../../../main/counter/setup/lane-file.ts';
import {
  storeId,
  settings,
  store,
  pointOfSale,
  asked,
  keptLine,
  till,
  withNetwork,
  service,
} from './draft-support.ts';

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
      withStep(tested, {
        step: 'till',
        value: draftTillFrom(asked(about), tested.till),
        unheard: false,
      }).tested;
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
    expect(JSON.stringify(draftView(draftOf(settings, '1')))).not.toMatch(
      /secret"?:"|very secret|also secret/,
    );
    expect(draftView(draftOf(settings, '1')).wallet).toMatchObject({
      hasSecret: true,
      hasReportingKey: true,
    });
    expect(JSON.stringify(draftView(draftOf(withNetwork, '2')))).not.toContain('192837');
    expect(draftView(draftOf(withNetwork, '2')).till).toMatchObject({
      hasPassword: true,
      refunds: 50_000,
      from: ['192.168.1.40'],
    });
    expect(draftView(draftOf(settings, '1')).till).toMatchObject({
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
      draftView(changed),
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
