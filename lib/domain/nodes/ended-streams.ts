import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { ORIGIN_SILENT_MS } from '@/lib/core/nodes/playback-home';
import { within } from '@/lib/infra/within';
import { askNode } from './ask-node';
import { findNodes } from './nodes';

/** Path at which an origin learns which streams have ended. */
export const endedStreamsPath = '/ended-streams';

/** Playback ids per request between nodes, limited by the body size. */
const maxTold = 500;

const toldSchema = z.array(z.string().regex(/^[a-z0-9]{16}$/)).max(maxTold);
const answerSchema = z.strictObject({ keptMs: z.number().min(0) });

/** How long caches in front of an origin may still answer with a playlist of these streams. */
export type EndedStreamsAnswer = z.infer<typeof answerSchema>;

/** Playback ids; null for what none of our processes wrote. */
export function readEndedStreams(body: string): readonly string[] | null {
  try {
    return toldSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/** An origin that does not answer keeps a playlist for less. */
const timeoutMs = 400;
/** `s-maxage` of a live playlist, and its way to the cache. */
const maxKeptMs = 1_100;

/**
 * Tells all origins that these streams can no longer be played, and waits until neither they nor the caches in front of
 * them answer with a playlist: `stream.idle` says so. Call it when no live node has them. Never rejects, and takes
 * 1.9 s at most: an origin that is gone or cannot be reached is not waited for longer.
 */
export async function tellOriginsEnded(ctx: Context, playbackIds: readonly string[]): Promise<void> {
  const origins = await within(timeoutMs, findNodes(ctx, ORIGIN_SILENT_MS)).catch(() => []);
  const urls = origins.flatMap(({ role, url }) => (role === 'origin' ? [url] : []));
  const confirmations = await Promise.all(urls.map((url) => tellOrigin(ctx, url, playbackIds)));
  const keptMs = Math.min(maxKeptMs, Math.max(0, ...confirmations));
  if (keptMs > 0) await delay(keptMs);
}

/** @returns for how many milliseconds caches in front of it may answer */
async function tellOrigin(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock' | 'log'>,
  url: string,
  playbackIds: readonly string[],
): Promise<number> {
  const parts = Array.from({ length: Math.ceil(playbackIds.length / maxTold) }, (_, part) =>
    JSON.stringify(playbackIds.slice(part * maxTold, (part + 1) * maxTold)),
  );
  try {
    const confirmations = await Promise.all(
      parts.map(async (body) => {
        const {
          ok,
          status,
          body: answer,
        } = await askNode(ctx, { url, path: endedStreamsPath, body, timeoutMs });
        if (!ok) throw new Error(`status ${status}`);
        return answerSchema.parse(JSON.parse(answer)).keptMs;
      }),
    );
    return Math.max(0, ...confirmations);
  } catch (error) {
    ctx.log.debug({ err: error, url }, 'origin not told of ended streams');
    return 0;
  }
}
