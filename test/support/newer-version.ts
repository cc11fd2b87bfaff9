import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
// Node alone, which runs the attacks, finds only the package as a whole.
import manifest from '../../package.json' with { type: 'json' };

const { version: built } = manifest;
const root = fileURLToPath(new URL('../../', import.meta.url));
export const platform = `${process.platform}-${process.arch}`;

/** Packages are loaded from there, as by a version in a data folder below. */
export function linkPackages(folder: string): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

interface Changed {
  /** Whether it asks for updates without waiting for six hours. */
  readonly asksEach?: boolean;
  /** Whether it never starts. */
  readonly broken?: boolean;
  /** Whether it changes the journal's layout and ends before it is ready. */
  readonly diesAfterMigration?: boolean;
  /** Whether it changes the journal's layout and hangs before it is ready. */
  readonly hangsAfterMigration?: boolean;
  /** Whether Node cannot read it as a program. */
  readonly cannotStart?: boolean;
}

/**
 * The built daemon under another number, which looks for updates twice a second. @returns its
 * files, in a new folder
 */
export function packageOf(folder: string, version: string, changed: Changed = {}): string {
  const tree = join(folder, `tree-${version}`);
  mkdirSync(join(tree, 'out'), { recursive: true });
  cpSync(join(root, 'out', 'main'), join(tree, 'out', 'main'), { recursive: true });
  writeFileSync(join(tree, 'package.json'), '{"type":"module"}');
  numbered(tree, version, changed);
  return tree;
}

/** The built pages, as that version has them. */
export function addPages(tree: string, version: string): void {
  const pages = join(tree, 'out', 'renderer');
  cpSync(join(root, 'out', 'renderer'), pages, { recursive: true });
  const assets = join(pages, 'assets');
  for (const name of readdirSync(assets).filter((one) => one.startsWith('screen-')))
    writeFileSync(
      join(assets, name),
      readFileSync(join(assets, name), 'utf8').replaceAll(`\`${built}\``, `\`${version}\``),
    );
}

/**
 * An AppImage of such a version: a program that starts the app over the stand-in. @returns its path
 */
export function appImageOf(
  folder: string,
  version: string,
  useStandIn: string,
  changed: Changed = {},
): string {
  const tree = packageOf(folder, version, changed);
  for (const part of ['preload', 'renderer'])
    symlinkSync(join(root, 'out', part), join(tree, 'out', part));
  const file = join(folder, `Tillbeacon-${version}.AppImage`);
  const environment = `APPIMAGE="$0" APPDIR='${dirname(process.execPath)}' STANDIN_VERSION=${version} STANDIN_PACKAGED=1`;
  const command = `exec '${process.execPath}' --import '${useStandIn}' '${tree}/out/main/supervisor.js' "$@"`;
  writeFileSync(file, `#!/bin/sh\nexport ${environment}\n${command}\n`, { mode: 0o755 });
  return file;
}

const sleepsForEver = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** Makes a version of these files. */
export function numbered(
  tree: string,
  version: string,
  { asksEach, broken, diesAfterMigration, hangsAfterMigration, cannotStart }: Changed = {},
): void {
  const main = join(tree, 'out', 'main');
  for (const entry of readdirSync(main, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8')
      .replaceAll(`version=\`${built}\``, `version="${version}"`)
      .replaceAll(/lookEveryMs\$?\d*=6e4/g, (found) => found.replace('6e4', '500'));
    const migrating = text
      .replace(
        /db=>db\.exec\(version7\)/,
        '$&, (db) => db.exec("CREATE TABLE later (number INTEGER PRIMARY KEY) STRICT")',
      )
      .replace(
        'await application.ready;',
        diesAfterMigration ? 'process.kill(process.pid, "SIGKILL");' : sleepsForEver,
      );
    const changed = diesAfterMigration || hangsAfterMigration ? migrating : text;
    writeFileSync(file, asksEach ? changed.replace('askEveryMs=216e5', 'askEveryMs=0') : changed);
  }
  const neverReady = 'setInterval(() => {}, 1_000); process.on("SIGTERM", () => process.exit(0));';
  if (cannotStart)
    for (const entry of ['daemon', 'desktop', 'supervisor'])
      writeFileSync(join(main, `${entry}.js`), 'no program');
  if (broken)
    for (const entry of ['daemon', 'desktop']) writeFileSync(join(main, `${entry}.js`), neverReady);
}
