/**
 * Node's Windows build in Wine, set up by `npm run test:windows`: the built daemon runs as a
 * Windows process in it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Wine {
  readonly loader: string;
  /** The path of node.exe. */
  readonly node: string;
  /** The folder of Windows' drives and registry. */
  readonly prefix: string;
}

const { TILLBEACON_WINE: loader, TILLBEACON_WINDOWS_NODE: node, WINEPREFIX: prefix } = process.env;
/** null when the tests run on the system on which they were started. */
export const wine: Wine | null =
  loader === undefined || node === undefined || prefix === undefined
    ? null
    : { loader, node, prefix };

export const keepAliveMended = fileURLToPath(new URL('wine-keep-alive.cjs', import.meta.url));
const readEveryMs = 20;

export interface Started {
  readonly child: ChildProcess;
  /** Stops reading once everything was read. */
  readonly finish: () => void;
}

/**
 * Node in Wine cannot write to pipes, so its output goes to files, which are read again and again.
 * Paths of Linux are of drive Z: there, where the process starts.
 */
export function startInWine(
  { loader: command, node: program }: Wine,
  args: readonly string[],
  options: StartOptions,
): Started {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-wine-'));
  const paths = [join(folder, 'stdout'), join(folder, 'stderr')];
  const written = paths.map((path) => openSync(path, 'w'));
  const child = spawn(command, [program, '--require', keepAliveMended, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', written[0], written[1]],
  });
  for (const file of written) closeSync(file);
  const files = paths.map((path) => openSync(path, 'r'));
  const piece = Buffer.alloc(64 * 1024);
  const read = (): void => {
    for (const [index, file] of files.entries()) {
      for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
        const text = piece.toString('utf8', 0, length);
        if (index === 0) options.onStdout(text);
        else options.onStderr(text);
      }
    }
  };
  const reading = setInterval(read, readEveryMs);
  return {
    child,
    finish() {
      clearInterval(reading);
      read();
      for (const file of files) closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface StartOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly onStdout: (text: string) => void;
  readonly onStderr: (text: string) => void;
}

const defaultComPort = 7;

/** Gives a serial port of Linux its name of Windows, `COM7`; a test has one at a time. */
export function comPort({ prefix: folder }: Wine, path: string): string {
  const link = join(folder, 'dosdevices', `com${defaultComPort}`);
  rmSync(link, { force: true });
  symlinkSync(path, link);
  return `COM${defaultComPort}`;
}
