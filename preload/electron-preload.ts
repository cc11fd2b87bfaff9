/**
 * Electron's preload, the only file here that Electron loads. It gives a page its message channel
 * to the daemon, and no other access to Electron or Node. The rest of `preload/` is the contract.
 */
import { contextBridge, ipcRenderer } from 'electron';
import type { MessageChannel } from './contract.ts';

// The page's thread answers, so a page that hangs does not answer.
ipcRenderer.on('tillbeacon:beat', (_event, beat: unknown) =>
  ipcRenderer.send('tillbeacon:beat', beat),
);

// The first message of a page. It ends the connection and the sign-in of the previous page in this
// window.
ipcRenderer.send('tillbeacon:page');

// Store the state: the message may arrive before the page listens.
let connected = false;
const connectionListeners = new Set<(connected: boolean) => void>();
ipcRenderer.on('tillbeacon:connection', (_event, isConnected: unknown) => {
  connected = isConnected === true;
  for (const listener of connectionListeners) listener(connected);
});

// Kept for a page that listens later, as the connection is.
let keyboardPresses: unknown = 'none';
const keyboardListeners = new Set<(presses: unknown) => void>();
ipcRenderer.on('tillbeacon:keyboard', (_event, presses: unknown) => {
  keyboardPresses = presses;
  for (const listener of keyboardListeners) listener(presses);
});

const channel: MessageChannel = {
  send: (message) => ipcRenderer.send('tillbeacon:message', message),
  onMessage: (listener) =>
    void ipcRenderer.on('tillbeacon:message', (_event, message: unknown) => listener(message)),
  onConnection(listener) {
    connectionListeners.add(listener);
    listener(connected);
  },
  onLanguage: (listener) =>
    void ipcRenderer.on('tillbeacon:language', (_event, language: unknown) => listener(language)),
  onKeyboard(listener) {
    keyboardListeners.add(listener);
    listener(keyboardPresses);
  },
};
contextBridge.exposeInMainWorld('tillbeacon', channel);

// Reload a page whose script could not be read: it would stay empty.
window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) setTimeout(() => location.reload(), 1_000);
  },
  { capture: true },
);

// Files or texts that are dropped on a screen are an accident or an attack.
for (const type of ['dragstart', 'dragover', 'drop'])
  window.addEventListener(type, (event) => event.preventDefault(), { capture: true });
