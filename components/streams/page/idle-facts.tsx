'use client';

import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { recordingState } from '@/components/sessions/session-text';
import { useRecentSessions } from '@/components/streams/activity/activity-queries';
import { peakOf } from '@/components/streams/viewers/viewer-history';
import { RelativeTime, useFormattedNow } from '@/components/ui/relative-time';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { formatDuration } from '@/components/ui/time-text';
import { taskProgressText } from '@/components/tasks/task-text';
import { useAssets } from '@/lib/client/queries/asset-queries';
import { useViewersSince } from '@/lib/client/queries/stream-watch-queries';
import { useOutputTask } from '@/lib/client/queries/task-queries';
import { onAirSeconds } from '@/lib/core/streams/air-state';
import type { Stream } from '@/lib/contract/streams/stream';

const PROGRESS_REFRESH_MS = 2000;

interface IdleFactsProps {
  stream: Pick<Stream, 'id' | 'startsAt' | 'lastSeen' | 'record'>;
}

/** Announced start, last session and progress of the recording of a stream that is not live. */
export function IdleFacts({ stream }: IdleFactsProps) {
  const t = useTranslations('streams.idleFacts');
  const { id, startsAt = 0, lastSeen, record } = stream;
  const { dayAndTime } = useTimeFormat();
  // Empty if no start is announced, or if it has passed.
  const startText = useFormattedNow((now) => (startsAt > now ? dayAndTime(startsAt) : ''));
  return (
    <>
      {startText !== '' && <span className="text-ink-2 tabular-nums">{t('next', { time: startText })}</span>}
      {lastSeen > 0 && <LastSession streamId={id} lastSeen={lastSeen} />}
      {record && lastSeen > 0 && <RecordingProgress streamId={id} />}
    </>
  );
}

/** When the stream was last live, with the duration and the most viewers of that session once they are loaded. */
function LastSession({ streamId, lastSeen }: { streamId: string; lastSeen: number }) {
  const t = useTranslations('streams.idleFacts');
  const session = useRecentSessions(streamId).data?.items[0];
  const viewers = useViewersSince(streamId, session?.createdAt);
  const seconds = session === undefined ? 0 : onAirSeconds(session);
  const minutes = viewers.data?.minutes.filter(({ at }) => at <= lastSeen) ?? [];
  const parameters = {
    duration: formatDuration(seconds),
    viewers: Math.round(peakOf(minutes)),
    time: () => <RelativeTime at={lastSeen} />,
  };
  const messageKey = seconds < 1 ? 'lastLive' : parameters.viewers > 0 ? 'lastLiveWithPeak' : 'lastLiveFor';
  return <span className="text-ink-2 tabular-nums">{t.rich(messageKey, parameters)}</span>;
}

/** Progress and remaining time of the recording of the last session; renders nothing unless it is being processed. */
function RecordingProgress({ streamId }: { streamId: string }) {
  const t = useTranslations('streams.idleFacts');
  const tTask = useTranslations('tasks.taskText');
  const session = useRecentSessions(streamId).data?.items[0];
  const isProcessing = session !== undefined && recordingState(session).state === 'processing';
  const filters = JSON.stringify([{ id: 'sourceSessionId', value: session?.id }]);
  const assets = useAssets(
    { limit: '1', filters },
    { enabled: isProcessing, refetchInterval: PROGRESS_REFRESH_MS },
  );
  const assetId = isProcessing ? assets.data?.items[0]?.id : undefined;
  const task = useOutputTask(assetId, PROGRESS_REFRESH_MS);
  if (!isProcessing) return null;
  const progress = task === undefined ? null : taskProgressText(tTask, task);
  return (
    <Link
      href={`/sessions/${session.id}`}
      className="text-ink-2 rounded-sm tabular-nums underline-offset-4 hover:underline"
    >
      {progress === null ? t('recordingProcessing') : t('recordingProgress', { progress })}
    </Link>
  );
}
