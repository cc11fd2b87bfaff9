// `node --import` this: every `import 'electron'` then finds the stand-in.
import { registerHooks } from 'node:module';

const standIn = new URL('./electron-standin.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
