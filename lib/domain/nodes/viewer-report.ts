import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { askNode } from './ask-node';

/** Path at which an origin learns of viewers that it counts but does not serve. */
export const viewersPath = '/viewers';

/** Playbacks per request between nodes, limited by the body size. */
export const maxReported = 300;

const playbackSchema = z.tuple([
  z.string().regex(/^[a-z0-9]{16}$/),
  z.string().regex(/^[0-9a-f]{8}[A-Za-z0-9_-]{20}$/),
]);
const reportSchema = z.array(playbackSchema).max(maxReported);

/** Playback id of a watched stream and the token of its viewer. */
export type SeenPlayback = Readonly<z.infer<typeof playbackSchema>>;

/** Null for what none of our processes wrote. */
export function readViewerReport(body: string): readonly SeenPlayback[] | null {
  try {
    return reportSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

const timeoutMs = 1_000;

/** Tells an origin which of the playbacks that it counts were served here. Rejects when it did not take that in. */
export async function reportViewers(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock'>,
  url: string,
  playbacks: readonly SeenPlayback[],
): Promise<void> {
  const question = { url, path: viewersPath, body: JSON.stringify(playbacks), timeoutMs };
  const response = await askNode(ctx, question).catch((cause: unknown) => {
    throw new Error(`origin at ${url} does not answer`, { cause });
  });
  if (!response.ok) throw new Error(`origin at ${url} answered a report of viewers with ${response.status}`);
}
