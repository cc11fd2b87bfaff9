/**
 * Keeps what was typed in a step and not saved by the daemon yet over a reload of this window.
 * Never used for secrets.
 */
const prefix = 'tillbeacon.setup.';

export function typed(step: string): Record<string, unknown> {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + step) ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

export function keepInput(step: string, form: object): void {
  sessionStorage.setItem(prefix + step, JSON.stringify(form));
}

/** Secrets stay in memory only, until this window is reloaded. */
const secrets = new Map<string, string>();

/**
 * Key of a token that was created in this window: the example commands of the test payment contain
 * it.
 */
export const tokenKey = 'tillToken';

export const unsavedSecret = (step: string): string => secrets.get(step) ?? '';

export const hasUnsavedSecret = (): boolean => secrets.size > 0;

export function keepSecret(step: string, secret: string): void {
  secrets.set(step, secret);
}

/** @param step without it the input of all steps is forgotten, because another draft begins */
export function forgetInput(step?: string): void {
  if (step === undefined) secrets.clear();
  else {
    secrets.delete(step);
    return sessionStorage.removeItem(prefix + step);
  }
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}
