import Link from 'next/link';
import { useLocale, useTranslations } from 'use-intl';
import { Cell, Column, Row, Table } from '@/components/ui/table/table';
import { formatDuration } from '@/components/ui/time-text';
import type { Audience } from '@/lib/contract/audience/audience';
import {
  type DeviceClass,
  type PlayerName,
  deviceClasses,
  playerNames,
} from '@/lib/core/audience/viewer-device';
import { audiencePath, formatShare } from './audience-text';
import { ShareBar } from './share-bar';

/** Shares of the watch time by rendition, country, device and player. Absent without data. */
export function AudienceShares({ audience }: { audience: Audience }) {
  const t = useTranslations('audience.shares');
  const language = useLocale();
  const countries = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  const deviceLabel = (name: string) =>
    t(
      `device.${deviceClasses.find((deviceClass): deviceClass is DeviceClass => deviceClass === name) ?? 'other'}`,
    );
  const playerLabel = (name: string) =>
    t(`player.${playerNames.find((playerName): playerName is PlayerName => playerName === name) ?? 'other'}`);
  const shareLists = [
    ['heights', (name: string) => `${name}p`],
    ['countries', (name: string) => countries.of(name) ?? name],
    ['devices', deviceLabel],
    ['players', playerLabel],
  ] as const;
  return (
    <>
      {shareLists
        .filter(([kind]) => audience[kind].length > 0)
        .map(([kind, labelOf]) => (
          <section
            key={kind}
            aria-label={t(kind)}
            className="bg-surface min-w-0 rounded-lg border px-4 py-2.5"
          >
            <h2 className="font-semibold tracking-tight">{t(kind)}</h2>
            <ul>
              {audience[kind].map(({ name, share }) => (
                <ShareBar
                  key={name}
                  name={labelOf(name)}
                  share={share}
                  label={formatShare(share, language)}
                />
              ))}
            </ul>
          </section>
        ))}
    </>
  );
}

/** Streams and assets with the most watch time. */
export function TopWatchedTable({ top }: Pick<Audience, 'top'>) {
  const t = useTranslations('audience.shares');
  const language = useLocale();
  if (top.length === 0) return null;
  return (
    <section aria-label={t('top')} className="min-w-0 max-lg:order-2">
      <h2 className="mb-2 font-semibold tracking-tight">{t('top')}</h2>
      <Table
        label={t('top')}
        compact
        head={
          <>
            <Column>{t('name')}</Column>
            <Column>{t('views')}</Column>
            <Column>{t('watchTime')}</Column>
          </>
        }
      >
        {top.map(({ type, id, name, views, playedMinutes }) => (
          <Row key={id}>
            <Cell className="sm:h-10">
              <Link href={audiencePath({ type, id })} className="text-accent-ink hover:underline">
                {name}
              </Link>
            </Cell>
            <Cell label={t('views')} className="sm:h-10">
              {views.toLocaleString(language)}
            </Cell>
            <Cell label={t('watchTime')} className="sm:h-10">
              {formatDuration(playedMinutes * 60)}
            </Cell>
          </Row>
        ))}
      </Table>
    </section>
  );
}
