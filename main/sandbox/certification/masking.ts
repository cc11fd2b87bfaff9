/**
 * Keeps credentials, tokens and what identifies a customer out of the report (document 4, sections
 * 2 and 8).
 */
import { parseAnswer } from '../../wallets/http/json.ts';

const mask = '***';
const secretName = /secret|token$|password|api.?key/i;

export class Masking {
  /** The values of known secrets, which are masked wherever they occur. */
  readonly #secrets = new Set<string>();

  /** @param secrets known before anything was sent */
  constructor(secrets: readonly string[]) {
    for (const secret of secrets) this.#learn(secret);
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const masked = Object.entries(headers).map(([name, value]): [string, string] => {
      if (name.toLowerCase() !== 'authorization') return [name, this.text(value)];
      const [scheme = '', ...proof] = value.split(' ');
      this.#learn(proof.join(' '));
      return [name, `${scheme} ${mask}`];
    });
    return Object.fromEntries(masked);
  }

  body(text: string): string {
    const json = parseAnswer(text);
    return this.text(
      typeof json === 'object' && json !== null
        ? JSON.stringify(json, (name, value: unknown) => this.#field(name, value))
        : text,
    );
  }

  text(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) masked = masked.replaceAll(secret, mask);
    return masked;
  }

  #field(name: string, value: unknown): unknown {
    if (!secretName.test(name) || typeof value !== 'string' || value === '') return value;
    this.#learn(value);
    return mask;
  }

  #learn(secret: string): void {
    // A secret of a few letters would mask ordinary words of the report.
    if (secret.length >= 4) this.#secrets.add(secret);
  }
}
