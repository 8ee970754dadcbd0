import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { StorageDriver } from '@/lib/infra/storage';
import type { StoredRange } from '@/lib/infra/storage/storage-driver';
import type { Answer, Delivery } from '../http/answer';
import { serveBytes } from './serve-bytes';

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
  const { bytes, etag, modifiedAt } = stored;
  return serveBytes(
    {
      ...{ bytes, etag: `"${etag}"`, headers: { 'Cache-Control': cacheControl } },
      described: {
        'Content-Type': contentType,
        'Last-Modified': modifiedAt.toUTCString(),
        ...(disposition === undefined ? {} : { 'Content-Disposition': disposition }),
      },
      open: (range) => openStored(storage, key, range),
      ...(whose ? { delivery: deliveryOf(whose, bytes) } : {}),
    },
    request,
  );
}

/** @throws Error when it is gone since somebody looked */
export async function openStored(
  storage: Pick<StorageDriver, 'read'>,
  key: string,
  range?: StoredRange,
): Promise<Readable> {
  const source = await storage.read(key, range);
  if (!source) throw new Error('The file was removed meanwhile');
  return source;
}

function deliveryOf({ of, id, seconds }: NonNullable<ServedFile['delivery']>, bytes: number): Delivery {
  return { of, id, secondsPerByte: seconds === null ? null : seconds / Math.max(1, bytes) };
}
