import type { IncomingHttpHeaders } from 'node:http';
import { logoKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { type Answer, notFoundAnswer } from '@/media-worker/kit/http/answer';
import { immutable, serveFile } from './serve-file';

const grammar = /^\/([a-z0-9]{16}\.png)$/;

/** Answers a GET or HEAD below `/brand`: a new logo has a new name. @param path what follows `/brand` */
export async function serveLogoFile(
  storage: Pick<StorageDriver, 'head' | 'read'>,
  path: string,
  headers: IncomingHttpHeaders,
): Promise<Answer> {
  const [, file] = grammar.exec(path) ?? [];
  const served = { contentType: 'image/png', cacheControl: immutable };
  const answer =
    file === undefined ? null : await serveFile(storage, { key: logoKey(file), ...served }, headers);
  return answer ?? notFoundAnswer('Not found.');
}
