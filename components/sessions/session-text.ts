import type { Translator } from '@/components/i18n/messages';
import type { StatusTone } from '@/components/ui/status-pill';
import type { Session } from '@/lib/contract/sessions/session';
import { airStateOfSession } from '@/lib/core/streams/air-state';
import type { TranslateMessage } from '@/lib/client/server-messages';
import { asSentence } from '@/components/ui/form/server-messages';

/** The fields of a session that determine the state of its recording. */
export type RecordedSession = Pick<Session, 'record' | 'recordingStatus' | 'state' | 'sourceSegments'>;

interface RecordingState {
  readonly state:
    | 'onAir'
    | 'notRecorded'
    | 'ready'
    | 'failed'
    | 'deleted'
    | 'recording'
    | 'processing'
    | 'waitingForEncoder'
    | 'empty';
  readonly tone: StatusTone;
}

/** State of a session and the color that shows it. A failed or deleted recording takes precedence over the live state. */
export function recordingState(session: RecordedSession): RecordingState {
  const { record, recordingStatus } = session;
  if (record && recordingStatus === 'failed') return { state: 'failed', tone: 'warn' };
  if (record && recordingStatus === 'deleted') return { state: 'deleted', tone: 'idle' };
  switch (airStateOfSession(session)) {
    case 'onAir':
      return { state: record ? 'recording' : 'onAir', tone: 'live' };
    case 'waitingForEncoder':
      return { state: 'waitingForEncoder', tone: 'idle' };
    case 'processing':
      return { state: 'processing', tone: 'idle' };
    case 'ready':
      return { state: 'ready', tone: 'accent' };
    case 'off':
      return { state: record ? 'empty' : 'notRecorded', tone: 'idle' };
  }
}

interface NoVideoTexts {
  readonly title: string;
  readonly text: string;
}

/** Why a recording is missing or incomplete; undefined for a complete recording. */
export const recordingErrorIn = (
  { recordingError, recordingErrorReason }: Pick<Session, 'recordingError' | 'recordingErrorReason'>,
  translateMessage: TranslateMessage,
): string | undefined => recordingError && asSentence(translateMessage(recordingError, recordingErrorReason));

/**
 * Title and text shown in place of the player while there is no video to play.
 * @param isAssetKept whether the asset of the recording still exists
 */
export function noVideoText(
  t: Translator<'sessions.withoutVideo'>,
  session: RecordedSession & Pick<Session, 'recordingError' | 'recordingErrorReason'>,
  isAssetKept: boolean,
  translateMessage: TranslateMessage,
): NoVideoTexts {
  if (!session.record) return { title: t('notRecorded'), text: t('howToRecord') };
  const recordingError = recordingErrorIn(session, translateMessage);
  switch (recordingState(session).state) {
    case 'failed':
      return { title: t('failed'), text: recordingError ?? t('unknownReason') };
    case 'deleted':
      return { title: t('deleted'), text: t(isAssetKept ? 'assetIsKept' : 'howToRestore') };
    case 'recording':
      return { title: t('recording'), text: t('whenToPlay') };
    case 'waitingForEncoder':
      return { title: t('waitingForEncoder'), text: t('continuesOrEnds') };
    case 'processing':
      return { title: t('processing'), text: t('playsByItself') };
    default:
      return { title: t('nothingRecorded'), text: recordingError ?? t('noVideo') };
  }
}

/** Duration of a gap in seconds; `from` and `to` are in milliseconds. */
export function gapSeconds({ from, to }: { readonly from: number; readonly to: number }): number {
  return Math.max(0, to - from) / 1000;
}
