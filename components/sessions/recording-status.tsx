import { useTranslations } from 'use-intl';
import { StatusPill } from '@/components/ui/status-pill';
import { type RecordedSession, recordingState } from './session-text';

/** State of a session's recording as a short label. */
export function RecordingStatus({ session }: { session: RecordedSession }) {
  const t = useTranslations('sessions.recordingStatus');
  const { state, tone } = recordingState(session);
  return <StatusPill tone={tone}>{t(state)}</StatusPill>;
}
