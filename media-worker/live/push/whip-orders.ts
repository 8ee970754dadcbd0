import { z } from 'zod';
import { pushOutcomes, type TargetFinding, targetTestOutcomes } from '@/lib/core/targets/target-test';
import type { SystemContext } from '@/lib/domain/context';
import { askNode } from '@/lib/domain/nodes';
import { readAddress } from '@/lib/infra/node-address';

/** Requests of a live process to the process with WebRTC connections, about WHIP targets. */
export const whipOrderPath = '/whip-targets';

const destination = { url: z.string().max(2_000), token: z.string().max(1_100).nullable() };
const pushId = z.string().max(64);

const orderSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('open'),
    ...destination,
    /** Address of the live process that has the packets. */
    live: z.url({ protocol: /^https?$/ }).max(512),
    streamId: z.uuid(),
    playbackId: z.string().max(64),
    folder: z.string().regex(/^[\w~-]{1,200}$/),
    videoOnly: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('test'), ...destination }),
  z.strictObject({ kind: z.literal('progress'), id: pushId }),
  z.strictObject({ kind: z.literal('close'), id: pushId }),
]);

export type WhipOrder = z.infer<typeof orderSchema>;
export type WhipOpenOrder = Extract<WhipOrder, { readonly kind: 'open' }>;

const findingSchema = z.strictObject({
  outcome: z.enum([...targetTestOutcomes, ...pushOutcomes]),
  detail: z.string().max(500).exactOptional(),
});

const replySchema = z.strictObject({
  /** Id of a running push; null for a test, and after its end. */
  id: pushId.nullable(),
  /** Why the push ended, or the result of a test. */
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

/** Parses an order; null for a body that is not a valid order. */
export function readWhipOrder(body: string): WhipOrder | null {
  try {
    return orderSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

export type AskWhip = (order: WhipOrder) => Promise<WhipReply>;

/** Longer than a target may take to answer an offer and to connect, ms. */
const replyMs = 20_000;

/** Sends orders to the rtc process of this machine. Rejects if it does not respond. */
export function askWhip(ctx: Pick<SystemContext, 'settings' | 'secrets' | 'clock'>): AskWhip {
  return async (order) => {
    const { rtcPort, dataDir } = ctx.settings;
    if (rtcPort === undefined) return replyOfFinding({ outcome: 'webrtc_off' });
    const url = await readAddress(dataDir, 'rtc');
    if (url === null) throw new Error('the rtc process has no address');
    const body = JSON.stringify(order);
    const answer = await askNode(ctx, { url, path: whipOrderPath, body, timeoutMs: replyMs });
    if (!answer.ok) throw new Error(`the rtc process responded with status ${answer.status}`);
    return replySchema.parse(JSON.parse(answer.body));
  };
}
