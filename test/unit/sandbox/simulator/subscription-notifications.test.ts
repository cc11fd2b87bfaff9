/**
 * What users hear of their subscriptions: push notifications, which agreements and users switch,
 * and SMS about failing payments.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nextLocalTime } from '../../../../main/sandbox/simulator/local-time.ts';
import { Merchant, user } from './subscriptions-support.ts';

let shop: Merchant;
beforeEach(async () => {
  shop = await new Merchant().start();
});
afterEach(() => shop.stop());

interface State {
  readonly agreements: readonly {
    readonly agreementId: string;
    readonly status: string;
    readonly notificationsOn: boolean;
    readonly notificationsManaged: boolean;
  }[];
  readonly notices: readonly { readonly at: string; readonly isPushed: boolean }[];
  readonly textMessages: readonly {
    readonly paymentId: string;
    readonly phoneNumber: string;
    readonly at: string;
  }[];
}
interface Section {
  readonly title: string;
  readonly rows: readonly {
    readonly cells: readonly string[];
    readonly actions: readonly { readonly label: string }[];
  }[];
}
const state = (): State =>
  (shop.service.simulator.state() as { subscriptions: State }).subscriptions;
const agreementOf = (id: string) =>
  state().agreements.find(({ agreementId }) => agreementId === id);
const rowOf = async (table: string): Promise<Section['rows'][number] | undefined> => {
  const { body } = await shop.call('GET', '/simulator/glance');
  return (body as unknown as { sections: Section[] }).sections.find(({ title }) => title === table)
    ?.rows[0];
};
const accept = (agreementId: string, about: object = {}) =>
  shop.call('PATCH', `/recurring-payments/api/agreements/v1/${agreementId}`, {
    status: 'Accepted',
    ...about,
  });
const choose = (agreementId: string, notificationsOn: boolean) =>
  shop.testEndpoint('set-notifications', { agreementId, notificationsOn });
/** A payment that the empty card of the user cannot pay on 2026-11-23. */
const unpaid = async (
  agreementId: string,
  phoneNumber = user,
  about: object = {},
): Promise<string> => {
  await shop.testEndpoint('set-user', { phoneNumber, balanceMinor: 0 });
  return shop.requested(agreementId, about);
};

describe('an agreement without notification management', () => {
  const fixed = { disable_notification_management: true };

  test('offers its user no choice, neither at sign-up nor later', async () => {
    const agreementId = await shop.pendingAgreement(fixed);
    const refused = await accept(agreementId, { notifications_on: false });
    expect(refused).toMatchObject({
      status: 412,
      body: { message: expect.stringContaining('notifications') },
    });
    expect(agreementOf(agreementId)).toMatchObject({
      status: 'Pending',
      notificationsOn: true,
      notificationsManaged: false,
    });
    // Repeating the agreement's current choice changes nothing.
    expect(await accept(agreementId, { notifications_on: true })).toMatchObject({ status: 204 });
    expect(await choose(agreementId, false)).toMatchObject({ status: 409 });
    expect(agreementOf(agreementId)).toMatchObject({ status: 'Accepted', notificationsOn: true });
    const row = await rowOf('Agreements');
    expect(row?.cells).toContain('on, fixed');
    expect(row?.actions.map(({ label }) => label)).toEqual(['Cancel']);
  });

  test('keeps what the merchant set', async () => {
    const agreementId = await shop.acceptedAgreement({ ...fixed, notifications_on: false });
    expect(agreementOf(agreementId)).toMatchObject({
      notificationsOn: false,
      notificationsManaged: false,
    });
  });
});

describe('the notifications of an agreement', () => {
  test('are on unless the merchant says otherwise, and the user’s choice at sign-up counts', async () => {
    const on = async (about: object, decision: object): Promise<boolean | undefined> => {
      const agreementId = await shop.pendingAgreement(about);
      expect(await accept(agreementId, decision)).toMatchObject({ status: 204 });
      return agreementOf(agreementId)?.notificationsOn;
    };
    expect(await on({}, {})).toBe(true);
    expect(await on({ notifications_on: null, disable_notification_management: null }, {})).toBe(
      true,
    );
    expect(await on({ notifications_on: false }, {})).toBe(false);
    expect(await on({ notifications_on: false }, { notifications_on: true })).toBe(true);
    expect(await on({}, { notifications_on: false })).toBe(false);
  });

  test('that are off leave notices in the app, and push none', async () => {
    const agreementId = await shop.acceptedAgreement();
    await unpaid(agreementId, user, { grace_period_days: 2 });
    await shop.until('2026-11-23T08:30:00');
    expect((await rowOf('Agreements'))?.actions.map(({ label }) => label)).toContain(
      'Notifications off',
    );
    expect(await choose(agreementId, false)).toMatchObject({ status: 200 });
    await shop.until('2026-11-24T08:30:00');
    expect(state().notices.map(({ isPushed }) => isPushed)).toEqual([true, false]);
    expect((await rowOf('Notices to users'))?.cells.at(-1)).toMatch(/\(not pushed\)$/);
  });

  test.each([
    ['4.99.0', true],
    ['5.0.0', false],
    ['10.1.0', false],
  ])('are switched off for app version %s: %o pushed', async (appVersion, isPushed) => {
    const agreementId = await shop.acceptedAgreement({ notifications_on: false });
    await shop.testEndpoint('set-user', { phoneNumber: user, appVersion });
    await unpaid(agreementId);
    await shop.until('2026-11-23T08:30:00');
    expect(state().notices).toMatchObject([{ isPushed }]);
    expect((await rowOf('Agreements'))?.cells.at(-1)).toBe(
      isPushed ? 'off, the old app pushes' : 'off',
    );
  });
});

describe('an SMS about a failing payment', () => {
  const finnish = '+358200318001';
  test('is sent at 10:00 in Denmark and at 11:00 in Finland, on each day on which the payment fails', async () => {
    const danish = await unpaid(await shop.acceptedAgreement(), user, { grace_period_days: 2 });
    const inFinland = await unpaid(
      await shop.acceptedAgreement({ country_code: 'FI', currency: 'EUR' }),
      finnish,
    );
    await shop.until('2026-11-23T08:59:59');
    expect(state().textMessages).toEqual([]);
    await shop.until('2026-11-25T12:00:00');
    expect(state().textMessages).toEqual([
      { paymentId: danish, phoneNumber: user, at: '2026-11-23T09:00:00.000Z' },
      { paymentId: inFinland, phoneNumber: finnish, at: '2026-11-23T09:00:00.000Z' },
      { paymentId: danish, phoneNumber: user, at: '2026-11-24T09:00:00.000Z' },
    ]);
    expect((await rowOf('SMS to users'))?.cells).toContain(user);
  });

  test('is not sent for a payment that was taken or paid by hand in time', async () => {
    const paymentId = await unpaid(await shop.acceptedAgreement());
    await shop.until('2026-11-23T08:59:00');
    await shop.testEndpoint('set-user', { phoneNumber: user, balanceMinor: null });
    await shop.testEndpoint('pay-by-hand', { paymentId });
    await shop.until('2026-11-24T12:00:00');
    expect(state().textMessages).toEqual([]);
  });

  test.each([
    ['winter', '2026-11-23T05:00:00Z', '2026-11-23T09:00:00Z'],
    ['summer', '2026-07-01T05:00:00Z', '2026-07-01T08:00:00Z'],
    ['the day on which summer time begins', '2027-03-28T00:30:00Z', '2027-03-28T08:00:00Z'],
    ['the evening before that day', '2027-03-27T09:00:00Z', '2027-03-28T08:00:00Z'],
    ['the day on which summer time ends', '2026-10-25T00:30:00Z', '2026-10-25T09:00:00Z'],
    ['that very time', '2026-11-23T09:00:00Z', '2026-11-24T09:00:00Z'],
    ['a day that has begun there and not in UTC', '2026-11-23T23:30:00Z', '2026-11-24T09:00:00Z'],
  ])('follows the local time: %s', (_, now, then) => {
    const next = (timeZone: string, hours: number) =>
      new Date(nextLocalTime(Date.parse(now), timeZone, hours, 0)).toISOString();
    expect(next('Europe/Copenhagen', 10)).toBe(new Date(then).toISOString());
    expect(next('Europe/Helsinki', 11)).toBe(new Date(then).toISOString());
  });
});
