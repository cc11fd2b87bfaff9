// Builds what `npm install` gives a chain's developer: out/library, a package of its own with
// `tillbeacon/wallet`, `tillbeacon/simulator` and `tillbeacon/till`. The product's package.json
// cannot be that package: it brings the serial port, the log and Node itself.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { build } from 'vite';
import { readCommand } from './command.mjs';
import { root } from './build.mjs';
import { npmTool } from './npm-tool.mjs';

readCommand({
  call: 'npm run build:library --',
  does: "Builds the clients, the simulator and the till as a package for other people's programs, in out/library.",
  options: {},
});

const folder = join(root, 'out', 'library');
const entries = ['wallet', 'simulator', 'till'];
/** The package's declarations name the types of these packages. */
const dependencies = ['zod'];
const relativeImport = /((?:from|import)\s*\(?\s*["'])(\.{1,2}\/[^"']+)\.ts(["'])/g;

async function bundle() {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, external: dependencies },
    build: {
      ssr: true,
      target: 'node24',
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: {
        input: Object.fromEntries(
          entries.map((entry) => [entry, join(root, 'main', 'library', `${entry}.ts`)]),
        ),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
      },
    },
  });
}

/**
 * The declarations that the entries lead to, as far as types go: an entry that hides a class hides
 * what the class is made of.
 */
function declare() {
  const whole = mkdtempSync(join(tmpdir(), 'tillbeacon-declarations-'));
  try {
    const args = ['-p', 'tsconfig.library.json', '--outDir', whole];
    const { status, stdout } = spawnSync(
      process.execPath,
      [npmTool('tsc', 'typescript'), ...args],
      { cwd: root, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`the declarations could not be made:\n${stdout}`);
    const paths = new Set(entries.map((entry) => `library/${entry}`));
    for (const path of paths) {
      const text = readFileSync(join(whole, `${path}.d.ts`), 'utf8');
      for (const [, , specifier] of text.matchAll(relativeImport))
        paths.add(posix.join(posix.dirname(path), specifier));
      const target = join(folder, 'types', `${path}.d.ts`);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text.replaceAll(relativeImport, '$1$2.js$3'));
    }
  } finally {
    rmSync(whole, { recursive: true, force: true });
  }
}

function describe() {
  const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, license, type, engines, exports, devDependencies } = product;
  const description =
    'The typed clients of the wallet service; the service simulated, and a till to try terminals with, for tests.';
  const here = (path) => path.replace('./out/library/', './');
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    engines,
    exports: Object.fromEntries(
      Object.entries(exports).map(([path, { types, default: code }]) => [
        path,
        { types: here(types), default: here(code) },
      ]),
    ),
    dependencies: Object.fromEntries(dependencies.map((one) => [one, devDependencies[one]])),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const path of ['LICENSE', 'main/wallets/v10/REFERENCE.md'])
    copyFileSync(join(root, path), join(folder, posix.basename(path)));
  copyFileSync(
    join(root, 'main/wallets/epayment/REFERENCE.md'),
    join(folder, 'REFERENCE-epayment.md'),
  );
}

await bundle();
declare();
describe();
