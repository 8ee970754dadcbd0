'use client';

import { Download } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { RecordingStatus } from '@/components/sessions/recording-status';
import { formatSize } from '@/components/ui/figures';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { formatDuration } from '@/components/ui/time-text';
import { useAssets } from '@/lib/client/queries/asset-queries';
import type { Session } from '@/lib/contract/sessions/session';
import { downloadLink } from '@/lib/client/queries/public-urls';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { recordingErrorIn } from '@/components/sessions/session-text';
import { useRecentSessions } from './activity-queries';

interface SessionsPanelProps {
  streamId: string;
  /** Recent sessions; undefined while loading. */
  sessions: readonly Session[] | undefined;
  /** Renders the link to the asset of a session's recording. */
  assetLink: (session: Session) => ReactNode;
}

/** Recent sessions with their recordings. */
function SessionsPanel({ streamId, sessions, assetLink }: SessionsPanelProps) {
  const t = useTranslations('streams.sessionsPanel');
  if (sessions?.length === 0) return <p className="text-ink-2">{t('noSessions')}</p>;
  return (
    <Panel
      title={t('sessions')}
      action={
        sessions && (
          <Button asChild size="sm">
            <Link href={`/sessions?stream=${streamId}`}>{t('allSessions')}</Link>
          </Button>
        )
      }
    >
      {!sessions ? (
        <Skeleton className="h-16 w-full" />
      ) : (
        <ul aria-label={t('sessions')} className="-my-3 divide-y">
          {sessions.map((session) => (
            <SessionItem key={session.id} session={session} assetLink={assetLink(session)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const linkClasses = 'text-accent-ink rounded-sm underline-offset-4 hover:underline';

function SessionItem({ session, assetLink }: { session: Session; assetLink: ReactNode }) {
  const { id, createdAt, sourceSegmentsDuration, sourceBytes, mp4Url } = session;
  const recordingError = recordingErrorIn(session, useTranslateMessage());
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <span className="min-w-0 flex-1 basis-52">
        <Link href={`/sessions/${id}`} className="hover:text-accent-ink font-medium hover:underline">
          <RelativeTime at={createdAt} />
        </Link>
        <span className="text-ink-2 tabular-nums">
          {' '}
          · {formatDuration(sourceSegmentsDuration)} · {formatSize(sourceBytes, useLocale())}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {assetLink}
        {mp4Url !== undefined && (
          <a
            href={downloadLink(mp4Url)}
            download
            className={`${linkClasses} inline-flex items-center gap-1.5`}
          >
            <Download aria-hidden="true" className="size-4" />
            MP4
          </a>
        )}
        <RecordingStatus session={session} />
      </span>
      {recordingError !== undefined && (
        <span className="text-warn-ink basis-full text-sm wrap-anywhere">{recordingError}</span>
      )}
    </li>
  );
}

export function StreamSessionsPanel({ id }: { id: string }) {
  const sessions = useRecentSessions(id);
  return (
    <SessionsPanel
      streamId={id}
      sessions={sessions.data?.items}
      assetLink={(session) => session.recordingStatus === 'ready' && <AssetLink session={session} />}
    />
  );
}

/**
 * Link to the asset of a ready recording. The asset is requested again when the user returns to the page, because
 * another member may have deleted or restored it; renders nothing while it is deleted.
 */
function AssetLink({ session: { id } }: { session: Session }) {
  const t = useTranslations('streams.sessionsPanel');
  const filters = JSON.stringify([{ id: 'sourceSessionId', value: id }]);
  const asset = useAssets({ limit: '1', filters }).data?.items[0];
  if (!asset) return null;
  return (
    <Link
      href={`/assets/${asset.id}`}
      className="text-accent-ink rounded-sm underline-offset-4 hover:underline"
    >
      {t('asset')}
    </Link>
  );
}
