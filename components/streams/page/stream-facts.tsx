import { useLocale, useTranslations } from 'use-intl';
import { sizeInWords } from '@/components/ui/figures';
import { Fact, FactId, Facts, Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Stream } from '@/lib/contract/streams/stream';
import { durationInWords } from '@/components/ui/time-words';

/** Identifiers and totals of a stream. */
export function StreamFacts({ stream }: { stream: Stream }) {
  const t = useTranslations('streams.streamFacts');
  return (
    <Panel title={t('details')} className="max-w-3xl">
      <Facts>
        <Fact name={t('streamId')}>
          <FactId value={stream.id} label={t('theStreamId')} />
        </Fact>
        <Fact name={t('playbackId')}>
          <FactId value={stream.playbackId} label={t('thePlaybackId')} />
        </Fact>
        <Fact name={t('lastVideo')}>
          {stream.isActive ? t('now') : <RelativeTime at={stream.lastSeen} />}
        </Fact>
        <Fact name={t('received')}>
          {durationInWords(stream.sourceSegmentsDuration)}
          <span className="text-ink-3"> · {sizeInWords(stream.sourceBytes, useLocale())}</span>
        </Fact>
        <Fact name={t('created')}>
          <RelativeTime at={stream.createdAt} />
        </Fact>
      </Facts>
    </Panel>
  );
}
