import { version as own } from '../package.json' with { type: 'json' };
import type { Bridge } from '../preload/contract.ts';

interface Page {
  /** Somebody is in the middle of something that loading the page anew would take away. */
  holdsInput(): boolean;
  /** Whether it says that it is out of date. */
  say(isOutdated: boolean): void;
}

const lookEveryMs = 1_000;

/**
 * Loads the page anew when the daemon is of another version than the page: at once, or when nobody
 * is in the middle of something. Once for each version: where the page that comes is not that
 * version's either, it stays.
 * @returns loads it anew now, because a person says so
 */
export function followVersion(bridge: Bridge, page: Page): () => void {
  const loadedFor = `tillbeacon.loadedFor:${location.pathname}${location.search}`;
  let wanted: string | null = null;
  let isReadable = true;
  let looking: ReturnType<typeof setInterval> | null = null;

  async function look(mayWait: boolean): Promise<void> {
    const version = wanted;
    if (version === null) return;
    const waits = (): boolean => mayWait && isReadable && page.holdsInput();
    if (waits()) return page.say(true);
    // A page that cannot be loaded would be the browser's own, which never comes back by itself.
    const isThere = await fetch(location.href).then(
      ({ ok }) => ok,
      () => false,
    );
    // Meanwhile somebody may have begun to type.
    if (!isThere || version !== wanted || waits()) return;
    end();
    sessionStorage.setItem(loadedFor, version);
    location.reload();
  }

  function end(): void {
    wanted = null;
    page.say(false);
    if (looking !== null) clearInterval(looking);
    looking = null;
  }

  bridge.onVersion((version, isReadableNow) => {
    isReadable = isReadableNow;
    if (version === own || sessionStorage.getItem(loadedFor) === version) return end();
    wanted = version;
    // Not before the page shows again what somebody was doing when the connection was lost.
    looking ??= setInterval(() => void look(true), lookEveryMs);
  });
  return () => void look(false);
}

/** Elements in which somebody has typed since they were shown. */
const typedIn = new WeakSet<EventTarget>();
window.addEventListener(
  'input',
  (event) => {
    const [at] = event.composedPath();
    if (at !== undefined) typedIn.add(at);
  },
  true,
);

/**
 * An open dialog, or something typed that is still there, in this part of the page or in what its
 * elements consist of.
 */
export function isInTheMiddle(part: Element): boolean {
  if (part.localName === 'tb-dialog') return true;
  if (
    (part instanceof HTMLInputElement || part instanceof HTMLTextAreaElement) &&
    typedIn.has(part) &&
    part.value !== ''
  )
    return true;
  // Pads take digits by touch, too.
  if (part.localName === 'tb-pin-pad' && (part as Element & { pin: string }).pin !== '')
    return true;
  return [...part.children, ...(part.shadowRoot?.children ?? [])].some(isInTheMiddle);
}
