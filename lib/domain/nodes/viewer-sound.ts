import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { askNode } from './ask-node';

/** What the process with the WebRTC connections tells a live node about the sound of a stream. */

export const viewerSoundPath = '/viewer-sound';

const schema = z.strictObject({
  playbackId: z.string().max(64),
  /** Why viewers over WebRTC hear nothing; null: they hear it. */
  reason: z.string().max(1_000).nullable(),
});

export type ViewerSound = z.output<typeof schema>;

/** Null for what none of our processes wrote. */
export function readViewerSound(body: string): ViewerSound | null {
  try {
    return schema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

const answerMs = 2_000;

/** Rejects when the node does not answer. @param url of the live process */
export async function tellViewerSound(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock'>,
  url: string,
  { playbackId, reason }: ViewerSound,
): Promise<void> {
  const body = JSON.stringify({ playbackId, reason: reason?.slice(0, 1_000) ?? null });
  await askNode(ctx, { url, path: viewerSoundPath, body, timeoutMs: answerMs });
}
