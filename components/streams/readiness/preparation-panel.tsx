'use client';

import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { useSaveFailed } from '@/components/streams/settings/use-save-failed';
import { StreamTargetsPanel } from '@/components/targets/stream-targets-panel';
import { IfPermitted } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Switch } from '@/components/ui/form/toggle';
import { RelativeTime } from '@/components/ui/relative-time';
import { useSetStreamRecord } from '@/lib/client/queries/stream-queries';
import { TARGETS_REFRESH_MS, useStreamMultistream } from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { isRestricted, hasCountryLimit } from '@/lib/core/access/playback-policy';
import { CheckRow } from './check-row';
import { checkReadiness, countReady, type ReadinessChecks } from './readiness-checks';

interface PreparationPanelProps {
  stream: Stream;
  className: string;
}

/**
 * Checks before a stream goes live, with its targets. While the stream is live, only the targets are shown. Both states
 * have one tree, so that an open dialog of a target stays open when the stream goes live.
 */
export function PreparationPanel({ stream, className }: PreparationPanelProps) {
  const t = useTranslations('streams.readiness');
  const statuses = useStreamMultistream(stream.id, TARGETS_REFRESH_MS).data;
  const checks = checkReadiness(stream, statuses ?? []);
  const idle = !stream.isActive;
  return (
    <section
      className={idle ? cn('bg-surface min-w-0 divide-y rounded-lg border', className) : 'contents'}
      {...(idle ? { 'aria-label': t('title') } : {})}
    >
      {idle && (
        <header className="flex min-h-12 flex-wrap items-baseline gap-x-2 px-4 pt-3 pb-2">
          <h2 className="text-lg font-semibold tracking-tight">{t('title')}</h2>
          <p className="text-ink-2 text-sm tabular-nums">{statuses && t('count', countReady(checks))}</p>
        </header>
      )}
      {idle && <EncoderCheck stream={stream} checks={checks} />}
      <StreamTargetsPanel stream={stream} nested={idle} className={idle ? '' : className} />
      {idle && <SettingChecks stream={stream} checks={checks} />}
    </section>
  );
}

interface ChecksProps {
  stream: Stream;
  checks: ReadinessChecks;
}

function EncoderCheck({ stream: { lastSeen }, checks }: ChecksProps) {
  const t = useTranslations('streams.readiness');
  return (
    <ul>
      <CheckRow
        state={checks.encoder}
        name={t('encoder')}
        fact={
          lastSeen > 0
            ? t.rich('lastConnected', { time: () => <RelativeTime at={lastSeen} /> })
            : t('neverConnected')
        }
      />
    </ul>
  );
}

/** The checks of settings: recording, loss of the encoder, and viewers. */
function SettingChecks({ stream, checks }: ChecksProps) {
  const t = useTranslations('streams.readiness');
  const saveFailed = useSaveFailed();
  const record = useSetStreamRecord(stream.id);
  const { id, backup, slate, profiles, suspended } = stream;
  const encoderLoss = backup ? (slate ? 'both' : 'standby') : slate ? 'slate' : 'none';
  const renditions = [t('source'), ...profiles.map(({ name }) => name)].join(', ');
  return (
    <ul className="divide-y">
      <CheckRow
        state={checks.recording}
        name={t(stream.record ? 'recordingOn' : 'recordingOff')}
        fact={t(stream.record ? 'sessionsAreKept' : 'sessionsAreNotKept')}
        action={
          <IfPermitted>
            <Switch
              aria-label={t('recordSessions')}
              checked={stream.record}
              onCheckedChange={(next) => record.mutate(next, { onError: saveFailed })}
            />
          </IfPermitted>
        }
      />
      <CheckRow
        state={checks.encoderLoss}
        name={t('ifEncoderDrops')}
        fact={t(`encoderLoss.${encoderLoss}`)}
        action={
          <SettingsLink href={`/streams/${id}?tab=settings#encoder-loss`} label={t('changeEncoderLoss')}>
            {t(encoderLoss === 'none' ? 'setUp' : 'change')}
          </SettingsLink>
        }
      />
      <CheckRow
        state={checks.audience}
        name={useAudienceName(stream)}
        fact={suspended ? t('suspendedFact') : renditions}
        action={
          <SettingsLink href={`/streams/${id}?tab=settings#who-can-watch`} label={t('changeAudience')}>
            {t('change')}
          </SettingsLink>
        }
      />
    </ul>
  );
}

/** Who may watch, in one sentence. */
function useAudienceName({ suspended, playbackPolicy: policy = { type: 'public' } }: Stream): string {
  const t = useTranslations('streams.readiness');
  const tBadge = useTranslations('access.badge');
  if (suspended) return t('suspended');
  if (!isRestricted(policy)) return t('anyoneWithLink');
  const how = tBadge(policy.type === 'public' && hasCountryLimit(policy) ? 'countries' : policy.type);
  return tBadge('restricted', { how });
}

interface SettingsLinkProps {
  href: string;
  /** Accessible name, which says what is changed. */
  label: string;
  children: string;
}

function SettingsLink({ href, label, children }: SettingsLinkProps) {
  return (
    <IfPermitted>
      <Button asChild size="sm">
        <Link href={href} aria-label={label}>
          {children}
        </Link>
      </Button>
    </IfPermitted>
  );
}
