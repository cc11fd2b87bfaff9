import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from '@formatjs/icu-messageformat-parser';
import { defineConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';
import { pagePolicy } from './main/counter/server/page-headers.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Loaded from node_modules at run time: native, Electron's own, or rarely needed. Everything else
 * is bundled: a start then reads one file, not a thousand.
 */
const external = ['electron', /^electron-updater(\/|$)/, 'serialport', /^node:/];

/** The content security policy, the design tokens and what else every page's head has. */
const sharedHead: Plugin = {
  name: 'shared-head',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace(
        '<head>',
        `<head>\n${readFileSync(here('renderer/head.html'), 'utf8').trimEnd().replace('PAGE_POLICY', pagePolicy)}`,
      ),
  },
};

/** As package-lock.json names it, e.g. `node_modules/a/node_modules/@b/c`. */
const packageOf = (id: string): string | undefined =>
  /(?<=^|\/)node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(
    id.replaceAll('\\', '/').slice(here('.').length),
  )?.[0];

/**
 * Which packages each file in `out` has something of, for the licences and the list of parts of a
 * package: `out/bundled`.
 */
const bundledPackages = (build: string): Plugin => ({
  name: 'bundled-packages',
  generateBundle({ dir = '' }, bundle) {
    const files = Object.values(bundle).flatMap((chunk) => {
      if (chunk.type !== 'chunk') return [];
      const used = Object.entries(chunk.modules).filter(
        ([, { renderedLength }]) => renderedLength > 0,
      );
      return [
        [
          relative(here('out'), join(dir, chunk.fileName)),
          [...new Set(used.flatMap(([id]) => packageOf(id) ?? []))].toSorted(),
        ] as const,
      ];
    });
    mkdirSync(here('out/bundled'), { recursive: true });
    writeFileSync(here(`out/bundled/${build}.json`), JSON.stringify(Object.fromEntries(files)));
  },
});

/** The texts of a language by its name, so that `scripts/bundle-sizes.mjs` knows them. */
const chunkFileNames = ({ facadeModuleId }: { facadeModuleId: string | null }): string =>
  `assets/${facadeModuleId?.includes('/assets/locales/') ? `texts-${basename(dirname(facadeModuleId))}-` : ''}[name]-[hash].js`;

/** What every screen needs is one file, because each file is a request. */
const groups = [{ name: 'screen', test: /[\\/]renderer[\\/]screen\.ts$/ }];

/** A catalogue whose messages with arguments are parsed; the others stay texts. */
const parsed = (texts: object): object =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text !== 'string'
        ? parsed(text)
        : text.includes('{')
          ? parse(text, { ignoreTag: true })
          : text,
    ]),
  );

/**
 * Runs `preload/described` and parses messages with arguments during the build. Pages then load
 * neither the schema library nor the message parser.
 */
const precomputed: Plugin = {
  name: 'precomputed',
  enforce: 'pre',
  async load(id) {
    if (/\/assets\/locales\/[\w-]+\/\w+\.json$/.test(id))
      return JSON.stringify(parsed(JSON.parse(readFileSync(id, 'utf8'))));
    if (!/\/preload\/described\/[\w-]+\.ts$/.test(id)) return null;
    const values: Readonly<Record<string, unknown>> = await import(pathToFileURL(id).href);
    return Object.entries(values)
      .map(
        ([name, value]) =>
          `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      )
      .join('\n');
  },
};

/** Literal texts, added up or joined. */
const literals =
  "(?:'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`|\\s|[+,[\\]]|\\.join\\(' '\\))+";
const descriptionsOfSettings = new RegExp(
  String.raw`\.describe\(${literals},?\s*\)|(?<=\n)\s+description:${literals},`,
  'g',
);

/** Leaves out what the settings' documents say of a field: no page shows it. */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  enforce: 'pre',
  transform: (code, id) =>
    /\/(?:main\/core\/domain|preload\/procedures)\/[\w-]+\.ts$/.test(id)
      ? code.replace(descriptionsOfSettings, '')
      : null,
};

// V8 keeps the sources in memory, and at two bytes a character where one is beyond Latin-1. Names
// stay, for the log.
const output = {
  format: 'es',
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
} as const;
const target = 'node24';

/**
 * Builds the programs that run all day, each by itself. Entries that are built together share some
 * seventy small files, and a start looks them up one after the other, which takes longer than to
 * read what is in them.
 */
const byThemselves = {
  name: 'by-themselves',
  async closeBundle() {
    for (const entry of ['daemon', 'desktop'])
      await build({
        configFile: false,
        root: here('.'),
        logLevel: 'warn',
        plugins: [bundledPackages(entry)],
        ssr: { noExternal: true },
        build: {
          ssr: true,
          target,
          outDir: here('out/main'),
          emptyOutDir: false,
          rolldownOptions: {
            external,
            input: { [entry]: here(`main/cli/${entry}.ts`) },
            output: { ...output, chunkFileNames: `${entry}/[name]-[hash].js` },
          },
        },
      });
  },
} satisfies Plugin;

export default defineConfig({
  main: {
    plugins: [bundledPackages('main'), byThemselves],
    // The build of fflate for Node declares `require`. electron-vite declares it too, and the
    // bundle would declare it twice.
    resolve: { alias: { fflate: 'fflate/browser' } },
    build: {
      externalizeDeps: false,
      target,
      rollupOptions: {
        external,
        input: {
          supervisor: here('main/cli/supervisor.ts'),
          simulator: here('main/cli/simulator.ts'),
          callbacks: here('main/cli/callbacks.ts'),
          'callbacks-worker': here('main/cli/callbacks-worker.ts'),
          certify: here('main/cli/certify.ts'),
          launcher: here('main/cli/launcher.ts'),
          backup: here('main/cli/backup.ts'),
          managers: here('main/cli/managers.ts'),
          journal: here('main/cli/journal.ts'),
          till: here('main/cli/till.ts'),
          wire: here('main/cli/wire.ts'),
          service: here('main/cli/service.ts'),
          'api-worker': here('main/tills/http/worker.ts'),
          'displays-worker': here('main/counter/server/displays-worker.ts'),
          'metrics-worker': here('main/counter/monitoring/metrics-worker.ts'),
          'backup-worker': here('main/counter/manager/backup/backup-worker.ts'),
          'reconciliation-worker': here(
            'main/counter/manager/reconciliation/reconciliation-worker.ts',
          ),
        },
        output,
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rollupOptions: {
        external: ['electron'],
        input: { preload: here('preload/electron-preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: here('renderer'),
    base: './',
    resolve: {
      alias: {
        '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
        qrcode: 'qrcode/lib/core/qrcode.js',
      },
    },
    plugins: [sharedHead, precomputed, withoutDescriptions, bundledPackages('renderer')],
    build: {
      modulePreload: { polyfill: false },
      minify: true,
      rollupOptions: {
        input: {
          index: here('renderer/index.html'),
          cashier: here('renderer/cashier/index.html'),
          customer: here('renderer/customer/index.html'),
          manager: here('renderer/manager/index.html'),
          setup: here('renderer/setup/index.html'),
          demo: here('renderer/demo/index.html'),
          gallery: here('renderer/ui/gallery/index.html'),
        },
        output: { chunkFileNames, codeSplitting: { groups } },
      },
    },
  },
});
