import type { Clock } from '@/lib/infra/clock';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import { Renditions } from '@/media-worker/media/packaging/rendition';
import { observeLateness } from '@/media-worker/media/packaging/segment-lateness';
import { LiveWindow } from '@/media-worker/media/packaging/window';
import type { ProgressMeter } from './progress-meter';

interface RenditionsOptions {
  readonly clock: Clock;
  readonly meter: Pick<ProgressMeter, 'countSegment' | 'countTranscodedSegment' | 'recordMedia'>;
  readonly fromMsn?: number;
}

interface MeteredSession {
  readonly publish: AuthorizedPublish;
  readonly silentMs: number | null;
}

/** Opens the renditions of a session and counts their segments. */
export function openRenditions(
  { clock, meter, fromMsn = 0 }: RenditionsOptions,
  session: MeteredSession,
): Renditions {
  // The window starts after the media of this session that another process packaged, so that the timeline continues
  // for players and the recording.
  const window = new LiveWindow({ clock, fromMsn, startMs: session.publish.sessionAgeMs ?? 0 });
  const renditions = new Renditions(window);
  window.observe(observeLateness('source', clock));
  window.observe({
    onSegment: (segment) => {
      // The slate is not media of an encoder, so it does not count and keeps no session open.
      if (segment.isSlate) return;
      meter.countSegment(session.publish, segment);
      if (session.silentMs !== null) meter.recordMedia(session.publish, session.silentMs);
    },
  });
  renditions.observe({
    onAdd: (rendition) => {
      if (!rendition.isTranscoded) return;
      rendition.window.observe(observeLateness('transcoded', clock));
      rendition.window.observe({
        onSegment: (segment) => meter.countTranscodedSegment(session.publish, segment),
      });
    },
    onRemove: () => undefined,
  });
  return renditions;
}

/** Ends all playlists. A transcoded rendition ends when its encoder is idle, a little after the source. */
export function endPlaylists({ source, all }: Renditions): void {
  source.window.end();
  for (const rendition of all.filter((candidate) => candidate !== source)) {
    void rendition.waitUntilIdle().then(() => rendition.window.end());
  }
}
