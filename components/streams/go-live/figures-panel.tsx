'use client';

import { useLocale, useTranslations } from 'use-intl';
import { emptyCell } from '@/components/ui/empty-state';
import { formatDecimal, formatBitrate } from '@/components/ui/figures';
import { Fact, FactList, Panel } from '@/components/ui/panel';
import { noFigures, type OutgoingFigures, sendingProblem } from '@/lib/core/streams/go-live/outgoing-figures';

/** Bitrate, size and losses of the media that this browser sends, and what limits them. */
export function FiguresPanel({ figures }: { figures: OutgoingFigures | null }) {
  const t = useTranslations('goLive.figures');
  const language = useLocale();
  const { bitrate, lostRatio, roundTripMs, width, height, framesPerSecond } = figures ?? noFigures;
  const problem = figures && sendingProblem(figures);
  return (
    <Panel title={t('title')}>
      <FactList>
        <Fact name={t('bitrate')}>{bitrate === null ? emptyCell : formatBitrate(bitrate, language)}</Fact>
        <Fact name={t('lost')}>
          {lostRatio === null ? emptyCell : `${formatDecimal(lostRatio * 100, 1, language)} %`}
        </Fact>
        <Fact name={t('roundTrip')}>
          {roundTripMs === null ? emptyCell : t('milliseconds', { value: roundTripMs })}
        </Fact>
        <Fact name={t('picture')}>
          {width === null || height === null
            ? emptyCell
            : t('pictureValue', {
                width: String(width),
                height: String(height),
                rate: Math.round(framesPerSecond ?? 0),
              })}
        </Fact>
      </FactList>
      {/* Two lines are reserved, so that a message does not move the content below it. */}
      <p
        role="status"
        className={problem ? 'text-warn-ink mt-4 min-h-10 text-sm' : 'text-ink-2 mt-4 min-h-10 text-sm'}
      >
        {figures && t(problem ?? 'fine')}
      </p>
    </Panel>
  );
}
