import { expect, test } from 'vitest';
import { apiAddress } from '../../../../main/core/domain/api-address.ts';
import { bracketed, hostPort } from '../../../../main/core/domain/host-port.ts';

test.each([
  ['192.168.1.10', '192.168.1.10', '192.168.1.10:20007'],
  ['counter.example', 'counter.example', 'counter.example:20007'],
  ['::1', '[::1]', '[::1]:20007'],
  ['fe80::1%eth0', '[fe80::1%eth0]', '[fe80::1%eth0]:20007'],
])('%s stands beside a port as %s', (host, alone, withPort) => {
  expect([bracketed(host), hostPort(host, 20_007)]).toEqual([alone, withPort]);
});

test('the address of the HTTP API is one that a program can open', () => {
  expect(apiAddress(true, { host: 'fd00::10', port: 8443, names: [] })).toBe(
    'https://[fd00::10]:8443',
  );
  expect(apiAddress(true, { host: 'fd00::10', port: 8443, names: ['counter.example'] })).toBe(
    'https://counter.example:8443',
  );
});
