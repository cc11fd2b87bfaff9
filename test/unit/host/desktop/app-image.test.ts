import { expect, test } from 'vitest';
import { sandboxWarning } from '../../../../main/host/desktop/app-image.ts';

const image = '/home/shop/Tillbeacon.AppImage';
const apparmor = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
const system =
  (settings: Readonly<Record<string, string>>) =>
  (path: string): string | null =>
    settings[path] ?? null;

test.each([
  ['Ubuntu 24.04', { [apparmor]: '1\n' }],
  ['a hardened Debian', { '/proc/sys/kernel/unprivileged_userns_clone': '0\n' }],
  ['a system without namespaces', { '/proc/sys/user/max_user_namespaces': '0\n' }],
])('on %s an AppImage names the deb, in one line', (_which, settings) => {
  const warning = sandboxWarning(image, [], system(settings)) ?? '';
  expect(warning).toContain('Install the package tillbeacon-app as a deb');
  expect(warning).toContain(Object.keys(settings)[0]);
  expect(warning).not.toContain('\n');
});

test('so it does when it was started without its sandbox', () => {
  expect(sandboxWarning(image, ['--no-sandbox'], system({}))).toContain('--no-sandbox');
});

test('an installed program, and an AppImage that has its sandbox, say nothing', () => {
  expect(sandboxWarning(null, ['--no-sandbox'], system({ [apparmor]: '1' }))).toBeNull();
  expect(
    sandboxWarning(
      image,
      [],
      system({ [apparmor]: '0', '/proc/sys/user/max_user_namespaces': '15000' }),
    ),
  ).toBeNull();
});
