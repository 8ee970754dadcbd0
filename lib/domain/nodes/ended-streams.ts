import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { ORIGIN_SILENT_MS } from '@/lib/core/nodes/playback-home';
import { within } from '@/lib/infra/within';
import { askNode } from './ask-node';
import { findNodes } from './nodes';

/** Path at which an origin receives the streams that have ended. */
export const endedStreamsPath = '/ended-streams';

/** Playback ids per request between nodes, limited by the body size. */
const MAX_PLAYBACK_IDS = 500;

const playbackIdsSchema = z.array(z.string().regex(/^[a-z0-9]{16}$/)).max(MAX_PLAYBACK_IDS);
const responseSchema = z.strictObject({ keptMs: z.number().min(0) });

/** Time in milliseconds for which caches in front of an origin may still serve a playlist of these streams. */
export type EndedStreamsResponse = z.infer<typeof responseSchema>;

/** Parses a request body; null if it is malformed. */
export function readEndedStreams(body: string): readonly string[] | null {
  try {
    return playbackIdsSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Timeout of a request, longer than the time for which an unresponsive origin can still serve a playlist. */
const TIMEOUT_MS = 400;
/** `s-maxage` of a live playlist, plus the time to reach the cache. */
const MAX_CACHED_MS = 1_100;

/**
 * Notifies all origins that these streams have ended, and waits until neither they nor the caches in front of them serve a
 * playlist, as `stream.idle` promises. Requires that no live node has the streams. Never rejects, and takes 1.9 s at most,
 * even if an origin cannot be reached.
 */
export async function notifyOriginsOfEnd(ctx: Context, playbackIds: readonly string[]): Promise<void> {
  const origins = await within(TIMEOUT_MS, findNodes(ctx, ORIGIN_SILENT_MS)).catch(() => []);
  const urls = origins.flatMap(({ role, url }) => (role === 'origin' ? [url] : []));
  const keptTimesMs = await Promise.all(urls.map((url) => notifyOrigin(ctx, url, playbackIds)));
  const keptMs = Math.min(MAX_CACHED_MS, Math.max(0, ...keptTimesMs));
  if (keptMs > 0) await delay(keptMs);
}

/** @returns time in milliseconds for which caches in front of the origin may still serve a playlist */
async function notifyOrigin(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock' | 'log'>,
  url: string,
  playbackIds: readonly string[],
): Promise<number> {
  const bodies = Array.from({ length: Math.ceil(playbackIds.length / MAX_PLAYBACK_IDS) }, (_, index) =>
    JSON.stringify(playbackIds.slice(index * MAX_PLAYBACK_IDS, (index + 1) * MAX_PLAYBACK_IDS)),
  );
  try {
    const keptTimesMs = await Promise.all(
      bodies.map(async (body) => {
        const {
          ok,
          status,
          body: responseBody,
        } = await askNode(ctx, { url, path: endedStreamsPath, body, timeoutMs: TIMEOUT_MS });
        if (!ok) throw new Error(`the origin responded with status ${status}`);
        return responseSchema.parse(JSON.parse(responseBody)).keptMs;
      }),
    );
    return Math.max(0, ...keptTimesMs);
  } catch (error) {
    ctx.log.debug({ err: error, url }, 'origin did not accept the ended streams');
    return 0;
  }
}
