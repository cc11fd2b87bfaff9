/** Gives a page its message channel to the daemon, and nothing else of Electron or Node. */
import { contextBridge, ipcRenderer } from 'electron';
import type { MessageChannel } from './contract.ts';

// Answered by the page's own thread: a page that hangs answers nothing.
ipcRenderer.on('tillbeacon:beat', (_event, beat: unknown) => ipcRenderer.send('tillbeacon:beat', beat));

// Sent before anything else of this page: the connection of the page before it in this window ends, with what was allowed there.
ipcRenderer.send('tillbeacon:page');

// Told before the page listens.
let connected = false;
const connectionListeners = new Set<(connected: boolean) => void>();
ipcRenderer.on('tillbeacon:connection', (_event, isConnected: unknown) => {
  connected = isConnected === true;
  for (const listener of connectionListeners) listener(connected);
});

// As above.
let keyboardPresses: unknown = 'none';
const keyboardListeners = new Set<(presses: unknown) => void>();
ipcRenderer.on('tillbeacon:keyboard', (_event, presses: unknown) => {
  keyboardPresses = presses;
  for (const listener of keyboardListeners) listener(presses);
});

const channel: MessageChannel = {
  send: (message) => ipcRenderer.send('tillbeacon:message', message),
  onMessage: (listener) => void ipcRenderer.on('tillbeacon:message', (_event, message: unknown) => listener(message)),
  onConnection(listener) {
    connectionListeners.add(listener);
    listener(connected);
  },
  onLanguage: (listener) => void ipcRenderer.on('tillbeacon:language', (_event, language: unknown) => listener(language)),
  onKeyboard(listener) {
    keyboardListeners.add(listener);
    listener(keyboardPresses);
  },
};
contextBridge.exposeInMainWorld('tillbeacon', channel);

// Without its script a page stays empty: what could not be read a moment ago may be readable now.
window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) setTimeout(() => location.reload(), 1_000);
  },
  { capture: true },
);

// A file or a text that is dropped on a counter's screen is an accident, or an attack.
for (const type of ['dragstart', 'dragover', 'drop']) window.addEventListener(type, (event) => event.preventDefault(), { capture: true });
