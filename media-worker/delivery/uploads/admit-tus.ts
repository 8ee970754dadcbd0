import type { ServerOptions } from '@tus/server';
import { interruptUpload, reserveUpload, startUpload } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { StorageError } from '@/lib/infra/storage';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import { readStorageRoom, readUploadLimit } from '@/lib/domain/quotas';
import { type UploadStore, attemptOfUpload } from './upload-store';

/** A request in the type of the tus library. */
type Incoming = Parameters<NonNullable<ServerOptions['onIncomingRequest']>>[0];

/**
 * Takes the lease of an upload and reserves quota before the body of a request is read. The library asks for the size limit
 * before or after that, and each request is admitted once for both.
 */
export function admitTus(ctx: WorkerContext, store: UploadStore) {
  const admissions = new WeakMap<Incoming, Promise<number>>();
  const begin = async (request: Incoming, id: string): Promise<number> => {
    const attempt = attemptOfUpload(ctx, id);
    const limit = await readUploadLimit(ctx, attempt.assetId);
    const { wholeBytes, expectedBytes } = await sizeOf(request, store, id);
    if (wholeBytes !== null && wholeBytes > limit)
      throw new AppError('payload_too_large', `The file is too large; at most ${limit} bytes are accepted.`);
    if ((await freeDiskSpace(ctx.settings.dataDir)) < expectedBytes) throw new StorageError('full', id);
    await startUpload(ctx, attempt);
    // A body of unknown length may take all remaining quota. The library treats 0 as no limit.
    const room = wholeBytes ?? (await readStorageRoom(ctx, attempt.assetId)) ?? limit;
    const maxBytes = Math.max(wholeBytes ?? 1, Math.min(limit, room));
    try {
      // The request ended before the lease was taken.
      if (request.runtime?.node?.res?.destroyed) throw new AppError('unavailable', 'The client has left.');
      await reserveUpload(ctx, attempt.assetId, maxBytes);
    } catch (error) {
      const storedBytes = (await store.find(id))?.offset ?? 0;
      await interruptUpload(ctx, attempt, storedBytes);
      throw error;
    }
    return Math.max(1, maxBytes);
  };
  const admit = (request: Incoming, id: string): Promise<number> => {
    const admission = admissions.get(request) ?? begin(request, id);
    admissions.set(request, admission);
    return admission;
  };
  return {
    /** @throws AppError `not_found`, `conflict`, `invalid`, `payment_required`, `payload_too_large`; StorageError `full` */
    async admit(request: Incoming, id: string): Promise<void> {
      if (sendsBytes(request)) await admit(request, id);
    },
    /** Maximum bytes that the file may have. */
    maxBytes: (request: Incoming, id: string): Promise<number> =>
      sendsBytes(request) ? admit(request, id) : readUploadLimit(ctx, attemptOfUpload(ctx, id).assetId),
  };
}

const sendsBytes = ({ method }: Incoming): boolean => method === 'POST' || method === 'PATCH';

/** @returns `wholeBytes`: size of the file as the request declares it; null when it is unbounded */
async function sizeOf(
  { headers }: Incoming,
  store: UploadStore,
  id: string,
): Promise<{ readonly wholeBytes: number | null; readonly expectedBytes: number }> {
  const number = (name: string) => {
    const value = headers.get(name);
    return value === null ? null : Number(value);
  };
  const upload = await store.find(id);
  const expectedBytes = number('upload-length') ?? number('content-length') ?? 0;
  const declaredBytes = number('upload-length') ?? upload?.size ?? null;
  if (declaredBytes !== null) return { wholeBytes: declaredBytes, expectedBytes };
  if (headers.get('transfer-encoding') !== null) return { wholeBytes: null, expectedBytes };
  return { wholeBytes: (upload?.offset ?? 0) + (number('content-length') ?? 0), expectedBytes };
}
