import { type CommandResult, type FromScreen, socketPath, ToScreen } from '../../preload/contract.ts';

/** @param screens of the daemon. @returns how it was answered, for a person */
export function cancelByCashier(screens: string, { laneId, saleId }: { readonly laneId: string; readonly saleId: string }): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${screens.replace('http', 'ws')}${socketPath}`);
    const asked: FromScreen = { type: 'command', id: 1, command: { type: 'cancelSale', laneId, saleId } };
    const end = (how: string): void => {
      resolve(how);
      socket.close();
    };
    socket.addEventListener('open', () => socket.send(JSON.stringify(asked)));
    socket.addEventListener('message', ({ data }) => {
      const message = ToScreen.parse(JSON.parse(String(data)));
      if (message.type === 'result') end(inWords(message.result));
    });
    socket.addEventListener('error', () => end('nobody there'));
    socket.addEventListener('close', () => resolve('nobody there any more'));
  });
}

const inWords = (result: CommandResult): string => (result.ok ? 'taken' : result.code);
