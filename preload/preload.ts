/** The Electron door: hands the contract to a screen, and nothing else of Electron or Node. */
import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge, Command, CommandResult, View, Watch } from './contract.ts';
import type { AnswerTo, Asking, QuestionName } from './procedures.ts';

// The first that is heard of a page: what the one before it in this window was told and allowed is over.
ipcRenderer.send('tillbeacon:page');

const bridge: Bridge = {
  watch(watch: Watch): void {
    ipcRenderer.send('tillbeacon:watch', watch);
  },
  onView(listener) {
    const onMessage = (_event: unknown, view: View): void => listener(view);
    ipcRenderer.on('tillbeacon:view', onMessage);
    return () => void ipcRenderer.removeListener('tillbeacon:view', onMessage);
  },
  onConnection(listener) {
    // The daemon is in the same program: as long as this window lives, it is connected.
    listener(true);
    return () => {};
  },
  command: (command: Command): Promise<CommandResult> => ipcRenderer.invoke('tillbeacon:command', command) as Promise<CommandResult>,
  ask: <Name extends QuestionName>(name: Name, asked: Asking<Name>): Promise<AnswerTo<Name>> =>
    ipcRenderer.invoke('tillbeacon:ask', name, asked) as Promise<AnswerTo<Name>>,
};

contextBridge.exposeInMainWorld('tillbeacon', bridge);
