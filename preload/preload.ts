/** Gives a page its message channel to the daemon, and nothing else of Electron or Node. */
import { contextBridge, ipcRenderer } from 'electron';
import type { MessageChannel } from './contract.ts';

// Sent before anything else of this page: the connection of the page before it in this window ends, with what was allowed there.
ipcRenderer.send('tillbeacon:page');

const channel: MessageChannel = {
  send: (message) => ipcRenderer.send('tillbeacon:message', message),
  onMessage: (listener) => void ipcRenderer.on('tillbeacon:message', (_event, message: unknown) => listener(message)),
};
contextBridge.exposeInMainWorld('tillbeacon', channel);
