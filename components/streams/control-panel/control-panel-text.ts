import type { Translator } from '@/components/i18n/messages';
import { formatBitrate } from '@/components/ui/figures';
import { formatDuration } from '@/components/ui/time-text';
import type { StreamHealthSample } from '@/lib/contract/streams/stream-health';
import type { PanelTile } from '@/lib/core/streams/control-panel';
import type { Language } from '@/messages/languages';

type PanelTranslator = Translator<'streams.controlPanel'>;

/** State of an input, such as "Silent for 4 s". */
export function describeState(t: PanelTranslator, { input, state, silentMs }: PanelTile): string {
  if (state === 'silent') return t('state.silent', { time: formatDuration((silentMs ?? 0) / 1_000) });
  if (input === 'slate' && state === 'unknown') return t('state.ready');
  return t(`state.${state}`);
}

interface SlateFacts {
  /** Longest time for which the slate is shown, in seconds; null: the whole reconnect window. */
  readonly slateSeconds: number | null;
}

/**
 * Bitrate, size and frame rate of an encoder. For the encoder on air, the latest measurement is used, which is newer
 * than the report of the node. A slate has no measurements, so the longest time for which it is shown is returned.
 * @param latest newest measurement of the stream; null without one
 */
export function formatFigures(
  t: PanelTranslator,
  language: Language,
  { input, state, encoder }: PanelTile,
  { slateSeconds }: SlateFacts,
  latest: StreamHealthSample | null,
): readonly string[] {
  if (input === 'slate') {
    if (state === 'off') return [];
    return [
      t('pictureAndSilence'),
      slateSeconds === null ? t('upToWindow') : t('upTo', { time: formatDuration(slateSeconds) }),
    ];
  }
  const latestSample = state === 'on-air' ? latest : null;
  const measured = latestSample ?? encoder;
  if (!measured || state === 'unknown' || state === 'missing') return [];
  const size = latestSample?.video ?? encoder;
  const { bitrate, fps } = measured;
  return [
    formatBitrate(bitrate, language),
    ...(size?.width && size.height ? [`${size.width}×${size.height}`] : []),
    ...(fps ? [t('fps', { fps: Math.round(fps * 10) / 10 })] : []),
  ];
}
