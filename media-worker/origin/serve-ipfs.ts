import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ipfsKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { errorAnswer, type Answer } from '../http/answer';
import { immutable, serveFile } from './serve-file';

/** A version 1 identifier in base 32; nothing else is kept here. */
const grammar = /^\/(b[a-z2-7]{50,100})$/;

/**
 * Answers a GET or HEAD below `/ipfs`, as a gateway does: the bytes whose identifier that is, if they are kept here.
 * @param path what follows `/ipfs`
 */
export async function serveIpfs(
  path: string,
  headers: IncomingHttpHeaders,
  storage: Pick<StorageDriver, 'head' | 'read'>,
): Promise<Answer> {
  const [, cid] = grammar.exec(path) ?? [];
  const nothing = errorAnswer(404, 'Nothing with this identifier is kept here.');
  if (cid === undefined) return nothing;
  const key = ipfsKey(cid);
  const first = await storage.read(key, { start: 0, end: 15 });
  if (!first) return nothing;
  const contentType = typeOf(await buffer(first));
  return (await serveFile(storage, { key, contentType, cacheControl: immutable }, headers)) ?? nothing;
}

/** An identifier says nothing about the type; only two kinds of file are put here. */
function typeOf(begin: Buffer): string {
  if (begin.subarray(4, 8).toString('latin1') === 'ftyp') return 'video/mp4';
  return begin[0] === 0x7b ? 'application/json' : 'application/octet-stream';
}
