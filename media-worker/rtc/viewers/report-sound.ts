import type { SystemContext } from '@/lib/domain/context';
import { tellViewerSound } from '@/lib/domain/nodes';

/**
 * Reports to the live process of a stream whether its viewers over WebRTC hear its audio.
 * @param live address of the live process
 * @param reason why they do not; null if they do
 */
export function reportSound(
  ctx: SystemContext,
  { live, playbackId }: { readonly live: string; readonly playbackId: string },
  reason: string | null,
): void {
  if (reason !== null) ctx.log.warn({ playbackId, reason }, 'audio for WebRTC viewers failed');
  // A failed report is not retried, because the next change is reported anyway.
  tellViewerSound(ctx, live, { playbackId, reason }).catch((error: unknown) =>
    ctx.log.debug({ err: error, playbackId }, 'audio state not reported to the live process'),
  );
}
