import { findWatchable } from '@/app/watch/find-watchable';
import { watchUrl } from '@/components/player/pages/share-links';
import { createCalendarFile } from '@/lib/core/streams/calendar-file';
import { getServices } from '@/lib/http/services';

export const dynamic = 'force-dynamic';

/**
 * The announced start of a stream as an iCalendar file (RFC 5545); 404 if the playback id is unknown or no start is
 * announced.
 */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ playbackId: string }> },
): Promise<Response> {
  const { playbackId } = await params;
  const playback = await findWatchable(playbackId);
  const startsAt = playback?.publicStatus?.startsAt;
  if (!playback || startsAt === undefined) return new Response('No start is announced.\n', { status: 404 });
  const { settings, clock } = getServices();
  const file = createCalendarFile({
    uid: `${playbackId}@${new URL(settings.baseUrl).hostname}`,
    title: playback.title,
    description: playback.description ?? null,
    url: watchUrl(settings.baseUrl, playbackId),
    startsAt,
    createdAt: clock.now().getTime(),
  });
  return new Response(file, {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="stream.ics"',
      'Cache-Control': 'no-store',
    },
  });
}
