import type { IncomingMessage, ServerResponse } from 'node:http';
import { interruptUpload, renewUploadLease } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { toAppError } from '@/lib/core/errors';
import { watchIdle } from './upload-body';
import type { UploadTimings } from './upload-put';
import { type UploadStore, attemptOfUpload } from './upload-store';

/**
 * Creates the function that renews the lease of an upload during a request, disconnects an idle client, and releases
 * the upload if the request ends without a response.
 * @returns a function to call before a request with a body is handled; it returns false if the client has
 * disconnected
 */
export function createLeaseKeeper(ctx: WorkerContext, store: UploadStore, timings: UploadTimings) {
  /** The newest request for each upload, by upload id. */
  const newestRequests = new Map<string, IncomingMessage>();
  const releaseUpload = async (id: string) => {
    // A complete upload is being accepted, or is retried by the sweep.
    const upload = await store.find(id);
    if (upload && upload.offset === upload.size) return;
    await interruptUpload(ctx, attemptOfUpload(ctx, id), upload?.offset ?? 0);
  };
  return (request: IncomingMessage, response: ServerResponse, id: string): boolean => {
    newestRequests.set(id, request);
    const stop = response.destroyed ? () => undefined : renewWhileReceiving(ctx, request, id, timings);
    const onEnd = () => {
      stop();
      // A client that reconnected has a newer request.
      if (newestRequests.get(id) !== request) return;
      newestRequests.delete(id);
      if (response.writableFinished) return;
      void releaseUpload(id).catch((error: unknown) => {
        if (toAppError(error)?.code === 'not_found') return;
        ctx.log.warn({ err: error, id }, 'interrupted upload not released; its lease will expire');
      });
    };
    if (response.destroyed) onEnd();
    else response.once('close', onEnd);
    return !response.destroyed;
  };
}

/**
 * Renews the lease at an interval, and disconnects an idle client.
 * @returns a function that stops both
 */
function renewWhileReceiving(
  ctx: WorkerContext,
  request: IncomingMessage,
  id: string,
  timings: UploadTimings,
): () => void {
  request.socket.setTimeout(0);
  const renewTimer = setInterval(() => {
    // The tus server rejects an invalid id. A failed renewal is repeated at the next interval.
    Promise.resolve()
      .then(() => renewUploadLease(ctx, attemptOfUpload(ctx, id)))
      .catch(() => undefined);
  }, timings.leaseRenewalMs);
  const stopWatching = watchIdle(request, timings.idleTimeoutMs, () => request.socket.destroy());
  return () => {
    clearInterval(renewTimer);
    stopWatching();
  };
}
