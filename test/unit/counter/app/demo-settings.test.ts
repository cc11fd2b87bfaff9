import { expect, test } from 'vitest';
import { serviceNamed } from '../../../../main/counter/app/demo-settings.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';

test('a service that there is not ends the command as a mistake of whoever typed it', () => {
  expect(serviceNamed('epayment')).toBe('epayment');
  const mistake = (): unknown => serviceNamed('v11');
  expect(mistake).toThrow(SettingsError);
  expect(mistake).toThrow('--service: must be v10 or epayment, got v11');
});
