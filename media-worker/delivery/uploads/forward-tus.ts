import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { claimUpload, findUploadMachine, readUploadToken } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { ORIGIN_SILENT_MS } from '@/lib/core/nodes/playback-home';
import { processName, uploadSlotOf } from '@/lib/core/nodes/process-slots';
import { readProcessUrl } from '@/lib/infra/process-urls';
import { requestNode } from '@/lib/infra/node-http';
import type { NodeTlsFiles } from '@/lib/infra/tls/node-tls-settings';
import { findOriginUrl } from '@/lib/domain/nodes';
import { errorAnswer, send } from '@/media-worker/kit/http/answer';
import { queryValue, pathOf } from '@/media-worker/kit/http/request-url';
import { attemptOfUpload } from './upload-store';
import { tusPath, type TusUploads } from './upload-tus';

/**
 * Set on forwarded requests. A request is forwarded at most once between machines and once between processes of a
 * machine, so two origins that disagree never pass it back and forth.
 */
const forwardedHeader = 'headwater-forwarded';
const forwardedBetweenMachines = '1';
const forwardedBetweenProcesses = '2';
/** Headers of one connection, not of the request. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host'];
const unavailableAnswer = errorAnswer(503, 'The upload is temporarily unavailable. Try again.', {
  'Retry-After': 5,
  'Tus-Resumable': '1.0.0',
});

type Handler = Pick<TusUploads, 'handle'>;

/** The origin that has to handle a request. */
interface Destination {
  /** URL of the origin with the upload. */
  readonly url: string;
  readonly forwardedFlag: typeof forwardedBetweenMachines | typeof forwardedBetweenProcesses;
}

interface ForwardRequest extends Destination {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tls: NodeTlsFiles | undefined;
}

/**
 * Creates a handler that forwards tus requests. The bytes of an upload are on the machine that created it, so a
 * request that reaches another origin is forwarded there. If that machine is gone, the client gets 404 and creates
 * its upload again at this one. Among several origins of one machine, always the same one writes an upload.
 * @param machineId null if unknown: nothing is forwarded to other machines
 */
export function createTusForwarder(
  ctx: WorkerContext,
  machineId: string | null,
  ownHandler: Handler,
): Handler {
  /**
   * Finds the other machine that has the upload; null if this machine has it, or no running one. A POST claims an
   * upload whose machine is gone for this machine.
   */
  const findOtherMachine = async (request: IncomingMessage, assetId: string): Promise<Destination | null> => {
    if (machineId === null) return null;
    for (;;) {
      const ownerId = await findUploadMachine(ctx, assetId);
      if (ownerId === machineId) return null;
      const url = ownerId && (await findOriginUrl(ctx, ownerId, ORIGIN_SILENT_MS));
      if (url) return { url, forwardedFlag: forwardedBetweenMachines };
      if (request.method !== 'POST') return null;
      // If another machine has claimed the upload meanwhile, its URL is looked up.
      if (await claimUpload(ctx, { assetId, machineId, previousMachineId: ownerId })) return null;
    }
  };
  /** Finds the origin that has to handle the request; null if this process has to. */
  const findDestination = async (request: IncomingMessage): Promise<Destination | null> => {
    const assetId = findAssetId(ctx, request);
    const flag = request.headers[forwardedHeader];
    if (assetId === null || flag === forwardedBetweenProcesses) return null;
    if (flag === undefined) {
      // Without the database, requests for other machines cannot be forwarded, but requests for this machine are still answered.
      const otherMachine = await findOtherMachine(request, assetId).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'machine of an upload not found');
        return null;
      });
      if (otherMachine) return otherMachine;
    }
    const slot = uploadSlotOf(assetId, ctx.settings.processes.origin);
    if (slot === ctx.settings.slot) return null;
    const url = await readProcessUrl(ctx.settings.dataDir, processName('origin', slot));
    return url === null ? null : { url, forwardedFlag: forwardedBetweenProcesses };
  };
  return {
    async handle(request, response) {
      const destination = await findDestination(request);
      if (destination === null) return ownHandler.handle(request, response);
      await forward({ request, response, tls: ctx.settings.internalTls, ...destination }).catch(
        (error: unknown) => {
          ctx.log.warn({ err: error, url: destination.url }, 'upload request not forwarded');
          if (response.headersSent) response.destroy();
          else send(response, unavailableAnswer);
        },
      );
    },
  };
}

/** The asset id of the upload that a request is for; null if its upload id or token is not valid. */
function findAssetId(ctx: WorkerContext, request: IncomingMessage): string | null {
  const id = pathOf(request.url).slice(tusPath.length + 1);
  try {
    if (id !== '') return attemptOfUpload(ctx, id).assetId;
    const token = queryValue(request.url, 'token') ?? '';
    return readUploadToken(ctx.secrets, token, ctx.clock.now().getTime())?.assetId ?? null;
  } catch {
    return null;
  }
}

async function forward({ request, response, url, forwardedFlag, tls }: ForwardRequest): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !connectionHeaders.includes(name)),
  );
  const outgoing = requestNode(tls, url + (request.url ?? ''), {
    method: request.method,
    headers: { ...headers, [forwardedHeader]: forwardedFlag },
  });
  const responseHead = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  // The response may arrive before the end of the body, for example a rejection or a full disk.
  pipeline(request, outgoing).catch(() => undefined);
  const answer = await responseHead;
  const forwardedHeaders = Object.entries(answer.headers).filter(
    ([name]) => !connectionHeaders.includes(name),
  );
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(forwardedHeaders));
  await pipeline(answer, response);
}
