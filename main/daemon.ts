/** The product without Electron. V8 sizes its heap while modules are loaded: the rest is loaded once its limits are set. */
import './support/memory.ts';

await import('./daemon-process.ts');
