/**
 * Waits at most `maxMs`, so that a tool never hangs.
 * @param what is awaited, for the error; a function says it when the time is over
 * @throws Error that names what did not happen
 */
export async function bounded<Value>(
  awaited: Promise<Value>,
  what: string | (() => string),
  maxMs = 60_000,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const say = (): string => (typeof what === 'string' ? what : what());
    timer = setTimeout(() => reject(new Error(`not within ${maxMs / 1_000} s: ${say()}`)), maxMs);
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}
