import { useTranslations } from 'use-intl';
import { StatusPill, type StatusTone } from '@/components/ui/status-pill';
import { airStateOfStream } from '@/lib/core/streams/air-state';
import { reconnectingIssue } from '@/lib/core/streams/stream-doctor';

interface StreamState {
  isActive: boolean;
  suspended: boolean;
  issues?: readonly string[] | null;
}

interface Status {
  readonly state: 'idle' | 'live' | 'reconnecting' | 'suspended';
  readonly tone: StatusTone;
}

/** State of a stream and its tone. A suspended stream is shown as suspended, even if it is still live. */
export function streamStatus({ isActive, suspended, issues }: StreamState): Status {
  if (suspended) return { state: 'suspended', tone: 'warn' };
  switch (
    airStateOfStream({ isActive, suspended, reconnecting: issues?.includes(reconnectingIssue) ?? false })
  ) {
    case 'onAir':
      return { state: 'live', tone: 'live' };
    case 'waitingForEncoder':
      return { state: 'reconnecting', tone: 'warn' };
    default:
      return { state: 'idle', tone: 'idle' };
  }
}

export function StreamStatus({ stream }: { stream: StreamState }) {
  const t = useTranslations('streams.status');
  const { state, tone } = streamStatus(stream);
  return <StatusPill tone={tone}>{t(state)}</StatusPill>;
}
