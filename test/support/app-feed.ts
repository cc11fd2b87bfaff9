/**
 * A signed feed of the app's versions, as `npm run update-feed -- --app` writes it of what
 * electron-builder has made, served from this machine.
 */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
// @ts-expect-error: a script, without types
import { publicKeyOf, writeAppFeed } from '../../scripts/update-feed.mjs';

export const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

export class AppFeed {
  /** Number of requests so far. */
  asked = 0;
  readonly #folder: string;
  readonly #key = newKey();
  readonly #server: Server;

  static async start(folder: string): Promise<AppFeed> {
    const feed = new AppFeed(folder);
    await new Promise<void>((done) => feed.#server.listen(0, '127.0.0.1', done));
    return feed;
  }

  private constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, 'feed'));
    this.#server = createServer(({ url = '' }, response) => {
      this.asked += 1;
      const file = join(folder, 'feed', new URL(url, 'http://feed').pathname);
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    });
  }

  /** In the format of `updates` in the settings. */
  get settings(): { feed: string; publicKey: string } {
    return {
      feed: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      publicKey: publicKeyOf(this.#key) as string,
    };
  }

  /** @param content of the file, where that is not what is listed */
  offer(
    image: string,
    version: string,
    { by = this.#key, content = readFileSync(image) } = {},
  ): void {
    const dist = join(this.#folder, `dist-${version}`);
    mkdirSync(dist, { recursive: true });
    const name = basename(image);
    writeFileSync(join(dist, name), content);
    const listed = readFileSync(image);
    const sha512 = createHash('sha512').update(listed).digest('base64');
    const files = `files:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${listed.length}\npath: ${name}\nsha512: ${sha512}\n`;
    writeFileSync(
      join(dist, 'latest-linux.yml'),
      `version: ${version}\n${files}releaseDate: '2026-11-23T12:00:00.000Z'\n`,
    );
    writeAppFeed({
      out: join(this.#folder, 'feed'),
      version,
      minimumVersion: '0.1.0',
      channel: 'stable',
      from: dist,
      key: by,
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
