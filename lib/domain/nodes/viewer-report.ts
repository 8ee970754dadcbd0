import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { askNode } from './ask-node';

/** Path at which an origin receives viewers that it counts but does not serve. */
export const viewersPath = '/viewers';

/** Playbacks per request between nodes, limited by the body size. */
export const MAX_PLAYBACKS_PER_REPORT = 300;

const playbackId = z.string().regex(/^[a-z0-9]{16}$/);
const viewerToken = z.string().regex(/^[0-9a-f]{8}[A-Za-z0-9_-]{20}$/);
const playbackSchema = z.tuple([playbackId, viewerToken]);
const reportSchema = z.array(playbackSchema).max(MAX_PLAYBACKS_PER_REPORT);

/** Playback id of a watched stream and the token of its viewer. */
export type SeenPlayback = Readonly<z.infer<typeof playbackSchema>>;

/** Parses a request body; null if it is malformed. */
export function readViewerReport(body: string): readonly SeenPlayback[] | null {
  try {
    return reportSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Timeout of the request to the other node. */
const TIMEOUT_MS = 1_000;

/**
 * Reports playbacks that were served here to the origin that counts them. Rejects if the origin did not accept the report.
 */
export async function reportViewers(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock'>,
  url: string,
  playbacks: readonly SeenPlayback[],
): Promise<void> {
  const request = { url, path: viewersPath, body: JSON.stringify(playbacks), timeoutMs: TIMEOUT_MS };
  const response = await askNode(ctx, request).catch((cause: unknown) => {
    throw new Error(`origin at ${url} did not respond`, { cause });
  });
  if (!response.ok) throw new Error(`origin at ${url} responded to a viewer report with ${response.status}`);
}
