import type { StatusTone } from '@/components/ui/status-pill';

interface StreamState {
  isActive: boolean;
  suspended: boolean;
}

/** The one word for a stream's state, and its colour. Suspended wins: such a stream cannot be live. */
export function streamStatus({ isActive, suspended }: StreamState): { label: string; tone: StatusTone } {
  if (suspended) return { label: 'Suspended', tone: 'warn' };
  return isActive ? { label: 'Live', tone: 'live' } : { label: 'Idle', tone: 'idle' };
}
