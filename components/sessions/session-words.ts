import type { StatusTone } from '@/components/ui/status-pill';
import type { Session } from '@/lib/contract/sessions/session';

type Recorded = Pick<Session, 'record' | 'recordingStatus' | 'isActive'>;

/** What became of the recording of a session, in a word, and its colour. */
export function recordingWord({ record, recordingStatus, isActive }: Recorded): {
  label: string;
  tone: StatusTone;
} {
  if (!record) return { label: 'Not recorded', tone: 'idle' };
  switch (recordingStatus) {
    case 'ready':
      return { label: 'Ready', tone: 'accent' };
    case 'failed':
      return { label: 'Failed', tone: 'warn' };
    case 'deleted':
      return { label: 'Deleted', tone: 'idle' };
    case 'waiting':
      return isActive ? { label: 'Recording', tone: 'live' } : { label: 'Processing', tone: 'idle' };
    default:
      return isActive ? { label: 'Waiting for video', tone: 'idle' } : { label: 'Empty', tone: 'idle' };
  }
}

/**
 * Said in the place of the picture while there is none.
 * @param assetKept the asset made of the recording is still there
 */
export function noPictureWords(
  session: Recorded & Pick<Session, 'recordingError'>,
  assetKept: boolean,
): {
  title: string;
  text: string;
} {
  if (!session.record) {
    return {
      title: 'This session was not recorded',
      text: 'Turn on recording for the stream to record the next session.',
    };
  }
  const { recordingStatus, recordingError, isActive } = session;
  if (recordingStatus === 'failed') {
    return { title: 'The recording failed', text: recordingError ?? 'Unknown reason.' };
  }
  if (recordingStatus === 'deleted') {
    return {
      title: 'The recording was deleted',
      text: assetKept
        ? 'It was deleted with its stream. The asset made from it is kept.'
        : 'It was deleted with its stream or its asset. You can restore an asset for seven days.',
    };
  }
  if (recordingStatus === 'waiting') {
    return isActive
      ? {
          title: 'Recording',
          text: 'You can play it here after the stream ends.',
        }
      : { title: 'Processing the recording', text: 'Playback will start automatically.' };
  }
  return { title: 'Nothing was recorded', text: recordingError ?? 'No video arrived in this session.' };
}

/** Milliseconds of a gap as seconds. */
export function gapSeconds({ from, to }: { readonly from: number; readonly to: number }): number {
  return Math.max(0, to - from) / 1000;
}
