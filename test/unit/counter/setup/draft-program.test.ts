import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { Settings } from '../../../../main/counter/settings/schema.ts';
import {
  Draft,
  draftOf,
  nextStep,
  settingsWith,
  draftView,
  type WholeDraft,
  withStep,
} from '../../../../main/counter/setup/draft.ts';
import { draftTillFrom, type DraftTill } from '../../../../main/counter/setup/draft-till.ts';
import { exportLane, importLane } from '../../../../main/counter/setup/lane-file.ts';
import { TillInput } from '../../../../preload/procedures/setup-fields.ts';
import { settings, till } from './draft-support.ts';

describe('a lane whose till is a program', () => {
  const software = Settings.parse({
    ...settings,
    lanes: settings.lanes.map((lane) =>
      lane.id === '1' ? { ...lane, till: { protocol: 'http' } } : lane,
    ),
  });
  const tls = { certificate: '/etc/tls/till.pem', key: '/etc/tls/till.key' };
  const program: DraftTill = {
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
    const changedTo = (value: DraftTill) =>
      withStep(draft, { step: 'till', value, unheard: false }).tillToken;
    expect([changedTo(program), changedTo(till)]).toEqual([tillToken, null]);
    expect(draftOf(software, '1').tillToken).toBeNull();
    expect(JSON.stringify(draftView(draft))).not.toContain(tillToken.sha256);
  });

  const shared = { identifier: 'shop', version: 3, passphrase: 'correct horse battery' };
  const nexo = { poiId: 'Tillbeacon-1', key: shared };

  test('speaks Nexo with a shared key, whose passphrase goes in and never comes out', () => {
    const draft = draftOf(
      settingsOf({ ...draftOf(software, '1'), till: { ...program, nexo } }, software),
      '1',
    );
    expect(draft.till).toMatchObject({ nexo });
    const shown = draftView(draft);
    expect(shown.till).toMatchObject({
      nexo: { poiId: 'Tillbeacon-1', key: { identifier: 'shop', version: 3, hasPassphrase: true } },
    });
    expect(JSON.stringify(shown)).not.toContain('horse');
    const asks = (passphrase: string | null) =>
      draftTillFrom(
        TillInput.parse({ transport: 'http', nexo: { ...nexo, key: { ...shared, passphrase } } }),
        draft.till,
      ) as typeof program;
    expect(asks(null)).toMatchObject({ nexo });
    expect(asks('another passphrase')).toMatchObject({
      nexo: { key: { passphrase: 'another passphrase' } },
    });
    expect(
      draftTillFrom(TillInput.parse({ transport: 'http', nexo: { poiId: 'x' } }), draft.till),
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
