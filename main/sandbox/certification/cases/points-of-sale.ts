/** B. Onboarding: points of sale. */
import { beaconTypes as documented } from '../../../core/domain/beacons.ts';
import { InvalidRequestError, ServiceRefusedError } from '../../../wallets/http/errors.ts';
import type { CaseDefinition } from '../case.ts';
import { broken, each, notShown, holds } from '../finding.ts';
import { answered, of, repeats } from '../checks.ts';
import { answeredField, headerOf, isAnswered, sentField } from '../exchange.ts';
import { headerNames } from '../../../wallets/v10/v10-profile.ts';

/** The checklist's "times out (200 after a delay)": the delay is longer than a client may wait. */
const late = { kind: 'delay', delayMs: 2_600 } as const;
const documentedTypes: ReadonlySet<unknown> = new Set(documented);

export const createPointOfSale: CaseDefinition = {
  id: '3',
  title: 'Create a point of sale through a time-out and a 500',
  async run(harness) {
    const operation = 'createPointOfSale';
    harness.inject({ operation, ...late }, { operation, kind: 'status500' });
    const settings = harness.newPointOfSale();
    const { posId } = await harness.open(settings);
    return { posId, foundAgain: (await harness.open(settings)).posId };
  },
  rules: [
    repeats('createPointOfSale'),
    {
      says: 'however often it is asked for, one point of sale comes of it, and a client that starts again finds it by its merchantPosId',
      source: 'document 4, sections 1.8 and 1.9',
      kind: 'outcome',
      look({ own, profile }) {
        const creates = of(own, 'createPointOfSale');
        const keys = new Set(
          creates.map((exchange) => headerOf(exchange, headerNames(profile).idempotencyKey)),
        );
        if (keys.size !== 1) return broken(`${keys.size} idempotency keys for one wish`, creates);
        const last = of(own, 'listPointsOfSale')
          .filter((exchange) => isAnswered(exchange))
          .at(-1);
        const listed = last && answeredField(last, 'posIds');
        const posIds: unknown[] = Array.isArray(listed) ? listed : [];
        return posIds.length === 1
          ? holds(`the list holds ${String(posIds[0])}`, last ? [last] : [])
          : broken(`the list holds ${posIds.length}`, creates);
      },
    },
  ],
};

export const deletePointOfSale: CaseDefinition = {
  id: '4',
  title: 'Delete a point of sale through a time-out and a 500',
  async run(harness) {
    const { posId } = await harness.open(harness.newPointOfSale());
    const operation = 'deletePointOfSale';
    harness.inject({ operation, ...late }, { operation, kind: 'status500' });
    await harness.client.deletePointOfSale({ posId }).catch(goneIsDone);
    harness.removed(posId);
    await harness.client.getPointOfSale({ posId }).catch(goneIsDone);
    return { posId };
  },
  rules: [
    repeats('deletePointOfSale'),
    {
      says: 'afterwards the point of sale is gone',
      source: 'document 4, sections 1.1 and 8',
      kind: 'outcome',
      look({ own }) {
        const last = of(own, 'getPointOfSale').at(-1);
        if (last === undefined)
          return broken('it was not looked for', of(own, 'deletePointOfSale'));
        return isAnswered(last, 404)
          ? holds('reading it is answered with 404', [last])
          : broken(`reading it is answered with ${last.answer?.status}`, [last]);
      },
    },
  ],
};

export const sharedPointOfSale: CaseDefinition = {
  id: '5',
  title: 'Create the point of sale that the other cases use',
  async run(harness) {
    const { posId, qr } = await harness.counter();
    return { posId, qr };
  },
  rules: [
    answered('createPointOfSale'),
    {
      says: "callbackAlias leaves as the lane's settings have it, and is read back",
      source: 'document 2, "Point of sale"; document 4, section 1.14',
      kind: 'conduct',
      look({ own, callbackAlias }) {
        const sent = of(own, 'createPointOfSale');
        const other = sent.find(
          (exchange) => (sentField(exchange, 'callbackAlias') ?? null) !== callbackAlias,
        );
        if (other !== undefined)
          return broken(
            `request ${other.number} carries ${String(sentField(other, 'callbackAlias'))}`,
            [other],
          );
        const read = of(own, 'getPointOfSale').filter((exchange) => isAnswered(exchange));
        const lost = read.find(
          (exchange) => (answeredField(exchange, 'callbackAlias') || null) !== callbackAlias,
        );
        if (lost !== undefined)
          return broken(`the service answers ${String(answeredField(lost, 'callbackAlias'))}`, [
            lost,
          ]);
        return holds(callbackAlias ?? 'the settings have none, and none was sent', [
          ...sent,
          ...read,
        ]);
      },
    },
    {
      says: 'its beacon is read back, and the QR code names the beacon, not the point of sale',
      source: 'document 4, section 1.6',
      kind: 'outcome',
      look({ own, evidence, profile }) {
        const read = of(own, 'getPointOfSale').find((exchange) => isAnswered(exchange));
        if (read === undefined) return broken('the point of sale was not read', own);
        const beaconId = String(answeredField(read, 'beaconId'));
        const qr = evidence['qr'];
        if (qr === null) return notShown('the point of sale has no QR beacon');
        return qr === profile.qrTemplate.replace('{beaconId}', beaconId)
          ? holds(qr, [read])
          : broken(`the QR code says ${JSON.stringify(qr)}`, [read]);
      },
    },
  ],
};

export const beaconTypes: CaseDefinition = {
  id: '6',
  title: 'Only documented beacon types',
  async run(harness) {
    const { storeId, name, merchantPosId } = harness.newPointOfSale();
    // A type that the client's own schema refuses, on purpose.
    const body = {
      storeId,
      name,
      merchantPosId,
      supportedBeaconTypes: ['BluetoothMP1' as 'Bluetooth'],
    };
    const sentBefore = harness.recorder.exchanges.length;
    const error = await harness.client
      .createPointOfSale({ body }, { idempotencyKey: harness.uuid() })
      .catch((reason: unknown) => reason);
    const refused = error instanceof InvalidRequestError ? error.message : null;
    return {
      withdrawnTypeRefused: refused,
      requestsSent: harness.recorder.exchanges.length - sentBefore,
    };
  },
  rules: [
    {
      says: 'every point of sale is created with QR, NFC and Bluetooth alone, none of them twice',
      source: 'document 4, section 1.6',
      kind: 'conduct',
      look: ({ all }) =>
        each(
          of(all, 'createPointOfSale'),
          (exchange) => {
            const types = sentField(exchange, 'supportedBeaconTypes');
            if (!Array.isArray(types) || types.length === 0 || new Set(types).size < types.length)
              return `supportedBeaconTypes is ${JSON.stringify(types)}`;
            const unknown: unknown = types.find((type) => !documentedTypes.has(type));
            return unknown === undefined
              ? null
              : `${JSON.stringify(unknown)} is no documented beacon type`;
          },
          'request',
          ' to create one',
        ),
    },
    {
      says: 'a withdrawn type, BluetoothMP1, is refused by the client itself and never sent',
      source: 'document 4, section 1.6',
      kind: 'conduct',
      look({ own, evidence }) {
        const refused = evidence['withdrawnTypeRefused'];
        return typeof refused === 'string' && evidence['requestsSent'] === 0
          ? holds(refused)
          : broken('it was sent', own);
      },
    },
  ],
};

/** A deletion that is repeated after a lost answer is answered 404. */
function goneIsDone(error: unknown): void {
  if (!(error instanceof ServiceRefusedError) || error.status !== 404) throw error;
}
