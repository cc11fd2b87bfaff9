/**
 * The app and the daemon may be installed side by side: no two of their packages replace each
 * other, or remove each other's files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packaged } from '../../../main/host/boot/definition.ts';
// @ts-expect-error: a script, without types
import { unsignedMark } from '../../../scripts/signing-key.mjs';

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const app = parse(read('electron-builder.yml')) as {
  productName: string;
  artifactName: string;
  extraMetadata: { homepage: string };
  linux: { target: string[]; executableName: string };
  deb: { packageName: string };
  rpm: { packageName: string };
  win: { executableName: string; artifactName: string };
  nsis: { uninstallDisplayName: string };
  mac: { artifactName: string };
};
const deb = read('assets/package/deb.control');
const rpm = read('assets/package/rpm.spec');
const nsi = read('assets/package/tillbeacon.nsi');
const formats = read('scripts/package-formats.mjs');
const matchIn = (text: string, pattern: RegExp): string => {
  const [, name] = pattern.exec(text) ?? [];
  if (name === undefined) throw new Error(`${pattern} is not there`);
  return name;
};

test('a package of the app has another name than that of the daemon', () => {
  expect(app.linux.target).toEqual(['AppImage', 'deb', 'rpm']);
  expect(app.deb.packageName).not.toBe(matchIn(deb, /^Package: (.+)$/m));
  expect(app.rpm.packageName).not.toBe(matchIn(rpm, /^Name: (.+)$/m));
  // The name in Windows' list of programs.
  expect(app.nsis.uninstallDisplayName.replace(' ${version}', '')).not.toBe(
    matchIn(nsi, /^Name "(.+)"$/m),
  );
});

test('electron-builder is told what it makes no deb and no rpm without', () => {
  expect(URL.canParse(app.extraMetadata.homepage)).toBe(true);
});

test('so has its file', () => {
  const ofDaemon = [...formats.matchAll(/`(tillbeacon[^`]*\$\{version\}[^`]*)`/g)].map(
    ([, name = '']) => name.slice(0, name.indexOf('${')),
  );
  expect(ofDaemon.length).toBeGreaterThan(2);
  const ofApp = [app.artifactName, app.win.artifactName, app.mac.artifactName].map((name) =>
    name.slice(0, name.indexOf('${')),
  );
  for (const name of ofApp) expect(ofDaemon).not.toContain(name);
});

test('so have its program and its folder', () => {
  const ofDaemon = [...rpm.matchAll(/^\/usr\/(?:bin|lib)\/(\S+)$/gm)].map(([, name]) => name);
  expect(ofDaemon).toContain('tillbeacon');
  expect(ofDaemon).not.toContain(app.linux.executableName);
  expect(packaged.program).not.toBe(`/opt/${app.productName}`);
  const folder = matchIn(nsi, /^InstallDir "\$PROGRAMFILES64\\(.+)"$/m);
  // Windows does not tell capitals from small letters.
  expect(app.win.executableName.toLowerCase()).not.toBe(folder.toLowerCase());
});

test('an installer that is not signed says so in its name', () => {
  for (const name of [app.win.artifactName, app.mac.artifactName])
    expect(name).toContain('${env.TILLBEACON_UNSIGNED}');
  expect(unsignedMark({}, 'win32')).toBe('-unsigned');
  expect(unsignedMark({ WIN_CSC_LINK: '', CSC_LINK: 'key.p12' }, 'win32')).toBe('-unsigned');
  expect(unsignedMark({ WIN_CSC_LINK: 'key.p12' }, 'win32')).toBe('');
  expect(unsignedMark({ WIN_CSC_LINK: 'key.p12' }, 'darwin')).toBe('-unsigned');
  expect(unsignedMark({ CSC_LINK: 'key.p12' }, 'darwin')).toBe('');
});
