import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { publishSources, takeoverAnswers, type TakeoverAnswer } from '@/lib/core/streams/publish-admission';
import { askNode, isRefusedConnection } from './ask-node';

/** Path at which a live node is asked to hand over a stream. */
export const takeoverPath = '/takeovers';

const requestSchema = z.strictObject({
  streamId: z.uuid(),
  /** Number of the publish that would end. */
  run: z.int(),
  source: z.enum(publishSources),
});
export type TakeoverRequest = z.infer<typeof requestSchema>;

const responseSchema = z.strictObject({ answer: z.enum(takeoverAnswers) });

/** Parses a request body; null if it is malformed. */
export function readTakeoverRequest(body: string): TakeoverRequest | null {
  try {
    return requestSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Timeout of the request, a part of the 4.5 s within which the waiting encoder is admitted or rejected. */
const TIMEOUT_MS = 1_500;
/** Silence after which a process counts as gone: more than one missed heartbeat, as nodes send one every 2 s. */
const MISSING_MS = 3_000;

interface Holder {
  readonly url: string;
  /** Milliseconds since the last heartbeat. */
  readonly unseenMs: number;
}

/**
 * Asks the holder of a stream whether a new publisher may take it over. A holder that does not respond keeps the stream,
 * unless its process is gone: nothing listens at its URL, and its heartbeats have stopped.
 */
export async function requestTakeover(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock' | 'log'>,
  holder: Holder,
  request: TakeoverRequest,
): Promise<TakeoverAnswer> {
  try {
    const response = await askNode(ctx, {
      url: holder.url,
      path: takeoverPath,
      body: JSON.stringify(request),
      timeoutMs: TIMEOUT_MS,
    });
    if (response.ok) return responseSchema.parse(JSON.parse(response.body)).answer;
    ctx.log.warn(
      { status: response.status, streamId: request.streamId },
      'live node rejected a takeover request',
    );
  } catch (error) {
    if (isRefusedConnection(error) && holder.unseenMs > MISSING_MS) return 'yield';
    ctx.log.warn({ err: error, streamId: request.streamId }, 'live node did not respond');
  }
  return 'refuse';
}
