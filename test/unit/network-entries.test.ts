import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'main');
const network = join(main, 'support', 'network.ts');

const sources = readdirSync(main, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join(main, path));

/** Without comments, and without the page that the simulator serves: a browser asks there. */
const codeIn = (path: string): string =>
  readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
const importsOf = (path: string): string[] =>
  [...codeIn(path).matchAll(/(?:from|import\(?) ?'(\.[^']+\.ts)'/g)].map(([, to = '']) =>
    join(dirname(path), to),
  );

function reachedFrom(entry: string): Set<string> {
  const reached = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    if (path.startsWith(main)) open.push(...importsOf(path));
  }
  return reached;
}

/** Ways to connect that Node offers, and libraries for it. */
const connects = [
  /(?<![\w.#])fetch\(|[=:?] fetch\b(?!:)|new WebSocket\(|from '(ky|undici)'/,
  /import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/,
  /import \{[^}]*\bconnect\b[^}]*\} from 'node:(net|tls|http2)'/,
];
const whoConnects = new Set(
  sources.filter((path) => connects.some((way) => way.test(codeIn(path)))),
);
/** Entries of processes and threads: nothing imports them. */
const entries = [
  'main/cli',
  'main/tills/http',
  'main/counter/server',
  'main/counter/monitoring',
  'main/counter/manager/backup',
  'main/counter/manager/reconciliation',
].flatMap((folder) =>
  sources.filter(
    (path) =>
      dirname(path) === join(root, folder) &&
      (folder === 'main/cli' || path.endsWith('/worker.ts')),
  ),
);

it('connects to others in few places', () => {
  expect(
    [...whoConnects].map((path) => relative(root, path).replaceAll('\\', '/')).toSorted(),
  ).toEqual([
    // Through Node, by `agentFor`.
    'main/host/desktop/app-updater.ts',
    // To the daemon on this machine.
    'main/host/desktop/daemon-socket.ts',
    // A page in a browser.
    'main/sandbox/simulator/page.ts',
    // To a terminal, by its address.
    'main/sandbox/till/register.ts',
    // Everything else.
    'main/support/http-client.ts',
  ]);
});

describe('every process and thread that connects to others goes by the one definition of the network', () => {
  it.each(entries.map((entry) => [relative(root, entry)]))('%s', (name) => {
    const reached = reachedFrom(join(root, name));
    const connecting = [...reached].filter(
      (path) => whoConnects.has(path) && !path.endsWith('page.ts'),
    );
    if (connecting.length > 0) expect(reached).toContain(network);
  });

  it.each(['daemon', 'desktop', 'callbacks', 'certify', 'simulator'])(
    'main/cli/%s.ts puts settings or environment in use',
    (name) => {
      const reached = reachedFrom(join(main, 'cli', `${name}.ts`));
      expect([...reached].some((path) => /useNetwork\(networkOf\(/.test(codeIn(path)))).toBe(true);
    },
  );
});
