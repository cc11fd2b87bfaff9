// A preload that talks to the main process on channels that nobody has.
const { ipcRenderer } = require('electron');
ipcRenderer.send('unheard');
ipcRenderer.invoke('unhandled').catch((error) => ipcRenderer.send('refused', error.message));
