import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { askNode } from './ask-node';

/** Path at which a live node receives offers of a standby encoder on another node. */
export const standbysPath = '/standbys';

const offerSchema = z.strictObject({
  streamId: z.uuid(),
  /** Number of the publish that the standby belongs to. */
  run: z.int(),
  /** Whether the encoder used the backup key. */
  isBackup: z.boolean(),
  /** IP address of the encoder. */
  ip: z.string().max(64),
  /** URL of the encoder's packets, as FLV. */
  url: z.url({ protocol: /^https?$/ }).max(512),
});
/** A standby encoder whose connection is on another node than its stream. */
export type StandbyOffer = z.infer<typeof offerSchema>;

/** Parses an offer in a request body; null if it is malformed. */
export function readStandbyOffer(body: string): StandbyOffer | null {
  try {
    return offerSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Timeout of the request to the other node. */
const TIMEOUT_MS = 2_000;

/** Offers a standby encoder to the node that has its stream. */
export async function offerStandby(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock' | 'log'>,
  holder: { readonly url: string },
  offer: StandbyOffer,
): Promise<'taken' | 'declined' | 'no answer'> {
  try {
    const body = JSON.stringify(offer);
    const { ok } = await askNode(ctx, { url: holder.url, path: standbysPath, body, timeoutMs: TIMEOUT_MS });
    return ok ? 'taken' : 'declined';
  } catch (error) {
    ctx.log.warn({ err: error, streamId: offer.streamId }, 'live node did not respond');
    return 'no answer';
  }
}
