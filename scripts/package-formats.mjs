// Packages of the daemon, each made by the tool that its system's people know.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { definitionFrom, packaged, udevRules } from '../main/host/boot/definition.ts';
import { units } from '../main/host/boot/linux.ts';
import { root } from './build.mjs';
import { languageFactsOf, localesIn, messagesIn } from './locales.mjs';
import { copyTree, kilobytesOf, run } from './package-tree.mjs';

const asset = (name) => readFileSync(join(root, 'assets', name), 'utf8');
const filled = (text, values) =>
  text.replaceAll(/@(\w+)@/g, (whole, name) => values[name] ?? whole);

/** `tools`: command and Debian's package of it. */
export const formats = {
  deb: { system: 'linux', tools: { 'dpkg-deb': 'dpkg' }, make: makeDeb },
  rpm: { system: 'linux', tools: { rpmbuild: 'rpm' }, make: makeRpm },
  'tar.gz': { system: 'linux', tools: { tar: 'tar' }, make: makeTar },
  exe: { system: 'win', tools: { makensis: 'nsis' }, make: makeInstaller },
};

/** The files as they are on a Linux computer: docs/running/install.md names them. */
function linuxFiles(tree, folder) {
  copyTree(tree, join(folder, packaged.program));
  const put = (path, text) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o644 });
  };
  for (const unit of units)
    put(
      `usr/lib/systemd/system/${unit}`,
      definitionFrom(asset(`service/${unit}`), 'unit', packaged),
    );
  put('usr/lib/sysusers.d/tillbeacon.conf', asset('service/tillbeacon.sysusers'));
  put(`usr/lib/udev/rules.d/${udevRules}`, asset('service/tillbeacon-serial.rules'));
  put(
    'usr/share/doc/tillbeacon/copyright',
    `${readFileSync(join(root, 'LICENSE'), 'utf8')}\nWhat it contains of others: ${packaged.program}/licenses and sbom.cdx.json there.\n`,
  );
  mkdirSync(join(folder, 'usr/bin'));
  symlinkSync('../lib/tillbeacon/tillbeacon', join(folder, 'usr/bin/tillbeacon'));
  return folder;
}

function makeDeb({ tree, work, output, arch, version, isFast }) {
  const folder = linuxFiles(tree, join(work, 'deb'));
  const architecture = { x64: 'amd64', arm64: 'arm64' }[arch];
  const control = join(folder, 'DEBIAN');
  mkdirSync(control);
  writeFileSync(
    join(control, 'control'),
    filled(asset('package/deb.control'), {
      VERSION: version,
      ARCHITECTURE: architecture,
      KILOBYTES: kilobytesOf(folder),
    }),
  );
  for (const script of ['postinst', 'prerm', 'postrm']) {
    copyFileSync(join(root, 'assets/package', `deb.${script}`), join(control, script));
    chmodSync(join(control, script), 0o755);
  }
  const file = join(output, `tillbeacon_${version}_${architecture}.deb`);
  // dpkg reads zstd from Debian 12 on, and xz everywhere.
  run('dpkg-deb', [
    '--root-owner-group',
    ...(isFast ? ['-Zgzip', '-z1'] : ['-Zxz']),
    '--build',
    folder,
    file,
  ]);
  return file;
}

function makeRpm({ tree, work, output, arch, version, isFast }) {
  const folder = linuxFiles(tree, join(work, 'rpm-files'));
  const top = join(work, 'rpm');
  mkdirSync(top);
  const target = { x64: 'x86_64', arm64: 'aarch64' }[arch];
  writeFileSync(
    join(top, 'tillbeacon.spec'),
    filled(asset('package/rpm.spec'), {
      VERSION: version,
      FILES: folder,
      PAYLOAD: isFast ? 'w1.gzdio' : 'w19T8.zstdio',
    }),
  );
  run('rpmbuild', [
    '-bb',
    '--target',
    target,
    '--define',
    `_topdir ${top}`,
    join(top, 'tillbeacon.spec'),
  ]);
  const name = `tillbeacon-${version}-1.${target}.rpm`;
  renameSync(join(top, 'RPMS', target, name), join(output, name));
  return join(output, name);
}

function makeTar({ tree, work, output, arch, version }) {
  const name = `tillbeacon-${version}-linux-${arch}`;
  copyTree(tree, join(work, 'tar', name));
  const file = join(output, `${name}.tar.gz`);
  run('tar', [
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--sort=name',
    '-czf',
    file,
    '-C',
    join(work, 'tar'),
    name,
  ]);
  return file;
}

function makeInstaller({ tree, output, arch, version, isFast, signing }) {
  const file = join(
    output,
    `tillbeacon-${version}-win-${arch}${signing === null ? '-unsigned' : ''}.exe`,
  );
  const defines = {
    OUTPUT: file,
    FILES: tree,
    VERSION: version,
    COMPRESSOR: isFast ? 'zlib' : 'lzma',
    ICON: join(root, 'assets/icon.ico'),
    LANGUAGES: `${file}.languages.nsh`,
  };
  writeFileSync(defines.LANGUAGES, installerLanguages());
  // The uninstaller is made on the way, and signed there.
  const sign =
    signing === null
      ? {}
      : {
          SIGN: ['osslsigncode', ...signingArgs(signing)]
            .map((part) => JSON.stringify(part))
            .join(' '),
        };
  run('makensis', [
    '-V2',
    '-INPUTCHARSET',
    'UTF8',
    ...Object.entries({ ...defines, ...sign }).map(([name, value]) => `-D${name}=${value}`),
    join(root, 'assets/package/tillbeacon.nsi'),
  ]);
  rmSync(defines.LANGUAGES);
  if (signing !== null) {
    run('osslsigncode', [...signingArgs(signing), '-in', file, '-out', `${file}.signed`]);
    renameSync(`${file}.signed`, file);
  }
  return file;
}

/**
 * The installer's words in NSIS's language. English comes first: Windows shows it where the
 * system's language is none of these.
 */
export function installerLanguages() {
  const quoted = (text) => `"${text.replaceAll('$', '$$$$').replaceAll('"', '$\\"')}"`;
  return localesIn(root)
    .toReversed()
    .map((locale) => {
      const { installer } = languageFactsOf(root, locale);
      const words = [...messagesIn(root, locale, 'installer')].map(
        ([name, text]) =>
          `LangString ${name} \${LANG_${installer.toUpperCase()}} ${quoted(text).replace('{folder}', '$APPDATA\\Tillbeacon')}`,
      );
      const file = `\${NSISDIR}/Contrib/Language files/${installer}.nlf`;
      return [`LoadLanguageFile "${file}"`, ...words, ''].join('\n');
    })
    .join('\n');
}

function signingArgs({ key, timestamp }) {
  const args = ['sign', ...key, '-h', 'sha256', '-n', 'Tillbeacon'];
  return timestamp === undefined ? args : [...args, '-ts', timestamp];
}
