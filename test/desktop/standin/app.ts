import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import type { App as ElectronApp, LoginItemSettings, Settings } from 'electron';
import { isReady, launchOnce, need, readyOr } from './chromium.ts';
import { control, isPrevented } from './control.ts';

type Used = Pick<
  ElectronApp,
  | 'isPackaged'
  | 'disableHardwareAcceleration'
  | 'exit'
  | 'getAppPath'
  | 'getLocale'
  | 'getName'
  | 'getPath'
  | 'getVersion'
  | 'quit'
  | 'requestSingleInstanceLock'
  | 'setLoginItemSettings'
  | 'setPath'
  | 'whenReady'
>;

class App extends EventEmitter implements Used {
  readonly isPackaged = process.env['STANDIN_PACKAGED'] === '1';
  #login: Settings = { openAtLogin: false };
  #isEnding = false;

  constructor() {
    super();
    control('secondInstance', () => this.emit('second-instance', {}, [], process.cwd(), undefined));
    control('graphicsGone', (reason: string) =>
      this.emit('child-process-gone', {}, { type: 'GPU', reason, exitCode: 1 }),
    );
    control(
      'throw',
      () =>
        void setTimeout(() => {
          throw new Error('nobody expected this');
        }),
    ); // prettier-ignore
    control('app', () => ({ login: this.#login }));
    control('quit', () => this.quit());
  }

  getLocale(): string {
    return 'en-GB';
  }
  getLoginItemSettings(): LoginItemSettings {
    const { openAtLogin = false } = this.#login;
    return { openAtLogin, executableWillLaunchAtLogin: openAtLogin } as LoginItemSettings;
  }
  setLoginItemSettings(settings: Settings): void {
    if (process.platform === 'linux' && !this.isPackaged)
      throw new Error('app.setLoginItemSettings is not there on Linux');
    this.#login = settings;
  }
  disableHardwareAcceleration(): void {
    if (isReady())
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
  }
  requestSingleInstanceLock(): boolean {
    return process.env['STANDIN_SECOND'] !== '1';
  }
  getPath(name: Parameters<ElectronApp['getPath']>[0]): string {
    return name === 'home' ? need('STANDIN_USER_DATA') : resolve(need('STANDIN_USER_DATA'));
  }
  setPath(name: string): void {
    if (isReady()) throw new Error(`app.setPath(${name}) is too late once the app is ready`);
  }
  getName(): string {
    return 'tillbeacon';
  }
  getVersion(): string {
    return process.env['STANDIN_VERSION'] ?? '0.0.0';
  }
  getAppPath(): string {
    return process.cwd();
  }
  async whenReady(): Promise<void> {
    const isFirst = !isReady();
    await launchOnce();
    if (isFirst) this.emit('ready');
  }
  quit(): void {
    if (!isPrevented((event) => this.emit('before-quit', event))) this.exit(0);
  }
  exit(code = 0): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const closed = isReady() ? readyOr('').browser.close() : Promise.resolve();
    void closed.catch(() => undefined).finally(() => process.exit(code));
  }
}
export const app = new App();

// The folder beside Electron's archive.
Object.assign(process, { resourcesPath: process.env['STANDIN_RESOURCES'] ?? '' });

// Electron quits in good order on SIGTERM, unless Node's listener takes the place of Electron's.
process.on('SIGTERM', () => {
  if (process.listenerCount('SIGTERM') === 1) app.quit();
});
