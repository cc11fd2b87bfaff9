/**
 * The preload in an isolated world, as with context isolation: it shares the document with the
 * page, and no object. What it exposes reaches the page as copies, over events of the document
 * whose name the page does not know.
 */
import { randomUUID } from 'node:crypto';

export const preloadWorld = 'preload';
export const bindingName = '__standinPost';
export const deliverName = '__standinDeliver';

export interface Worlds {
  readonly page: string;
  readonly preload: string;
}

/** @param preload the preload's source */
export function worldsOf(preload: string): Worlds {
  const event = randomUUID();
  return { page: pageSide(event), preload: preloadSide(event, preload) };
}

function pageSide(event: string): string {
  return `(() => {
    if (globalThis.top !== globalThis) return;
    const { CustomEvent, structuredClone, Object, Map, Error } = globalThis;
    const target = document, dispatch = EventTarget.prototype.dispatchEvent, callbacks = new Map();
    let answer = null;
    const tell = (detail) => dispatch.call(target, new CustomEvent('${event}>', { detail }));
    const packed = (value) => {
      if (typeof value !== 'function') return structuredClone(value);
      callbacks.set(callbacks.size, value);
      return { $callback: callbacks.size - 1 };
    };
    const called = (name, key) => (...args) => {
      answer = null;
      tell({ name, key, args: args.map(packed) });
      if (answer !== null && 'error' in answer) throw new Error(answer.error);
      return answer?.value;
    };
    target.addEventListener('${event}<', ({ detail }) => {
      if ('expose' in detail) {
        const { expose: name, functions, values } = detail;
        const api = { ...values, ...Object.fromEntries(functions.map((key) => [key, called(name, key)])) };
        Object.defineProperty(globalThis, name, { value: Object.freeze(api), configurable: false, writable: false });
      } else if ('callback' in detail) callbacks.get(detail.callback)?.(...detail.args);
      else answer = detail;
    });
  })();`;
}

function preloadSide(event: string, source: string): string {
  return `(() => {
    if (globalThis.top !== globalThis) return;
    const post = globalThis.${bindingName}, exposed = new Map(), listeners = new Map();
    const tell = (detail) => document.dispatchEvent(new CustomEvent('${event}<', { detail }));
    document.addEventListener('${event}>', ({ detail: { name, key, args } }) => {
      const unpacked = args.map((value) => (value && typeof value === 'object' && '$callback' in value
        ? (...given) => tell({ callback: value.$callback, args: structuredClone(given) }) : value));
      try { tell({ value: structuredClone(exposed.get(name)[key](...unpacked)) }); } catch (error) { tell({ error: String(error?.message ?? error) }); }
    });
    globalThis.${deliverName} = (channel, args) => { for (const listener of [...(listeners.get(channel) ?? [])]) listener({ sender: ipcRenderer }, ...args); };
    const cloned = (args) => { try { return structuredClone(args); } catch { throw new Error('An object could not be cloned.'); } };
    const ipcRenderer = {
      send(channel, ...args) { post(JSON.stringify([channel, cloned(args)])); },
      invoke(channel) { return Promise.reject(new Error("Error invoking remote method '" + channel + "': Error: No handler registered for '" + channel + "'")); },
      on(channel, listener) { if (!listeners.has(channel)) listeners.set(channel, new Set()); listeners.get(channel).add(listener); return this; },
      off(channel, listener) { listeners.get(channel)?.delete(listener); return this; },
    };
    const contextBridge = {
      exposeInMainWorld(name, api) {
        if (exposed.has(name)) throw new Error('Cannot bind an API on top of an existing property on the window object');
        exposed.set(name, api);
        const keys = Object.keys(api), isFunction = (key) => typeof api[key] === 'function';
        tell({ expose: name, functions: keys.filter(isFunction), values: Object.fromEntries(keys.filter((key) => !isFunction(key)).map((key) => [key, structuredClone(api[key])])) });
      },
    };
    const require = (name) => { if (name === 'electron') return { ipcRenderer, contextBridge }; throw new Error('module not found: ' + name); };
    const module = { exports: {} };
    (function (require, module, exports) {${source}\n})(require, module, module.exports);
  })();`;
}
