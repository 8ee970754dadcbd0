import type { IncomingHttpHeaders } from 'node:http';
import type { StorageDriver } from '@/lib/infra/storage';
import { type Answer, notFoundAnswer } from '@/media-worker/kit/http/answer';
import { immutable } from './cache-control';
import { serveFile } from './serve-file';

const picturePath = /^\/((?:(?:brand|slate)\/[a-z0-9]{16}\.png)|(?:poster\/[a-z0-9]{16}\.jpg))$/;

/**
 * Answers a GET or HEAD below `/brand`, `/slate` and `/poster`. The path is the storage key, and a new picture gets a new
 * name.
 */
export async function servePictureFile(
  storage: Pick<StorageDriver, 'head' | 'read'>,
  path: string,
  headers: IncomingHttpHeaders,
): Promise<Answer> {
  const [, key] = picturePath.exec(path) ?? [];
  const contentType = key?.endsWith('.jpg') ? 'image/jpeg' : 'image/png';
  const fileFields = { contentType, cacheControl: immutable };
  const answer = key === undefined ? null : await serveFile(storage, { key, ...fileFields }, headers);
  return answer ?? notFoundAnswer('Not found.');
}
