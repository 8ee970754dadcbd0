import { z } from 'zod';
import { pushOutcomes, type TargetFinding, targetTestOutcomes } from '@/lib/core/targets/target-test';
import type { SystemContext } from '@/lib/domain/context';
import { askNode } from '@/lib/domain/nodes';
import { readAddress } from '@/lib/infra/node-address';

/** Requests of a live process to the process that has WebRTC connections, about targets that take WHIP. */
export const whipOrderPath = '/whip-targets';

const destination = { url: z.string().max(2_000), token: z.string().max(1_100).nullable() };
const pushId = z.string().max(64);

const orderSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('open'),
    ...destination,
    /** Of the live process that has the packets. */
    live: z.url({ protocol: /^https?$/ }).max(512),
    path: z.string().max(100),
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
  /** Of the push, while it goes on; null for a test, and after its end. */
  id: pushId.nullable(),
  /** Why it has ended, or what a test found. */
  finding: findingSchema.nullable(),
  /** Bytes of media that were sent. */
  bytes: z.number().min(0),
  /** Since the receiver reported new packets, although some were sent. */
  stalledMs: z.number().min(0),
});

export type WhipReply = z.infer<typeof replySchema>;

export const replyOfFinding = (finding: TargetFinding): WhipReply => ({
  id: null,
  finding,
  bytes: 0,
  stalledMs: 0,
});

/** Null for what none of our processes wrote. */
export function readWhipOrder(body: string): WhipOrder | null {
  try {
    return orderSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

export type AskWhip = (order: WhipOrder) => Promise<WhipReply>;

/** Longer than a target may take to answer an offer, and to connect. */
const replyMs = 20_000;

/** Asks the process of this machine. Rejects when it does not answer. */
export function askWhip(ctx: Pick<SystemContext, 'settings' | 'secrets' | 'clock'>): AskWhip {
  return async (order) => {
    const { rtcPort, dataDir } = ctx.settings;
    if (rtcPort === undefined) return replyOfFinding({ outcome: 'webrtc_off' });
    const url = await readAddress(dataDir, 'rtc');
    if (url === null) throw new Error('the address of the rtc process is not known');
    const body = JSON.stringify(order);
    const answer = await askNode(ctx, { url, path: whipOrderPath, body, timeoutMs: replyMs });
    if (!answer.ok) throw new Error(`the rtc process answers ${answer.status}`);
    return replySchema.parse(JSON.parse(answer.body));
  };
}
