import type { ServerOptions } from '@tus/server';
import { interruptUpload, reserveUpload, startUpload } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { StorageError } from '@/lib/infra/storage';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import { readStorageRoom, readUploadLimit } from '@/lib/domain/quotas';
import { type UploadStore, attemptOfUpload } from './upload-store';

/** A request, as the library shows it. */
type Incoming = Parameters<NonNullable<ServerOptions['onIncomingRequest']>>[0];

/**
 * Takes the lease of an upload, and room in the quota of its team, before a request with bytes is read. The library asks
 * for the limit of the size before or after that: both are answered once for each request.
 */
export function admitTus(ctx: WorkerContext, store: UploadStore) {
  const admitted = new WeakMap<Incoming, Promise<number>>();
  const begin = async (request: Incoming, id: string): Promise<number> => {
    const attempt = attemptOfUpload(ctx, id);
    const limit = await readUploadLimit(ctx, attempt.assetId);
    const { whole, expected } = await sizeOf(request, store, id);
    if (whole !== null && whole > limit)
      throw new AppError('payload_too_large', `The file is too large; at most ${limit} bytes are accepted.`);
    if ((await freeDiskSpace(ctx.settings.dataDir)) < expected) throw new StorageError('full', id);
    await startUpload(ctx, attempt);
    // Bytes of unknown number may take all the room that is left. The library takes 0 for no limit.
    const room = whole ?? (await readStorageRoom(ctx, attempt.assetId)) ?? limit;
    const most = Math.max(whole ?? 1, Math.min(limit, room));
    try {
      // Its end was noticed before the lease was taken.
      if (request.runtime?.node?.res?.destroyed) throw new AppError('unavailable', 'The client has left.');
      await reserveUpload(ctx, attempt.assetId, most);
    } catch (error) {
      const kept = (await store.find(id))?.offset ?? 0;
      await interruptUpload(ctx, attempt, kept);
      throw error;
    }
    return Math.max(1, most);
  };
  const admit = (request: Incoming, id: string): Promise<number> => {
    const before = admitted.get(request) ?? begin(request, id);
    admitted.set(request, before);
    return before;
  };
  return {
    /** @throws AppError `not_found`, `conflict`, `invalid`, `payment_required`, `payload_too_large`; StorageError `full` */
    async admit(request: Incoming, id: string): Promise<void> {
      if (sendsBytes(request)) await admit(request, id);
    },
    /** Bytes that the file may have. */
    maxBytes: (request: Incoming, id: string): Promise<number> =>
      sendsBytes(request) ? admit(request, id) : readUploadLimit(ctx, attemptOfUpload(ctx, id).assetId),
  };
}

const sendsBytes = ({ method }: Incoming): boolean => method === 'POST' || method === 'PATCH';

/** @returns `whole`: bytes of the file, as far as the request says them; null where they have no end */
async function sizeOf(
  { headers }: Incoming,
  store: UploadStore,
  id: string,
): Promise<{ readonly whole: number | null; readonly expected: number }> {
  const number = (name: string) => {
    const value = headers.get(name);
    return value === null ? null : Number(value);
  };
  const before = await store.find(id);
  const expected = number('upload-length') ?? number('content-length') ?? 0;
  const declared = number('upload-length') ?? before?.size ?? null;
  if (declared !== null) return { whole: declared, expected };
  if (headers.get('transfer-encoding') !== null) return { whole: null, expected };
  return { whole: (before?.offset ?? 0) + (number('content-length') ?? 0), expected };
}
