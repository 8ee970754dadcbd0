import type { Translator } from '@/components/i18n/messages';
import type { StatusTone } from '@/components/ui/status-pill';
import type { Profile } from '@/lib/contract/streams/profile';
import { formatBitrate } from '@/components/ui/figures';
import type { Language } from '@/messages/languages';

/** Size, bitrate and frame rate: "1280×720 · 3.0 Mbit/s · 30 fps". */
export function describeRendition(
  t: Translator<'streams.renditionTexts'>,
  { width, height, bitrate, fps, fpsDen = 1 }: Profile,
  language: Language,
): string {
  const frameRate =
    fps === 0 ? t('sourceFrameRate') : t('fps', { fps: Math.round((fps / fpsDen) * 100) / 100 });
  return [`${width}×${height}`, formatBitrate(bitrate, language), frameRate].join(' · ');
}

interface LiveState {
  readonly isActive: boolean;
  readonly issues: readonly string[] | null;
}

/**
 * State of a rendition; null while the stream is idle. It is derived from the issues of the stream, which are recognized
 * by their English text (lib/core/reasons/messages/streams.ts).
 */
export function renditionState(
  t: Translator<'streams.renditionTexts'>,
  name: string,
  { isActive, issues }: LiveState,
): { readonly label: string; readonly tone: StatusTone } | null {
  if (!isActive) return null;
  for (const issue of issues ?? []) {
    if (issue.startsWith('renditions need video')) return { label: t('state.leftOut'), tone: 'warn' };
    if (!issue.startsWith(`rendition "${name}" `)) continue;
    return { label: t(issue.includes('is paused: ') ? 'state.paused' : 'state.leftOut'), tone: 'warn' };
  }
  return issues?.some((issue) => issue.startsWith('transcoding failed'))
    ? { label: t('state.restarting'), tone: 'warn' }
    : { label: t('state.running'), tone: 'accent' };
}
