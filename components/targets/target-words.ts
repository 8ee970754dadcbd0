import { durationInWords } from '@/components/ui/time-words';
import type { StatusTone } from '@/components/ui/status-pill';
import type { TargetStatus } from '@/lib/contract/targets/multistream';

const words: Record<TargetStatus['state'], { tone: StatusTone; label: string }> = {
  disconnected: { tone: 'idle', label: 'Not sending' },
  waiting: { tone: 'idle', label: 'Waiting' },
  connecting: { tone: 'accent', label: 'Connecting' },
  connected: { tone: 'live', label: 'Live' },
  error: { tone: 'warn', label: 'Failed' },
};

export function statusOf({
  state,
  disabled,
}: Pick<TargetStatus, 'state' | 'disabled'>): (typeof words)[TargetStatus['state']] {
  return disabled && state === 'disconnected' ? { tone: 'idle', label: 'Disabled' } : words[state];
}

/** Bits a second: "2.9 Mbit/s". */
export function bitrateInWords(bitrate: number): string {
  return bitrate >= 1_000_000
    ? `${(bitrate / 1_000_000).toFixed(1)} Mbit/s`
    : `${Math.round(bitrate / 1_000)} kbit/s`;
}

/** What there is to say about a target beside its state; empty when nothing. */
export function detailOf({ state, uptime, bitrate, lastError }: TargetStatus): string {
  if (state === 'connected') {
    return bitrate > 0 ? `${durationInWords(uptime)} · ${bitrateInWords(bitrate)}` : durationInWords(uptime);
  }
  const failing = state === 'error' || state === 'connecting';
  if (failing && lastError) return sentence(lastError.message);
  return state === 'waiting' ? 'Starts when video arrives.' : '';
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
