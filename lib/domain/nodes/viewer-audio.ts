import { z } from 'zod';
import type { Context } from '@/lib/domain/context';
import { askNode } from './ask-node';

/** Path at which a live node receives reports about the audio of WebRTC viewers. */
export const viewerAudioPath = '/viewer-sound';

const reportSchema = z.strictObject({
  playbackId: z.string().max(64),
  /** Reason why WebRTC viewers hear nothing; null if they hear the audio. */
  reason: z.string().max(1_000).nullable(),
});

/** Report about the audio of a stream, from the process that has the WebRTC connections of its viewers. */
export type ViewerAudio = z.output<typeof reportSchema>;

/** Parses a report in a request body; null if it is malformed. */
export function readViewerAudio(body: string): ViewerAudio | null {
  try {
    return reportSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

const TIMEOUT_MS = 2_000;

/**
 * Sends a report to a live node. Rejects if the node does not respond.
 * @param url URL of the live process
 */
export async function reportViewerAudio(
  ctx: Pick<Context, 'settings' | 'secrets' | 'clock'>,
  url: string,
  { playbackId, reason }: ViewerAudio,
): Promise<void> {
  const body = JSON.stringify({ playbackId, reason: reason?.slice(0, 1_000) ?? null });
  await askNode(ctx, { url, path: viewerAudioPath, body, timeoutMs: TIMEOUT_MS });
}
