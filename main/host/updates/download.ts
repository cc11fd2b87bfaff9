import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import { syncFolder } from '../../support/atomic-file.ts';
import { NoRoomError, requireRoom } from '../../support/disk-space.ts';
import { httpClient } from '../../support/http-client.ts';
import type { FeedFile } from './feed.ts';
import { versionFolder } from './versions.ts';

/** A server that is slower is given up. */
const downloadTimeoutMs = 10 * 60_000;

/**
 * The bytes as they arrive. @throws Error in plain words: no answer, another one than 200, more
 * than `maxBytes`
 */
async function* bytesAt(
  url: string,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(downloadTimeoutMs)]);
  const answer = await httpClient(url, { redirect: 'manual', signal: limit }).catch(
    (error: unknown) => {
      throw new Error(`${url}: no answer: ${messageOf(error)}`);
    },
  );
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(
      `${url}: answered ${answer.status}${answer.status >= 300 && answer.status < 400 ? ', and redirects are not followed' : ''}`,
    );
  }
  let receivedBytes = 0;
  for await (const part of answer.body ?? []) {
    receivedBytes += part.length;
    if (receivedBytes > maxBytes) throw new Error(`${url}: is longer than ${maxBytes} bytes`);
    yield part;
  }
}

async function fetchSmall(url: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytesAt(url, maxBytes, signal)) parts.push(part);
  return Buffer.concat(parts);
}

export const maxFeedBytes = 8_000_000;

/**
 * A file, whose signature is beside it in `….sig`: Ed25519 over its bytes, in base64.
 * @throws Error in plain words, also when the key has not signed it: nothing of it has been read
 * then
 */
export async function fetchSigned(
  url: string,
  publicKey: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = await fetchSmall(url, maxBytes, signal);
  const signature = (await fetchSmall(`${url}.sig`, 200, signal)).toString().trim();
  if (!verify(null, bytes, publicKeyIn(publicKey), Buffer.from(signature, 'base64')))
    throw new Error('the feed is not signed by the key of the settings');
  return bytes;
}

/** The 32 bytes of an Ed25519 key behind the head that every such key has. */
const publicKeyIn = (base64: string): KeyObject =>
  createPublicKey({
    key: Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(base64, 'base64'),
    ]),
    format: 'der',
    type: 'spki',
  });

interface PackageOptions {
  /** The address below which `files/` is. */
  readonly feed: string;
  readonly version: string;
  readonly files: readonly FeedFile[];
  readonly updates: string;
  /** The running program, from which equal files are copied. */
  readonly program: string;
  readonly signal: AbortSignal;
}

/**
 * Brings a version's files; those that an interrupted download has left are kept. The folder has
 * its name when all are there. Files are read and written without waiting for the disk: payments go
 * on.
 */
export async function fetchPackage({
  feed,
  version,
  files,
  updates,
  program,
  signal,
}: PackageOptions): Promise<void> {
  const folder = versionFolder(updates, version);
  const partial = `${folder}.partial`;
  // The files of an earlier download are read again, because they may have changed.
  if (existsSync(folder) && !existsSync(partial)) await rename(folder, partial);
  try {
    await complete(partial, { feed, files, program, signal });
  } catch (error) {
    // What takes the room that payments need is not kept for later.
    if (error instanceof NoRoomError || systemCodeOf(error) === 'ENOSPC')
      await rm(partial, { recursive: true, force: true });
    throw error;
  }
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  syncFolder(dirname(folder));
}

async function complete(
  partial: string,
  { feed, files, program, signal }: Pick<PackageOptions, 'feed' | 'files' | 'program' | 'signal'>,
): Promise<void> {
  const missing: FeedFile[] = [];
  for (const file of files)
    if (!(await hasContent(join(partial, file.path), file))) missing.push(file);
  await mkdir(partial, { recursive: true, mode: 0o700 });
  requireRoom(
    partial,
    missing.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  for (const file of missing) {
    signal.throwIfAborted();
    const path = join(partial, file.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rm(path, { force: true });
    const own = join(program, file.path);
    const isOwn = await hasContent(own, file);
    await writeFile(
      path,
      isOwn ? createReadStream(own) : bytesAt(`${feed}/files/${file.sha256}`, file.bytes, signal),
      file,
    );
  }
}

async function hasContent(path: string, { bytes, sha256 }: FeedFile): Promise<boolean> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size !== bytes) return false;
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Uint8Array);
  return hash.digest('hex') === sha256;
}

/** @throws Error when it is not what the feed lists; then there is no file */
async function writeFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { path: name, bytes, sha256, executable }: FeedFile,
): Promise<void> {
  const opened = await open(path, 'wx', executable ? 0o700 : 0o600);
  const hash = createHash('sha256');
  let receivedBytes = 0;
  try {
    for await (const part of content) {
      hash.update(part);
      receivedBytes += part.length;
      await opened.writeFile(part);
    }
    if (receivedBytes < bytes)
      throw new Error(`${name}: ended after ${receivedBytes} of ${bytes} bytes`);
    if (hash.digest('hex') !== sha256) throw new Error(`${name}: does not match the feed`);
    await opened.sync();
  } catch (error) {
    await opened.close();
    await rm(path, { force: true });
    throw error;
  }
  await opened.close();
}
