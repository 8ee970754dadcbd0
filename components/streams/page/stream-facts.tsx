import { useLocale, useTranslations } from 'use-intl';
import { formatSize } from '@/components/ui/figures';
import { Fact, FactId, FactList, Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Stream } from '@/lib/contract/streams/stream';
import { formatDuration } from '@/components/ui/time-text';

/** Ids, times and received amounts of a stream. */
export function StreamFacts({ stream }: { stream: Stream }) {
  const t = useTranslations('streams.streamFacts');
  return (
    <Panel title={t('details')} className="max-w-3xl">
      <FactList>
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
          {formatDuration(stream.sourceSegmentsDuration)}
          <span className="text-ink-3"> · {formatSize(stream.sourceBytes, useLocale())}</span>
        </Fact>
        <Fact name={t('created')}>
          <RelativeTime at={stream.createdAt} />
        </Fact>
      </FactList>
    </Panel>
  );
}
