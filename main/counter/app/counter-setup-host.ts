import type { Lane } from '../../core/lane/lane.ts';
import { beaconPhone, simulatedPhone } from '../../sandbox/demo/phone.ts';
import type { LaneInUse, SetupHost } from '../setup/setup-host.ts';
import type { Tokens } from '../../tills/http/tokens.ts';
import type { ApiServer } from './api-server.ts';
import type { CounterSupervisor } from './counter-supervisor.ts';
import type { DisplayServer } from './display-server.ts';
import type { Parts } from './parts.ts';
import { openTestCounter } from './test-counter.ts';

interface SetupHostOptions
  extends Pick<SetupHost, 'handOver' | 'requirePerson' | 'starts' | 'canRestore'> {
  readonly supervisor: CounterSupervisor;
  readonly displays: DisplayServer;
  readonly api: ApiServer;
  readonly tokens: Tokens;
  /** Name of a key store that does not open the settings' secrets; null when it does. */
  readonly lockedKeyStore: () => string | null;
}

/** What setup uses of the daemon. */
export function setupHost(
  parts: Parts,
  {
    supervisor,
    displays,
    api,
    tokens,
    handOver,
    requirePerson,
    starts,
    canRestore,
    lockedKeyStore,
  }: SetupHostOptions,
): SetupHost {
  const lane = (laneId: string) => supervisor.counter?.lanes.find(({ id }) => id === laneId);
  return {
    settings: () => supervisor.settings,
    lanes: () =>
      (supervisor.counter?.lanes ?? []).map((lane) => ({
        id: lane.id,
        address: lane.address,
        ...codeOf(lane),
        posId: lane.posId,
      })),
    fileState() {
      const locked = lockedKeyStore();
      return { ...supervisor.fileState, ...(locked !== null && { lockedKeyStore: locked }) };
    },
    secrets: supervisor.secrets,
    recreations: parts.recreations,
    change: (to, replaced) => supervisor.change(to, replaced ?? null),
    displaysPort: () => displays.port(),
    apiPort: () => api.port(),
    tokens,
    handOver,
    requirePerson,
    starts,
    canRestore,
    payByHand(laneId, payment) {
      const answer = lane(laneId)?.payByHand(payment);
      return answer?.accepted === true
        ? { saleId: answer.sale.saleId }
        : { refused: answer?.reason ?? 'notReady' };
    },
    checkIns(laneId) {
      const watch = lane(laneId)?.isOpened === true ? lane(laneId)?.watchCheckIn() : undefined;
      return watch === undefined ? null : { watch, isFree: () => lane(laneId)?.isFree === true };
    },
    checkInSimulated(laneId) {
      const { counter } = supervisor;
      const settings = counter?.settings.lanes.find(({ id }) => id === laneId);
      if (counter === null || counter.simulator === null || settings === undefined) return null;
      beaconPhone(settings.pointOfSale.merchantPosId, counter.simulator).use('scan');
      return simulatedPhone;
    },
    refund(laneId, refund) {
      const answer = lane(laneId)?.refundByManager(refund);
      return answer?.accepted === true
        ? { refundOrderId: answer.refund.refundOrderId }
        : { refused: answer?.reason ?? 'notReady' };
    },
    openTestCounter: (lane, test, changed) =>
      openTestCounter({ lane, api: test, tokens, secrets: supervisor.secrets, changed }, parts),
  };
}

/** The code of the sticker, or else of the point of sale. */
function codeOf(lane: Lane): Pick<LaneInUse, 'qr' | 'picture'> {
  const { qr, sticker } = lane.snapshot();
  const code = sticker?.code ?? null;
  return {
    qr: code?.kind === 'text' ? code.text : qr,
    picture: code?.kind === 'picture' ? code.picture : null,
  };
}
