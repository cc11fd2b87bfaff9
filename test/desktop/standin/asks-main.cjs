// A preload that sends messages on channels without a listener.
const { ipcRenderer } = require('electron');
ipcRenderer.send('unheard');
ipcRenderer.invoke('unhandled').catch((error) => ipcRenderer.send('refused', error.message));
