import type { Words } from '@/components/i18n/words';
import type { StatusTone } from '@/components/ui/status-pill';
import { asSentence } from '@/components/ui/form/server-sentences';
import { bitrateInWords } from '@/components/ui/figures';
import { durationInWords } from '@/components/ui/time-words';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import type { Language } from '@/messages/languages';
import type { Say } from '@/lib/client/reason-words';

const tones: Record<TargetStatus['state'], StatusTone> = {
  disconnected: 'idle',
  waiting: 'idle',
  connecting: 'accent',
  connected: 'live',
  error: 'warn',
};

interface Status {
  readonly tone: StatusTone;
  readonly label: string;
}

export function statusOf(
  t: Words<'targets.targetWords'>,
  { state, disabled }: Pick<TargetStatus, 'state' | 'disabled'>,
): Status {
  return disabled && state === 'disconnected'
    ? { tone: 'idle', label: t('state.disabled') }
    : { tone: tones[state], label: t(`state.${state}`) };
}

/** What there is to say about a target beside its state; empty when nothing. */
export function detailOf(
  t: Words<'targets.targetWords'>,
  { state, uptime, bitrate, lastError }: TargetStatus,
  language: Language,
  say: Say,
): string {
  if (state === 'connected') {
    const duration = durationInWords(uptime);
    return bitrate > 0 ? `${duration} · ${bitrateInWords(bitrate, language)}` : duration;
  }
  const failing = state === 'error' || state === 'connecting';
  if (failing && lastError) return asSentence(say(lastError.message, lastError.reason));
  return state === 'waiting' ? t('whenItStarts') : '';
}
