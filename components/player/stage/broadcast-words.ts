import type { TimeFormat } from '@/components/ui/time/time-format';
import type { Broadcast } from '@/lib/core/streams/broadcast';

export interface BroadcastWords {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}

const resumes = 'Playback will start automatically if the stream goes live again.';

/**
 * What a viewer is told while there is nothing to play; null while the stream is live.
 * @param now Unix milliseconds; null on the server, which does not know the viewer's time zone
 */
export function broadcastInWords(
  broadcast: Broadcast,
  now: number | null,
  format: TimeFormat,
): BroadcastWords | null {
  const { state, endedAt, recordingId } = broadcast;
  switch (state) {
    case 'live':
      return null;
    case 'starting':
      return { title: 'Starting', text: 'The encoder is connected. Playback will start automatically.' };
    case 'idle':
      return { title: 'Not live yet', text: 'Playback will start automatically.' };
    case 'unavailable':
      return { title: 'Not available', text: 'This stream is not available at the moment.' };
    case 'deleted':
      return { title: 'This stream was deleted', text: 'There is nothing to play at this link.' };
    case 'ended':
      return {
        title: endedAt === undefined || now === null ? 'Ended' : `Ended ${whenInWords(endedAt, now, format)}`,
        text: resumes,
        ...(recordingId === undefined
          ? {}
          : { link: { href: `/watch/${recordingId}`, label: 'Watch the recording' } }),
      };
  }
}

/** "at 13:25" today, otherwise "on May 3 at 13:25". */
function whenInWords(at: number, now: number, format: TimeFormat): string {
  const { date, time } = format;
  if (date(at) === date(now)) return `at ${time(at)}`;
  const year = (day: number) => date(day).slice(-4);
  return `on ${year(at) === year(now) ? format.day(at) : date(at)} at ${time(at)}`;
}
