import type { IncomingHttpHeaders } from 'node:http';
import type { StorageDriver } from '@/lib/infra/storage';
import { errorAnswer, type Answer, type Delivery, type Headers } from '../http/answer';
import { byteRange } from './byte-range';

/** A stored file as viewers get it. */
export interface ServedFile {
  readonly key: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** How it is called when it is saved: the `Content-Disposition` header. */
  readonly disposition?: string;
  /** Whose usage it is; `seconds` of media in the whole file, null when that is not known here. */
  readonly delivery?: Pick<Delivery, 'of' | 'id'> & { readonly seconds: number | null };
}

/** For what never changes under its name. */
export const immutable = 'public, max-age=31536000, immutable';

/**
 * Answers a GET or HEAD with a stored file: whole, a range of it, or "not modified" (RFC 9110 §13, §14); null when there
 * is no such file.
 */
export async function serveFile(
  storage: Pick<StorageDriver, 'head' | 'read'>,
  { key, contentType, cacheControl, disposition, delivery: whose }: ServedFile,
  request: IncomingHttpHeaders,
): Promise<Answer | null> {
  const stored = await storage.head(key);
  if (!stored) return null;
  const etag = `"${stored.etag}"`;
  const headers: Headers = { 'Cache-Control': cacheControl, ETag: etag };
  if (request['if-none-match'] === etag) return { status: 304, headers };
  const file: Headers = {
    ...headers,
    'Content-Type': contentType,
    'Accept-Ranges': 'bytes',
    'Last-Modified': stored.modifiedAt.toUTCString(),
    ...(disposition === undefined ? {} : { 'Content-Disposition': disposition }),
  };
  const delivery = whose && deliveryOf(whose, stored.bytes);
  const common = { headers: file, ...(delivery ? { delivery } : {}) };
  const open = async (range?: { readonly start: number; readonly end: number }) => {
    const source = await storage.read(key, range);
    if (!source) throw new Error('The file was removed meanwhile');
    return source;
  };
  // A range of another version would be of no use (RFC 9110 §13.1.5).
  const ranged = request['if-range'] === undefined || request['if-range'] === etag;
  const range = ranged ? byteRange(request.range, stored.bytes) : 'whole';
  if (range === 'whole') {
    return { status: 200, ...common, stream: { bytes: stored.bytes, open: () => open() } };
  }
  if (range === 'unsatisfiable') {
    return errorAnswer(416, 'The file has no such bytes.', { 'Content-Range': `bytes */${stored.bytes}` });
  }
  const { start, end } = range;
  return {
    ...common,
    status: 206,
    headers: { ...file, 'Content-Range': `bytes ${start}-${end}/${stored.bytes}` },
    stream: { bytes: end - start + 1, open: () => open(range) },
  };
}

function deliveryOf({ of, id, seconds }: NonNullable<ServedFile['delivery']>, bytes: number): Delivery {
  return { of, id, secondsPerByte: seconds === null ? null : seconds / Math.max(1, bytes) };
}
