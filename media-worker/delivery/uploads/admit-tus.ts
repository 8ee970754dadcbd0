import type { ServerOptions } from '@tus/server';
import { interruptUpload, reserveUploadQuota, startUpload } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { StorageError } from '@/lib/infra/storage';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import { readStorageRoom, readUploadLimit } from '@/lib/domain/quotas';
import { type UploadStore, attemptOfUpload } from './upload-store';

/** A request in the type of the tus library. */
type TusRequest = Parameters<NonNullable<ServerOptions['onIncomingRequest']>>[0];

/**
 * Creates the admission of tus requests, which takes the lease of an upload and reserves quota before the body of a
 * request is read. The tus library asks for the size limit before or after that, and each request is admitted once
 * for both.
 */
export function createTusAdmission(ctx: WorkerContext, store: UploadStore) {
  const admissions = new WeakMap<TusRequest, Promise<number>>();
  const admitOnce = async (request: TusRequest, id: string): Promise<number> => {
    const attempt = attemptOfUpload(ctx, id);
    const limit = await readUploadLimit(ctx, attempt.assetId);
    const { wholeBytes, expectedBytes } = await declaredSizeOf(request, store, id);
    if (wholeBytes !== null && wholeBytes > limit)
      throw new AppError('payload_too_large', `The file is too large; at most ${limit} bytes are accepted.`);
    if ((await freeDiskSpace(ctx.settings.dataDir)) < expectedBytes) throw new StorageError('full', id);
    await startUpload(ctx, attempt);
    // A body of unknown length may take all remaining quota. The library treats 0 as no limit.
    const remainingBytes = wholeBytes ?? (await readStorageRoom(ctx, attempt.assetId)) ?? limit;
    const maxBytes = Math.max(wholeBytes ?? 1, Math.min(limit, remainingBytes));
    try {
      // A client that has disconnected gets no reservation, and its lease is released below.
      if (request.runtime?.node?.res?.destroyed) throw new AppError('unavailable', 'The client has left.');
      await reserveUploadQuota(ctx, attempt.assetId, maxBytes);
    } catch (error) {
      const storedBytes = (await store.find(id))?.offset ?? 0;
      await interruptUpload(ctx, attempt, storedBytes);
      throw error;
    }
    return Math.max(1, maxBytes);
  };
  const admit = (request: TusRequest, id: string): Promise<number> => {
    const admission = admissions.get(request) ?? admitOnce(request, id);
    admissions.set(request, admission);
    return admission;
  };
  return {
    /**
     * Admits a request that creates an upload or appends bytes; does nothing for any other request.
     * @throws AppError `not_found`, `conflict`, `invalid`, `payment_required`, `payload_too_large`, and `unavailable` if
     * the client has disconnected; StorageError `full`
     */
    async admit(request: TusRequest, id: string): Promise<void> {
      if (createsOrAppends(request)) await admit(request, id);
    },
    /** Maximum bytes that the file may have. */
    maxBytes: (request: TusRequest, id: string): Promise<number> =>
      createsOrAppends(request) ? admit(request, id) : readUploadLimit(ctx, attemptOfUpload(ctx, id).assetId),
  };
}

const createsOrAppends = ({ method }: TusRequest): boolean => method === 'POST' || method === 'PATCH';

/**
 * @returns `wholeBytes`: size of the whole file as declared; null if unknown. `expectedBytes`: declared bytes for which there
 *   must be disk space: those of the whole file if this request declares them, otherwise those of its body; 0 if neither is
 *   declared
 */
async function declaredSizeOf(
  { headers }: TusRequest,
  store: UploadStore,
  id: string,
): Promise<{ readonly wholeBytes: number | null; readonly expectedBytes: number }> {
  const numberHeader = (name: string) => {
    const value = headers.get(name);
    return value === null ? null : Number(value);
  };
  const upload = await store.find(id);
  const expectedBytes = numberHeader('upload-length') ?? numberHeader('content-length') ?? 0;
  const declaredBytes = numberHeader('upload-length') ?? upload?.size ?? null;
  if (declaredBytes !== null) return { wholeBytes: declaredBytes, expectedBytes };
  if (headers.get('transfer-encoding') !== null) return { wholeBytes: null, expectedBytes };
  return { wholeBytes: (upload?.offset ?? 0) + (numberHeader('content-length') ?? 0), expectedBytes };
}
