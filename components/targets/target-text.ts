import type { Translator } from '@/components/i18n/messages';
import type { StatusTone } from '@/components/ui/status-pill';
import { asSentence } from '@/components/ui/form/server-messages';
import { formatBitrate } from '@/components/ui/figures';
import { formatDuration } from '@/components/ui/time-text';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import type { Language } from '@/messages/languages';
import type { TranslateMessage } from '@/lib/client/server-messages';

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

/** Label of the state of a target, with its tone. A disabled target that is still sending is shown as live. */
export function statusOf(
  t: Translator<'targets.targetTexts'>,
  { state, disabled }: Pick<TargetStatus, 'state' | 'disabled'>,
): Status {
  return disabled && state === 'disconnected'
    ? { tone: 'idle', label: t('state.disabled') }
    : { tone: tones[state], label: t(`state.${state}`) };
}

/** Detail about the state of a target: duration and bitrate, or the last error; may be empty. */
export function detailOf(
  t: Translator<'targets.targetTexts'>,
  { state, uptime, bitrate, lastError }: TargetStatus,
  language: Language,
  translateMessage: TranslateMessage,
): string {
  if (state === 'connected') {
    const duration = formatDuration(uptime);
    return bitrate > 0 ? `${duration} · ${formatBitrate(bitrate, language)}` : duration;
  }
  const hasFailed = state === 'error' || state === 'connecting';
  if (hasFailed && lastError) return asSentence(translateMessage(lastError.message, lastError.reason));
  return state === 'waiting' ? t('whenItStarts') : '';
}
