import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const built = fileURLToPath(new URL('../../out/main/service.js', import.meta.url));
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function service(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built, ...args], {
    encoding: 'utf8',
    ...nobody,
  });
  return { status, stdout, stderr };
}

describe.runIf(process.platform === 'linux')('npm run service', () => {
  test('changes nothing for who is no administrator, and says what it would do', () => {
    const refused = service('install');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^install requires administrator rights: run it with sudo\. To see what it would do, add --print\.\n$/,
    );
    expect(service('uninstall').status).toBe(1);
    const { status, stdout } = service('install', '--print');
    expect(status).toBe(0);
    expect(stdout).toContain(`    ExecStart=${process.execPath} `);
    expect(stdout).toContain('run systemctl enable tillbeacon.service');
  });

  test('says how it is, and explains itself', () => {
    expect([0, 3]).toContain(service('status').status);
    expect(service('wrong')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('there is no command wrong'),
    });
    expect(service('install', '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--print'),
    });
  });
});
