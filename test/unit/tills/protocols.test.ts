import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lineProtocols } from '../../../main/core/domain/line-protocols.ts';
import { defaultPorts } from '../../../main/core/domain/default-ports.ts';
import { protocolOf, tillProtocols } from '../../../main/tills/protocols.ts';

test.each(tillProtocols)('$name has a page for whoever connects such a till', ({ page }) => {
  expect(existsSync(page)).toBe(true);
});

test.each(lineProtocols)('setup offers the port on which tills of %s look', (protocol) => {
  expect(protocolOf({ protocol }).defaultPort).toBe(defaultPorts[protocol]);
});

test('a protocol that is not in the list is named in the error', () => {
  expect(() => protocolOf({ protocol: 'opi' })).toThrow('there is no till protocol opi');
});
