import { describe, expect, test } from 'vitest';
import { caseOf, certifyElsewhere, elsewhere, pathOf, spoiledBy } from './certification-support.ts';

describe.concurrent('at a service that we cannot make fail', () => {
  test('what was not seen is not passed: no failure came, so nothing is known about repetitions', async ({
    onTestFinished,
  }) => {
    const simulator = await elsewhere(onTestFinished);
    const report = await certifyElsewhere(['3', '7', '9', '18', '19'], simulator, null);
    expect(report.cases.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['3', 'notShown'],
      ['7', 'notShown'],
      ['9', 'passed'],
      ['18', 'notShown'],
      ['19', 'notShown'],
    ]);
    expect(caseOf(report, '7').rules[0]).toMatchObject({
      verdict: 'notShown',
      detail: expect.stringContaining('timeout and 500 did not happen') as string,
    });
  });

  test('failures that it brings about by itself count as well', async ({ onTestFinished }) => {
    const simulator = await elsewhere(onTestFinished);
    for (const kind of ['timeoutAfter', 'status500'] as const)
      for (const operation of ['initiatePayment', 'capturePayment'])
        simulator.faults.add({ operation, kind });
    expect(caseOf(await certifyElsewhere(['7'], simulator, null), '7').verdict).toBe('passed');
  });

  const withoutSimulation = {
    spoil: spoiledBy(async (request, send) =>
      pathOf(request).includes('usersimulation')
        ? { status: 404, retryAfterMs: null, body: '' }
        : send(request),
    ),
  };

  test('without a simulated customer, and with nobody to ask, the case is not shown', async ({
    onTestFinished,
  }) => {
    const simulator = await elsewhere(onTestFinished);
    const { verdict, ended, rules } = caseOf(
      await certifyElsewhere(['9'], simulator, null, withoutSimulation),
      '9',
    );
    expect({ verdict, ended }).toEqual({
      verdict: 'notShown',
      ended: expect.stringContaining('nobody is at a terminal') as string,
    });
    expect(rules.map((rule) => rule.verdict)).not.toContain('broken');
  });

  test('without any customer no case fails: nothing is known about the client where it was not driven', async ({
    onTestFinished,
  }) => {
    const simulator = await elsewhere(onTestFinished);
    simulator.faults.add({
      operation: 'simulateCheckIn',
      kind: 'status409',
      code: '1099',
      times: 1_000,
    });
    const report = await certifyElsewhere(undefined, simulator, null);
    expect(report.cases.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(caseOf(report, '9').verdict).toBe('notShown');
  });

  test('without a simulated customer a person is asked to do it, and it is shown', async ({
    onTestFinished,
  }) => {
    const simulator = await elsewhere(onTestFinished);
    const requests: string[] = [];
    const operator = (instruction: string): Promise<void> => {
      requests.push(instruction);
      const beaconId = [...simulator.world.pointsOfSale.values()].at(-1)?.beaconId as string;
      simulator.phone(
        instruction.startsWith('Check in') ? 'checkin' : 'refuse',
        beaconId,
        '+4520031801',
      );
      return Promise.resolve();
    };
    expect(
      caseOf(await certifyElsewhere(['9'], simulator, operator, withoutSimulation), '9').verdict,
    ).toBe('passed');
    expect(requests).toEqual([
      expect.stringMatching(
        /^Check in with the test phone \+4520031801 \(credit\) at beacon [0-9a-f-]{36} and press Enter$/,
      ),
      expect.stringMatching(/^Cancel the payment on the test phone \+4520031801 and press Enter$/),
    ]);
  });

  test('that takes no capture, the cases with one fail and the others do not', async ({
    onTestFinished,
  }) => {
    const simulator = await elsewhere(onTestFinished);
    simulator.faults.add({
      operation: 'capturePayment',
      kind: 'status409',
      code: '1304',
      times: 1_000,
    });
    const report = await certifyElsewhere(['7', '9', '12', '16'], simulator, null);
    expect(
      report.cases
        .filter(({ verdict }) => verdict === 'failed')
        .map(({ id, ended }) => [id, ended]),
    ).toEqual(['7', '12', '16'].map((id) => [id, expect.stringContaining('1304')]));
    expect(
      [...simulator.world.payments.values()]
        .map(({ status }) => status)
        .filter((status) => !status.startsWith('Cancelled')),
    ).toEqual([]);
  });
});

test.concurrent.for(['3', '9', '14', '16'])(
  'interrupted in case %s, the run leaves nothing open and certifies nothing',
  async (id, { expect, onTestFinished }) => {
    const simulator = await elsewhere(onTestFinished);
    const stop = new AbortController();
    const spoil = spoiledBy(async (request, send) => {
      const answer = await send(request);
      // In the middle of a case: something was created whose answer may never be read.
      if (
        request.method === 'POST' &&
        /pointofsales$|payments$|prepare$|refunds$/.test(pathOf(request)) &&
        (id === '3' || !pathOf(request).endsWith('pointofsales'))
      )
        stop.abort(new Error('interrupted'));
      return answer;
    });
    expect(
      await certifyElsewhere([id], simulator, null, { interrupted: stop.signal, spoil }),
    ).toBeNull();
    const { payments, pointsOfSale } = simulator.world;
    expect([...pointsOfSale.values()].map(({ deleted }) => deleted)).toEqual(
      [...pointsOfSale.values()].map(() => true),
    );
    expect(
      [...payments.values()].filter(({ status }) => !/^(Captured|Cancelled)/.test(status)),
    ).toEqual([]);
    expect(pointsOfSale.size).toBeGreaterThan(0);
  },
);
