'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { audienceTab } from '@/components/audience/audience-tab';
import { PolicyBadge } from '@/components/access/policy-badge';
import { watchUrl } from '@/components/player/pages/share-links';
import { HealthPill } from '@/components/streams/health/issues';
import { useHealthPanelState } from '@/components/streams/health/health-panel-state';
import { IdleFacts } from '@/components/streams/page/idle-facts';
import { StreamOverview } from '@/components/streams/page/stream-overview';
import { StreamActions } from '@/components/streams/page/stream-actions';
import { CurrentBitrate, TimeOnAir } from '@/components/streams/page/stream-pulse';
import { useSaveFailed } from '@/components/streams/settings/use-save-failed';
import { StreamStatus } from '@/components/streams/stream-status';
import { ViewerCount } from '@/components/streams/viewers/stream-viewers';
import { useHasRole } from '@/components/teams/use-team';
import { EditableHeading } from '@/components/ui/form/editable-heading';
import { lazyTab } from '@/components/ui/lazy-tab';
import { ObjectHeader } from '@/components/ui/page-header';
import { StatusPill } from '@/components/ui/status-pill';
import { Tabs } from '@/components/ui/tabs';
import { useTabByUrl } from '@/components/ui/use-tab-by-url';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import { useTestPatternState, useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';

const sessionsTab = lazyTab(
  async () => (await import('@/components/streams/activity/sessions-panel')).StreamSessionsPanel,
);
const eventsTab = lazyTab(
  async () => (await import('@/components/streams/activity/events-panel')).StreamEventsPanel,
);
const shareTab = lazyTab(
  async () => (await import('@/components/streams/sharing/stream-share')).StreamSharePanels,
);
const settingsTab = lazyTab(async () => (await import('./settings-tab')).SettingsTab);

interface StreamContentProps {
  stream: Stream;
  urls: PublicUrls;
}

const tabNames = ['overview', 'audience', 'sessions', 'events', 'share', 'settings'] as const;

export function StreamContent({ stream, urls }: StreamContentProps) {
  const t = useTranslations('streams.streamContent');
  const [tab, setTab] = useTabByUrl(tabNames);
  const healthPanel = useHealthPanelState(stream);
  const isOverviewOpen = tab === 'overview';
  const isHealthShown = healthPanel.open && isOverviewOpen;
  /** Opens the tab Overview and the health panel, or closes the panel if it is shown. */
  const toggleHealth = () => {
    if (!isOverviewOpen) setTab('overview');
    if (isOverviewOpen || !healthPanel.open) healthPanel.toggle();
  };
  return (
    <>
      <StreamHeader
        stream={stream}
        urls={urls}
        healthOpen={isHealthShown}
        onHealth={toggleHealth}
        onShare={() => setTab('share')}
      />
      <Tabs
        label={t('tabs')}
        manual
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'overview',
            label: t('overview'),
            content: <StreamOverview stream={stream} urls={urls} healthOpen={healthPanel.open} />,
          },
          {
            value: 'audience',
            label: t('audience'),
            content: (
              <audienceTab.Content
                scope={{ streamId: stream.id }}
                playlist={urls.playbackUrl(stream.playbackId)}
              />
            ),
            onIntent: audienceTab.prefetch,
          },
          {
            value: 'sessions',
            label: t('sessions'),
            content: <sessionsTab.Content id={stream.id} />,
            onIntent: sessionsTab.prefetch,
          },
          {
            value: 'events',
            label: t('events'),
            content: <eventsTab.Content id={stream.id} />,
            onIntent: eventsTab.prefetch,
          },
          {
            value: 'share',
            label: t('share'),
            content: <shareTab.Content stream={stream} urls={urls} />,
            onIntent: shareTab.prefetch,
          },
          {
            value: 'settings',
            label: t('settings'),
            content: <settingsTab.Content stream={stream} urls={urls} />,
            onIntent: settingsTab.prefetch,
          },
        ]}
      />
    </>
  );
}

/** Shown while the test pattern runs as a preview for the team. */
function PreviewPill({ id, live }: { id: string; live: boolean }) {
  const t = useTranslations('streams.testPattern');
  const { data } = useTestPatternState(id);
  return !live && data?.preview ? <StatusPill tone="accent">{t('preview')}</StatusPill> : null;
}

interface StreamHeaderProps extends StreamContentProps {
  healthOpen: boolean;
  onHealth: () => void;
  onShare: () => void;
}

/** Time on air, viewers, bitrate and recording of a live stream. */
function LiveFacts({ stream: { id, record } }: { stream: Stream }) {
  const t = useTranslations('streams.streamContent');
  return (
    <>
      <TimeOnAir id={id} />
      <ViewerCount id={id} />
      <CurrentBitrate id={id} />
      {record && <span className="text-ink-2 max-sm:hidden">{t('recording')}</span>}
    </>
  );
}

/** Name, state and main actions. Live and idle headers have the same height, so that the tabs do not move. */
function StreamHeader({ stream, urls, healthOpen, onHealth, onShare }: StreamHeaderProps) {
  const t = useTranslations('streams.streamContent');
  const router = useRouter();
  const update = useUpdateStream(stream.id);
  const saveFailed = useSaveFailed();
  const mayChange = useHasRole('developer');
  const { id, isActive: live } = stream;
  return (
    <ObjectHeader
      back={{ href: '/streams', label: t('streams') }}
      title={
        <EditableHeading
          subject={t('stream')}
          name={stream.name}
          isFixed={!mayChange}
          // The document title contains the name.
          onRename={(name) =>
            update.mutate({ name }, { onError: saveFailed, onSuccess: () => router.refresh() })
          }
        />
      }
      description={
        // On a phone, the facts of a live stream have two lines, and those of an idle one have their height.
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1 max-sm:min-h-13 max-sm:content-start">
          <span aria-live="polite" className="flex flex-wrap gap-2">
            <StreamStatus stream={stream} />
            <PreviewPill id={id} live={live} />
          </span>
          {live ? <LiveFacts stream={stream} /> : <IdleFacts stream={stream} />}
          <PolicyBadge policy={stream.playbackPolicy} />
          <HealthPill stream={stream} open={healthOpen} onToggle={onHealth} />
        </span>
      }
      action={
        <StreamActions stream={stream} url={watchUrl(urls.baseUrl, stream.playbackId)} onShare={onShare} />
      }
    />
  );
}
