import { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { isMissing, s3StatusOf } from './s3-client';
import type { StoredRange } from './storage-driver';
import { omitUndefined } from '@/lib/core/omit-undefined';

interface ObjectLocation {
  readonly bucket: string;
  readonly key: string;
}

/** Maximum consecutive resumptions of an interrupted read without progress. */
const MAX_RESUMPTIONS = 3;

/**
 * Reads an object. A broken connection is resumed at its position with the same version of the object, so that long reads
 * continue.
 * @returns null if the object does not exist
 */
export async function readS3(
  client: S3Client,
  location: ObjectLocation,
  range: StoredRange | undefined,
): Promise<Readable | null> {
  const abort = new AbortController();
  const firstObject = await openObject(client, location, range, { signal: abort.signal });
  if (!firstObject) return null;
  const bytes = resumeRead(firstObject, (offset) =>
    openObject(
      client,
      location,
      { start: (range?.start ?? 0) + offset, ...(range ? { end: range.end } : {}) },
      { signal: abort.signal, etag: firstObject.etag },
    ),
  );
  const stream = Readable.from(bytes, { objectMode: false, highWaterMark: 256 * 1024 });
  return stream.once('close', () => {
    // The body is destroyed even if it was never read.
    firstObject.body.destroy();
    abort.abort();
  });
}

interface OpenObject {
  readonly body: Readable;
  readonly etag: string | undefined;
  /** Length of the body. */
  readonly bytes: number;
}

/**
 * The bytes of an object, read again from the position of each failure.
 * @param reopen opens the same object at an offset from the start of the first read
 */
async function* resumeRead(
  { body, bytes, etag }: OpenObject,
  reopen: (offset: number) => Promise<OpenObject | null>,
): AsyncGenerator<Buffer> {
  let readBytes = 0;
  let source = body;
  for (let failureCount = 0; readBytes < bytes;) {
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        readBytes += chunk.length;
        failureCount = 0;
        yield chunk;
      }
      if (readBytes < bytes) throw new Error('The object ended before its length');
    } catch (error) {
      failureCount += 1;
      if (failureCount > MAX_RESUMPTIONS) throw error;
      const reopened = await reopen(readBytes);
      // Services without conditional reads return the new version instead of an error.
      if (!reopened || reopened.etag !== etag) {
        reopened?.body.destroy();
        throw error;
      }
      source = reopened.body;
    }
  }
}

async function openObject(
  client: S3Client,
  { bucket, key }: ObjectLocation,
  range: { readonly start: number; readonly end?: number } | undefined,
  { signal, etag }: { readonly signal: AbortSignal; readonly etag?: string | undefined },
): Promise<OpenObject | null> {
  try {
    const { Body, ETag, ContentLength } = await client.send(
      new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ...(range ? { Range: `bytes=${range.start}-${range.end ?? ''}` } : {}),
        ...omitUndefined({ IfMatch: etag }),
      }),
      { abortSignal: signal },
    );
    if (!(Body instanceof Readable)) return { body: Readable.from([]), etag: ETag, bytes: 0 };
    return { body: Body, etag: ETag, bytes: ContentLength ?? 0 };
  } catch (error) {
    if (isMissing(error)) return null;
    // S3 rejects every range of an empty object.
    if (s3StatusOf(error) === 416) return { body: Readable.from([]), etag: undefined, bytes: 0 };
    throw error;
  }
}
