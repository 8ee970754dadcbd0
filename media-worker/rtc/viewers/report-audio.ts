import type { SystemContext } from '@/lib/domain/context';
import { reportViewerAudio } from '@/lib/domain/nodes';

/**
 * Reports to the live process of a stream whether its WebRTC viewers hear its audio.
 * @param reason why viewers hear no audio; null if they hear it
 */
export function reportAudio(
  ctx: SystemContext,
  { liveUrl, playbackId }: { readonly liveUrl: string; readonly playbackId: string },
  reason: string | null,
): void {
  if (reason !== null) ctx.log.warn({ playbackId, reason }, 'audio for WebRTC viewers failed');
  // A failed report is not retried, because the next change is reported anyway.
  reportViewerAudio(ctx, liveUrl, { playbackId, reason }).catch((error: unknown) =>
    ctx.log.debug({ err: error, playbackId }, 'audio state not reported to the live process'),
  );
}
