import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { askNode } from '@/lib/domain/nodes';
import { jsonAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { MAX_SDP_BYTES } from './sdp';

/** The requests that the origin, which has the public HTTP server, sends to the rtc process, which has the WebRTC connections. */

/** Path of the endpoint below the internal URL of the rtc process. */
export const rtcRequestPath = '/requests';
/** Maximum size of a request. JSON escapes the line breaks of a description, so the limit is higher than that of the SDP. */
export const MAX_RTC_REQUEST_BYTES = 2 * MAX_SDP_BYTES;

/** Maximum number of viewers in one request for progress. */
export const MAX_PROGRESS_IDS = 500;

const ipSchema = z.string().max(64);
const sdpSchema = z.string().max(MAX_SDP_BYTES);

const offerFields = {
  ip: ipSchema,
  offer: sdpSchema,
};

const requestSchema = z.discriminatedUnion('kind', [
  /** WHIP: the live process decides whether the key is valid. */
  z.strictObject({ kind: z.literal('publish'), ...offerFields, streamKey: z.string().max(512) }),
  /** WHEP: the origin has admitted the viewer. */
  z.strictObject({
    kind: z.literal('watch'),
    ...offerFields,
    playbackId: z.string().max(64),
    /** Internal URL of the live process that has the stream. */
    live: z.url({ protocol: /^https?$/ }).max(512),
  }),
  z.strictObject({
    kind: z.literal('trickle'),
    id: z.string().max(64),
    ifMatch: z.string().max(256).nullable(),
    fragment: sdpSchema,
  }),
  z.strictObject({ kind: z.literal('close'), id: z.string().max(64) }),
  /** Asks how many bytes were sent to each of these viewers since the previous request, and whether they left. */
  z.strictObject({ kind: z.literal('progress'), ids: z.array(z.string().max(64)).max(MAX_PROGRESS_IDS) }),
]);

export type RtcRequest = z.infer<typeof requestSchema>;
export type OpenRequest = Extract<RtcRequest, { readonly kind: 'publish' | 'watch' }>;
export type PublishOffer = Extract<RtcRequest, { readonly kind: 'publish' }>;
export type WatchOffer = Extract<RtcRequest, { readonly kind: 'watch' }>;

/** Parses a request; null for a body that is not a valid request. */
export function parseRtcRequest(body: string): RtcRequest | null {
  try {
    return requestSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

const headerValueSchema = z.union([z.string(), z.number()]);
const replySchema = z.strictObject({
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), headerValueSchema),
  body: z.string(),
});

/** Wraps the response for the client into the body of a response to the origin. */
export function wrapReply({ status, headers = {}, body = [] }: Answer): Answer {
  return jsonAnswer(200, { status, headers, body: Buffer.concat(body).toString('utf8') });
}

/** Timeout of a request to the rtc process, longer than the admission of a publisher may take. */
const REPLY_TIMEOUT_MS = 15_000;

/**
 * Sends a request to the rtc process of this machine.
 * @returns the response for the client
 * @throws Error if the rtc process does not respond, or its response is invalid
 */
export async function askRtc(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock'>,
  url: string,
  request: RtcRequest,
): Promise<Answer> {
  const internalRequest = {
    url,
    path: rtcRequestPath,
    body: JSON.stringify(request),
    timeoutMs: REPLY_TIMEOUT_MS,
  };
  const { status, ok, body } = await askNode(ctx, internalRequest);
  if (!ok) throw new Error(`the rtc process responded with status ${status}`);
  const reply = replySchema.parse(JSON.parse(body));
  return { status: reply.status, headers: reply.headers, body: [Buffer.from(reply.body)] };
}
