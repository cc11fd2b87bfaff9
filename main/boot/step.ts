/** What an installation does, as data: printed, tested, and carried out one after the other. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

export type Step =
  | { readonly do: 'write'; readonly path: string; readonly text: string; readonly encoding?: 'utf16le' }
  | { readonly do: 'makeFolder'; readonly path: string }
  | { readonly do: 'remove'; readonly path: string }
  /** `mayFail`: what it is to bring about may be so already. */
  | { readonly do: 'run'; readonly command: readonly [string, ...string[]]; readonly mayFail?: true };

/** @throws Error in plain words */
export function carryOut(steps: readonly Step[]): void {
  for (const step of steps) {
    switch (step.do) {
      case 'write':
        // With the mark by which Windows knows this encoding.
        writeFileSync(step.path, step.encoding === undefined ? step.text : `\uFEFF${step.text}`, { encoding: step.encoding ?? 'utf8', mode: 0o644 });
        break;
      case 'makeFolder':
        mkdirSync(step.path, { recursive: true });
        break;
      case 'remove':
        rmSync(step.path, { force: true });
        break;
      case 'run':
        run(step.command, step.mayFail === true);
    }
  }
}

function run([program, ...args]: readonly [string, ...string[]], mayFail: boolean): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', windowsHide: true });
  if (status === 0 || mayFail) return;
  throw new Error(`${[program, ...args].join(' ')} failed: ${error?.message ?? `${stderr}${stdout}`.trim()}`);
}

/** For people, before they let it happen. */
export function stepText(step: Step): string {
  switch (step.do) {
    case 'write':
      return `write ${step.path}:\n${step.text.trimEnd().replaceAll(/^(?=.)/gm, '    ')}`;
    case 'makeFolder':
      return `make the folder ${step.path}`;
    case 'remove':
      return `remove ${step.path}`;
    case 'run':
      return `run ${step.command.map((part) => (/^[\w/.:\\=*-]+$/.test(part) ? part : JSON.stringify(part))).join(' ')}`;
  }
}
