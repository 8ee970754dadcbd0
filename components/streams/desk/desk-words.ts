import type { Words } from '@/components/i18n/words';
import { bitrateInWords } from '@/components/ui/figures';
import { durationInWords } from '@/components/ui/time-words';
import type { StreamHealthSample } from '@/lib/contract/streams/stream-health';
import type { DeskTile } from '@/lib/core/streams/control-desk';
import type { Language } from '@/messages/languages';

type DeskWords = Words<'streams.controlDesk'>;

/** What one can expect of an input now: "Silent for 4 s". */
export function stateInWords(t: DeskWords, { input, state, silentMs }: DeskTile): string {
  if (state === 'silent') return t('state.silent', { time: durationInWords((silentMs ?? 0) / 1_000) });
  if (input === 'slate' && state === 'unknown') return t('state.ready');
  return t(`state.${state}`);
}

interface SlateFacts {
  readonly slateSeconds: number | null;
}

/**
 * Bitrate, size and frame rate of an encoder; of the one on air as last measured, which is newer than what its node reported.
 * Of a slate, how long it stands.
 */
export function figuresInWords(
  t: DeskWords,
  language: Language,
  { input, state, encoder }: DeskTile,
  { slateSeconds }: SlateFacts,
  latest: StreamHealthSample | null,
): readonly string[] {
  if (input === 'slate') {
    if (state === 'off') return [];
    return [
      t('pictureAndSilence'),
      slateSeconds === null ? t('upToWindow') : t('upTo', { time: durationInWords(slateSeconds) }),
    ];
  }
  if (!encoder || state === 'unknown') return [];
  const latestSample = state === 'on-air' ? latest : null;
  const size = latestSample?.video ?? encoder;
  const fps = latestSample ? latestSample.fps : encoder.fps;
  return [
    bitrateInWords(latestSample?.bitrate ?? encoder.bitrate, language),
    ...(size.width && size.height ? [`${size.width}×${size.height}`] : []),
    ...(fps ? [t('fps', { fps: Math.round(fps * 10) / 10 })] : []),
  ];
}
