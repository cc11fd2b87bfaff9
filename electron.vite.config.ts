import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Loaded from node_modules at run time: native, or Electron's own. Everything else is bundled: a start then reads one file, not a thousand. */
const external = ['electron', 'serialport', 'pino', /^node:/];

/** The content security policy, the design tokens and what else every page's head has. */
const sharedHead: Plugin = {
  name: 'shared-head',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replace('<head>', `<head>\n${readFileSync(here('renderer/head.html'), 'utf8').trimEnd()}`) },
};

export default defineConfig({
  main: {
    build: {
      externalizeDeps: false,
      target: 'node24',
      rollupOptions: {
        external,
        input: {
          desktop: here('main/desktop.ts'),
          daemon: here('main/daemon.ts'),
          simulator: here('main/simulator.ts'),
          callbacks: here('main/callbacks.ts'),
          'callbacks-worker': here('main/callbacks-worker.ts'),
          certify: here('main/certify.ts'),
          launcher: here('main/launcher.ts'),
          backup: here('main/backup.ts'),
          journal: here('main/journal.ts'),
          till: here('main/till.ts'),
          wire: here('main/wire.ts'),
          'reconciliation-worker': here('main/manager/reconciliation/worker.ts'),
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rollupOptions: { external: ['electron'], input: { preload: here('preload/preload.ts') }, output: { format: 'cjs', entryFileNames: '[name].cjs' } },
    },
  },
  renderer: {
    root: here('renderer'),
    base: './',
    plugins: [sharedHead],
    build: {
      modulePreload: { polyfill: false },
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
      },
    },
  },
});
