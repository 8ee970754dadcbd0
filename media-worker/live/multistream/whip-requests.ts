import { z } from 'zod';
import { pushOutcomes, type TargetFinding, targetTestOutcomes } from '@/lib/core/targets/target-finding';
import type { SystemContext } from '@/lib/domain/context';
import { askNode } from '@/lib/domain/nodes';
import { readProcessUrl } from '@/lib/infra/process-urls';

/** Path of the requests about WHIP targets, which a live process sends to the rtc process. */
export const whipRequestPath = '/whip-targets';

const destinationFields = { url: z.string().max(2_000), token: z.string().max(1_100).nullable() };
const pushIdSchema = z.string().max(64);

const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('open'),
    ...destinationFields,
    /** Internal URL of the live process that has the packets. */
    live: z.url({ protocol: /^https?$/ }).max(512),
    streamId: z.uuid(),
    playbackId: z.string().max(64),
    folder: z.string().regex(/^[\w~-]{1,200}$/),
    videoOnly: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('test'), ...destinationFields }),
  z.strictObject({ kind: z.literal('progress'), id: pushIdSchema }),
  z.strictObject({ kind: z.literal('close'), id: pushIdSchema }),
]);

export type WhipRequest = z.infer<typeof requestSchema>;
export type WhipOpenRequest = Extract<WhipRequest, { readonly kind: 'open' }>;

const findingSchema = z.strictObject({
  outcome: z.enum([...targetTestOutcomes, ...pushOutcomes]),
  detail: z.string().max(500).exactOptional(),
});

const replySchema = z.strictObject({
  /** Id of a running push; null for a test, and after its end. */
  id: pushIdSchema.nullable(),
  /** The reason why the push ended, or the result of a test. */
  finding: findingSchema.nullable(),
  /** Bytes of media sent. */
  bytes: z.number().min(0),
  /** Time for which the receiver has reported no new packets although some were sent. */
  stalledMs: z.number().min(0),
});

export type WhipReply = z.infer<typeof replySchema>;

export const replyOfFinding = (finding: TargetFinding): WhipReply => ({
  id: null,
  finding,
  bytes: 0,
  stalledMs: 0,
});

/** Parses a request; null for a body that is not a valid request. */
export function parseWhipRequest(body: string): WhipRequest | null {
  try {
    return requestSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

export type AskWhip = (request: WhipRequest) => Promise<WhipReply>;

/** Timeout of a request, longer than a target may take to answer an offer and to connect. */
const REPLY_TIMEOUT_MS = 20_000;
/** The rtc process closes a push without requests itself, so its end does not wait for a process that does not respond. */
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Creates a function that sends requests to the rtc process of this machine. It rejects if the process does not
 * respond.
 */
export function createAskWhip(ctx: Pick<SystemContext, 'settings' | 'secrets' | 'clock'>): AskWhip {
  return async (request) => {
    const { rtcPort, dataDir } = ctx.settings;
    if (rtcPort === undefined) return replyOfFinding({ outcome: 'webrtc_off' });
    const url = await readProcessUrl(dataDir, 'rtc');
    if (url === null) throw new Error('the rtc process has no address');
    const body = JSON.stringify(request);
    const timeoutMs = request.kind === 'close' ? CLOSE_TIMEOUT_MS : REPLY_TIMEOUT_MS;
    const answer = await askNode(ctx, { url, path: whipRequestPath, body, timeoutMs });
    if (!answer.ok) throw new Error(`the rtc process responded with status ${answer.status}`);
    return replySchema.parse(JSON.parse(answer.body));
  };
}
