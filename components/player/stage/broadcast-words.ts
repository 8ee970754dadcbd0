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
export function broadcastInWords(broadcast: Broadcast, now: number | null): BroadcastWords | null {
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
        title: endedAt === undefined || now === null ? 'Ended' : `Ended ${whenInWords(endedAt, now)}`,
        text: resumes,
        ...(recordingId === undefined
          ? {}
          : { link: { href: `/watch/${recordingId}`, label: 'Watch the recording' } }),
      };
  }
}

/** "at 13:25" today, otherwise "on 3 May at 13:25", in the viewer's time zone. */
function whenInWords(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (then.toDateString() === today.toDateString()) return `at ${time}`;
  const sameYear = then.getFullYear() === today.getFullYear();
  const day = then.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
  return `on ${day} at ${time}`;
}
