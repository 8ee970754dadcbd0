'use client';

import { Download } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { PolicyBadge } from '@/components/access/policy-badge';
import { audienceTab } from '@/components/audience/audience-tab';
import { ClippablePlayer } from '@/components/clips/clippable-player';
import { RecordingGapsPanel } from '@/components/sessions/recording-gaps';
import { RecordingStatus } from '@/components/sessions/recording-status';
import { SessionFacts } from '@/components/sessions/session-facts';
import { noVideoText, recordingErrorIn } from '@/components/sessions/session-text';
import { ObjectHeader, ObjectTitle } from '@/components/ui/page-header';
import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy/copy-field';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import { StageMessage } from '@/components/ui/message-page';
import { Skeleton } from '@/components/ui/skeleton';
import { ApiCallError } from '@/lib/client/call';
import { useOwnerToken, useRecordingPolicy, urlWithToken } from '@/lib/client/queries/access-queries';
import { useAssets } from '@/lib/client/queries/asset-queries';
import { useSession } from '@/lib/client/queries/session-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Session } from '@/lib/contract/sessions/session';
import { downloadLink } from '@/lib/client/queries/public-urls';
import { useTranslateMessage } from '@/components/i18n/reasons';

const REFRESH_INTERVAL_MS = 3000;

export function SessionView({ id }: { id: string }) {
  const t = useTranslations('sessions.sessionView');
  const session = useSession(id, REFRESH_INTERVAL_MS);
  const { error } = session;
  // 422: the id in the URL is not a UUID.
  if (error instanceof ApiCallError && (error.status === 404 || error.status === 422))
    return <SessionMissing />;
  if (error && !session.data) {
    return (
      <LoadErrorMessage subject={t('theSession')} error={error} onRetry={() => void session.refetch()} />
    );
  }
  if (!session.data) return <SessionSkeleton />;
  return <SessionContent session={session.data} />;
}

function SessionContent({ session }: { session: Session }) {
  const t = useTranslations('sessions.sessionView');
  const tNoPicture = useTranslations('sessions.withoutVideo');
  const translateMessage = useTranslateMessage();
  const assetId = useRecordingAsset(session)?.id;
  const { recordingUrl, mp4Url, recordingGaps } = session;
  const recordingError = recordingErrorIn(session, translateMessage);
  const policy = useRecordingPolicy(recordingUrl === undefined ? undefined : session.id);
  const token = useOwnerToken(session.id, policy);
  return (
    <>
      <ObjectHeader
        back={{ href: '/sessions', label: t('sessions') }}
        title={<ObjectTitle name={session.name} />}
        description={
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span aria-live="polite" className="flex">
              <RecordingStatus session={session} />
            </span>
            <PolicyBadge policy={policy ?? undefined} />
          </span>
        }
        action={
          mp4Url !== undefined && (
            <Button asChild variant="primary">
              <a href={downloadLink(mp4Url, token)} download>
                <Download aria-hidden="true" />
                {t('downloadMp4')}
              </a>
            </Button>
          )
        }
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          {recordingUrl === undefined ? (
            <StageMessage {...noVideoText(tNoPicture, session, assetId !== undefined, translateMessage)} />
          ) : (
            <ClippablePlayer
              source={{
                playbackId: session.playbackId,
                sessionId: session.id,
                times: 'dates',
                name: session.name,
              }}
              src={urlWithToken(recordingUrl, token)}
              title={session.name}
            />
          )}
          {recordingError !== undefined && recordingUrl !== undefined && <Notice>{recordingError}</Notice>}
          {recordingUrl !== undefined && (
            <Panel title={t('addresses')}>
              <div className="grid gap-4">
                <CopyField label={t('hlsPlaylist')} value={recordingUrl} />
                {mp4Url !== undefined && <CopyField label="MP4" value={mp4Url} />}
              </div>
            </Panel>
          )}
        </div>
        <div className="grid min-w-0 gap-6">
          <SessionFacts session={session} assetId={assetId} />
          {recordingGaps !== undefined && recordingGaps.length > 0 && (
            <RecordingGapsPanel gaps={recordingGaps} />
          )}
        </div>
      </div>
      <section aria-label={t('audience')} className="mt-8">
        <h2 className="mb-3 text-lg font-semibold tracking-tight">{t('audience')}</h2>
        <audienceTab.Content scope={{ sessionId: session.id }} playlist={recordingUrl} />
      </section>
    </>
  );
}

/** The asset of the recording, requested again while it can change. */
function useRecordingAsset(session: Session): Asset | undefined {
  const filters = JSON.stringify([{ id: 'sourceSessionId', value: session.id }]);
  const assets = useAssets(
    { limit: '1', filters },
    {
      enabled: session.record,
      refetchInterval: ({ state }) =>
        isAssetFinal(session, state.data?.items[0]) ? false : REFRESH_INTERVAL_MS,
    },
  );
  return assets.data?.items[0];
}

/** Whether the asset of the recording stays as it is until the status of the recording changes. */
function isAssetFinal({ state, recordingStatus }: Session, asset: Asset | undefined): boolean {
  if (state !== 'ended') return false;
  const hasFinalAsset = recordingStatus === 'ready' || recordingStatus === 'failed';
  return recordingStatus === 'none' || (hasFinalAsset && asset !== undefined);
}

function SessionMissing() {
  const t = useTranslations('sessions.sessionView');
  return (
    <EmptyState
      title={t('sessionNotFound')}
      action={
        <Button asChild>
          <Link href="/sessions">{t('allSessions')}</Link>
        </Button>
      }
    >
      {t('noSuchSession')}
    </EmptyState>
  );
}

function SessionSkeleton() {
  const t = useTranslations('sessions.sessionView');
  return (
    <div aria-busy="true" aria-label={t('loadingTheSession')}>
      <Skeleton className="mb-1 block h-9 w-72 max-w-full" />
      <Skeleton className="mb-3 block h-6 w-24" />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Skeleton className="aspect-video w-full rounded-lg" />
        <Skeleton className="h-96 w-full rounded-lg" />
      </div>
    </div>
  );
}
