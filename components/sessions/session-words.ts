import type { Words } from '@/components/i18n/words';
import type { StatusTone } from '@/components/ui/status-pill';
import type { Session } from '@/lib/contract/sessions/session';
import type { Say } from '@/lib/client/reason-words';
import { asSentence } from '@/components/ui/form/server-sentences';

export type Recorded = Pick<Session, 'record' | 'recordingStatus' | 'isActive'>;

interface RecordingState {
  readonly state:
    | 'notRecorded'
    | 'ready'
    | 'failed'
    | 'deleted'
    | 'recording'
    | 'processing'
    | 'waitingForVideo'
    | 'empty';
  readonly tone: StatusTone;
}

/** What became of the recording of a session, and its colour. */
export function recordingState({ record, recordingStatus, isActive }: Recorded): RecordingState {
  if (!record) return { state: 'notRecorded', tone: 'idle' };
  switch (recordingStatus) {
    case 'ready':
      return { state: 'ready', tone: 'accent' };
    case 'failed':
      return { state: 'failed', tone: 'warn' };
    case 'deleted':
      return { state: 'deleted', tone: 'idle' };
    case 'waiting':
      return isActive ? { state: 'recording', tone: 'live' } : { state: 'processing', tone: 'idle' };
    default:
      return isActive ? { state: 'waitingForVideo', tone: 'idle' } : { state: 'empty', tone: 'idle' };
  }
}

interface NoPictureWords {
  readonly title: string;
  readonly text: string;
}

/** Why a recording is missing or incomplete; undefined if it is not. */
export const recordingErrorIn = (
  { recordingError, recordingErrorReason }: Pick<Session, 'recordingError' | 'recordingErrorReason'>,
  say: Say,
): string | undefined => recordingError && asSentence(say(recordingError, recordingErrorReason));

/**
 * Said in the place of the picture while there is none.
 * @param assetKept the asset made of the recording is still there
 */
export function noPictureWords(
  t: Words<'sessions.noPicture'>,
  session: Recorded & Pick<Session, 'recordingError' | 'recordingErrorReason'>,
  assetKept: boolean,
  say: Say,
): NoPictureWords {
  if (!session.record) return { title: t('notRecorded'), text: t('howToRecord') };
  const { recordingStatus, isActive } = session;
  const recordingError = recordingErrorIn(session, say);
  if (recordingStatus === 'failed') return { title: t('failed'), text: recordingError ?? t('unknownReason') };
  if (recordingStatus === 'deleted')
    return { title: t('deleted'), text: t(assetKept ? 'assetIsKept' : 'howToRestore') };
  if (recordingStatus === 'waiting') {
    return isActive
      ? { title: t('recording'), text: t('whenToPlay') }
      : { title: t('processing'), text: t('playsByItself') };
  }
  return { title: t('nothingRecorded'), text: recordingError ?? t('noVideo') };
}

/** Milliseconds of a gap as seconds. */
export function gapSeconds({ from, to }: { readonly from: number; readonly to: number }): number {
  return Math.max(0, to - from) / 1000;
}
