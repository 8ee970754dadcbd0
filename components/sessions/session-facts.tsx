import Link from 'next/link';
import { useLocale, useTranslations } from 'use-intl';
import { formatSize } from '@/components/ui/figures';
import { Fact, FactId, FactList, Panel } from '@/components/ui/panel';
import { formatDuration } from '@/components/ui/time-text';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Session } from '@/lib/contract/sessions/session';

const linkClasses = 'text-accent-ink rounded-sm underline-offset-4 hover:underline';

interface SessionFactsProps {
  session: Session;
  /** Id of the asset of the recording; undefined while it is unknown. */
  assetId: string | undefined;
}

/** Panel with the details of a session and links to its stream and asset. */
export function SessionFacts({ session, assetId }: SessionFactsProps) {
  const t = useTranslations('sessions.sessionFacts');
  return (
    <Panel title={t('details')}>
      <FactList>
        <Fact name={t('stream')}>
          <Link href={`/streams/${session.parentId}`} className={linkClasses}>
            {session.name}
          </Link>
        </Fact>
        {assetId !== undefined && (
          <Fact name={t('asset')}>
            <Link href={`/assets/${assetId}`} className={linkClasses}>
              {t('openTheAsset')}
            </Link>
          </Fact>
        )}
        <Fact name={t('sessionId')}>
          <FactId value={session.id} label={t('theSessionId')} />
        </Fact>
        <Fact name={t('started')}>
          <RelativeTime at={session.createdAt} />
        </Fact>
        <Fact name={t('lastVideo')}>
          <RelativeTime at={session.lastSeen} />
        </Fact>
        <Fact name={t('duration')}>{formatDuration(session.sourceSegmentsDuration)}</Fact>
        <Fact name={t('received')}>{formatSize(session.sourceBytes, useLocale())}</Fact>
        {session.recordingGaps !== undefined && (
          <Fact name={t('gaps')}>{session.recordingGaps.length || t('noGaps')}</Fact>
        )}
        <Fact name={t('renditions')}>
          {session.profiles.length === 0
            ? t('sourceOnly')
            : session.profiles.map(({ name }) => name).join(', ')}
        </Fact>
      </FactList>
    </Panel>
  );
}
