import { expect, test } from 'vitest';
import { desktopTexts } from '../../../../main/host/desktop/texts.ts';
import { statusOf } from '../../../../main/host/desktop/tray-status.ts';

const idle = (name: string) => ({ name, state: { kind: 'idle' as const } });
const notReady = (name: string, reason: 'storageFailed' | 'serviceUnreachable') => ({
  name,
  state: { kind: 'notReady' as const, reason, detail: null },
});

test.each<[string, Parameters<typeof statusOf>[0], boolean, string]>([
  ['all lanes take payments', [idle('1'), idle('2')], true, 'Payments can be taken'],
  [
    'one takes none',
    [idle('1'), notReady('Bakery', 'storageFailed')],
    false,
    'Bakery: this computer’s disk cannot be written',
  ],
  [
    'none takes any',
    [notReady('1', 'serviceUnreachable'), notReady('2', 'storageFailed')],
    false,
    '1: the wallet service does not answer\n2: this computer’s disk cannot be written',
  ],
  ['nothing is set up', [], false, 'Not set up yet'],
  ['the daemon does not answer', null, false, 'The service on this computer does not answer'],
])('where %s, the tray says so', (_when, lanes, takesPayments, words) => {
  expect(statusOf(lanes, desktopTexts.en.tray)).toEqual({ takesPayments, words });
});
