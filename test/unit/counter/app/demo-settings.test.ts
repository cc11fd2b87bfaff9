import { expect, test } from 'vitest';
import { serviceNamed } from '../../../../main/counter/app/demo-settings.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';

test('an unknown service ends the command with a usage error', () => {
  expect(serviceNamed('epayment')).toBe('epayment');
  const mistake = (): unknown => serviceNamed('v11');
  expect(mistake).toThrow(SettingsError);
  expect(mistake).toThrow('--service: must be v10 or epayment, got v11');
});
