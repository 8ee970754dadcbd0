import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { askNode } from './ask-node';

/** Path at which a live process accepts a publisher that is connected to another process. */
export const publishesPath = '/publishes';

const requestSchema = z.strictObject({
  streamKey: z.string().min(1).max(512),
  /** IP address of the publisher. */
  ip: z.string().max(64),
  /** Tracks that the publisher announces. */
  tracks: z.strictObject({
    picture: z.boolean(),
    sound: z.strictObject({ sampleRate: z.int().optional(), channels: z.int().optional() }).nullable(),
  }),
  /** URL of the publisher's packets, as FLV. */
  url: z.url({ protocol: /^https?$/ }).max(512),
});
/** A publisher whose connection is in another process than its stream. */
export type RemotePublishRequest = z.infer<typeof requestSchema>;

/** Parses a request body; null if it is malformed. */
export function readPublishRequest(body: string): RemotePublishRequest | null {
  try {
    return requestSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

const responseSchema = z.strictObject({
  admission: z.enum(['admitted', 'refused', 'draining', 'unknown']),
  /** Present if the publisher is admitted. */
  about: z.strictObject({ streamId: z.uuid(), sessionId: z.uuid() }).optional(),
});
export type RemotePublishResponse = z.infer<typeof responseSchema>;

/** Timeout of the request, long enough for a live process that waits for the database. */
const TIMEOUT_MS = 12_000;

/**
 * Asks a live process to accept a publisher.
 * @throws Error if the process does not respond, or responds with an error status
 */
export async function requestPublish(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock'>,
  liveUrl: string,
  request: RemotePublishRequest,
): Promise<RemotePublishResponse> {
  const body = JSON.stringify(request);
  const {
    ok,
    status,
    body: text,
  } = await askNode(ctx, { url: liveUrl, path: publishesPath, body, timeoutMs: TIMEOUT_MS });
  if (!ok) throw new Error(`the live process responded with ${status}`);
  return responseSchema.parse(JSON.parse(text));
}
