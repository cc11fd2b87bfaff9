import { createServer } from 'node:net';
import { type ServiceName, serviceNames } from '../../core/domain/sale.ts';
import { listenOn } from '../../core/domain/listening-port.ts';
import { defaultPorts } from '../../core/domain/default-ports.ts';
import { parseSettings, type ReadySettings } from '../settings/load.ts';
import { SettingsError } from '../../support/settings/settings-error.ts';

/**
 * One counter with the embedded simulator: a till of your own can connect to it too. @param service
 * which of the simulated services takes the payments
 */
export async function demoSettings(service: ServiceName): Promise<ReadySettings> {
  const port = (await isFree(defaultPorts.zvt)) ? defaultPorts.zvt : 0;
  const pointOfSale = {
    merchantPosId: 'demo-lane-1',
    storeId: 'd3500000-0000-4000-8000-000000000001',
    name: 'Check-out 1',
    beaconTypes: ['QR'],
  };
  const till = { protocol: 'zvt', transport: 'tcp', port };
  return parseSettings(
    {
      wallet: { simulator: true, service },
      lanes: [{ id: '1', name: 'Check-out 1', currency: 'DKK', pointOfSale, till }],
    },
    {},
  );
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const served = await listenOn(probe, 'a till', { host: '127.0.0.1', port }).catch(() => null);
  if (served === null) return false;
  await new Promise((resolve) => probe.close(resolve));
  return true;
}

/** The service that a command line names. @throws SettingsError */
export function serviceNamed(text: string): ServiceName {
  const service = serviceNames.find((name) => name === text);
  if (service === undefined)
    throw new SettingsError([`--service: must be ${serviceNames.join(' or ')}, got ${text}`]);
  return service;
}
