import type { StatusTone } from '@/components/ui/status-pill';
import { reconnecting } from '@/lib/core/streams/stream-doctor';

interface StreamState {
  isActive: boolean;
  suspended: boolean;
  issues?: readonly string[] | null;
}

/** Label and tone of the state of a stream. A suspended stream cannot be live. */
export function streamStatus({ isActive, suspended, issues }: StreamState): {
  label: string;
  tone: StatusTone;
} {
  if (suspended) return { label: 'Suspended', tone: 'warn' };
  if (isActive && issues?.includes(reconnecting)) return { label: 'Reconnecting', tone: 'warn' };
  return isActive ? { label: 'Live', tone: 'live' } : { label: 'Idle', tone: 'idle' };
}
