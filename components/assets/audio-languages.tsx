import { useTranslations } from 'use-intl';
import type { VideoSpec } from '@/lib/contract/assets/media-spec';
import { useLanguageNames } from './track-fields';

/** Languages of the played audio track of a file and of its other audio tracks. */
export function AudioLanguages({ spec }: { spec: VideoSpec }) {
  const t = useTranslations('assets.assetFacts');
  const formatLanguage = useLanguageNames();
  const formatTrackLanguage = ({ language }: { readonly language?: string }) =>
    language === undefined ? t('unknownLanguage') : formatLanguage(language);
  const playedTrack = spec.tracks.find((track) => track.type === 'audio');
  const otherLanguages = (spec.otherAudio ?? []).map(formatTrackLanguage).join(', ');
  return (
    <p>
      {t('playedAndOthers', {
        played: playedTrack ? formatTrackLanguage(playedTrack) : t('unknownLanguage'),
        others: otherLanguages,
      })}
    </p>
  );
}
