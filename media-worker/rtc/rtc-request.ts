import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { askNode } from '@/lib/domain/nodes';
import { jsonAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { MAX_SDP_BYTES } from './sdp';

/** Requests of the origin, which has the public HTTP server, to the rtc process, which has the connections. */

/** Path of the endpoint below the internal address of the rtc process. */
export const rtcRequestPath = '/requests';
/** JSON escapes the line breaks of a description, so the limit is higher. */
export const MAX_RTC_REQUEST_BYTES = 2 * MAX_SDP_BYTES;

/** Maximum number of viewers in one request for progress. */
export const MAX_PROGRESS_IDS = 500;

const address = z.string().max(64);
const sdp = z.string().max(MAX_SDP_BYTES);

const openSchema = {
  ip: address,
  offer: sdp,
};

const requestSchema = z.discriminatedUnion('kind', [
  /** WHIP: the live process decides whether the key is valid. */
  z.strictObject({ kind: z.literal('publish'), ...openSchema, streamKey: z.string().max(512) }),
  /** WHEP: the origin has admitted the viewer. */
  z.strictObject({
    kind: z.literal('watch'),
    ...openSchema,
    playbackId: z.string().max(64),
    /** Address of the live process that has the stream. */
    live: z.url({ protocol: /^https?$/ }).max(512),
  }),
  z.strictObject({
    kind: z.literal('trickle'),
    id: z.string().max(64),
    ifMatch: z.string().max(256).nullable(),
    fragment: sdp,
  }),
  z.strictObject({ kind: z.literal('close'), id: z.string().max(64) }),
  /** Asks which of these viewers are still connected, and how many bytes they received (viewer-sessions.ts). */
  z.strictObject({ kind: z.literal('progress'), ids: z.array(z.string().max(64)).max(MAX_PROGRESS_IDS) }),
]);

export type RtcRequest = z.infer<typeof requestSchema>;
export type OpenRequest = Extract<RtcRequest, { readonly kind: 'publish' | 'watch' }>;
export type PublishOffer = Extract<RtcRequest, { readonly kind: 'publish' }>;
export type WatchOffer = Extract<RtcRequest, { readonly kind: 'watch' }>;

/** Parses a request; null for a body that is not a valid request. */
export function readRtcRequest(body: string): RtcRequest | null {
  try {
    return requestSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

const headerValue = z.union([z.string(), z.number()]);
const replySchema = z.strictObject({
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), headerValue),
  body: z.string(),
});

/** Wraps the answer for the client as an answer between two processes. */
export function replyOf({ status, headers = {}, body = [] }: Answer): Answer {
  return jsonAnswer(200, { status, headers, body: Buffer.concat(body).toString('utf8') });
}

/** Longer than the admission of a publisher may take, ms. */
const replyMs = 15_000;

/** Sends a request to the rtc process of this machine. @throws Error if it does not respond */
export async function askRtc(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock'>,
  url: string,
  request: RtcRequest,
): Promise<Answer> {
  const internalRequest = { url, path: rtcRequestPath, body: JSON.stringify(request), timeoutMs: replyMs };
  const { status, ok, body } = await askNode(ctx, internalRequest);
  if (!ok) throw new Error(`the rtc process responded with status ${status}`);
  const reply = replySchema.parse(JSON.parse(body));
  return { status: reply.status, headers: reply.headers, body: [Buffer.from(reply.body)] };
}
