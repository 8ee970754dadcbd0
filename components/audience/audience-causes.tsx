import Link from 'next/link';
import { useLocale, useTranslations } from 'use-intl';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import type { Audience } from '@/lib/contract/audience/audience';
import { audiencePath, coversDays, describeIncident, formatShare } from './audience-text';
import { ShareBar } from './share-bar';

/** Id of the HTML element that describes an incident; charts move the focus there. */
export const causeElementId = (index: number): string => `stall-cause-${index + 1}`;

/** Causes of stalls: a sentence for each incident, and their shares of the stalled time. */
export function StallCausesPanel({ audience }: { audience: Audience }) {
  const t = useTranslations('audience.causes');
  const language = useLocale();
  const { time, dayAndTime } = useTimeFormat();
  const { incidents, causes } = audience;
  const formatTime = coversDays(audience) ? dayAndTime : time;
  return (
    <section aria-label={t('title')} className="bg-surface min-w-0 rounded-lg border">
      <h2 className="px-4 py-2.5 font-semibold tracking-tight">{t('title')}</h2>
      {incidents.length > 0 ? (
        <ol className="divide-y border-t">
          {incidents.map((incident, index) => (
            <li
              key={`${incident.from}${incident.cause}${incident.object?.id ?? ''}`}
              id={causeElementId(index)}
              tabIndex={-1}
              className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2.5 px-4 py-2.5 outline-offset-[-2px]"
            >
              <span
                aria-hidden="true"
                className="bg-warn-soft text-warn-ink border-warn-line grid size-5 place-items-center rounded-full border text-xs font-semibold"
              >
                {index + 1}
              </span>
              <div className="min-w-0">
                <h3 className="text-sm font-semibold">
                  {t(`name.${incident.cause}`)} · {formatTime(incident.from)}
                </h3>
                {incident.object && (
                  <Link
                    href={audiencePath(incident.object)}
                    className="text-accent-ink block truncate text-sm hover:underline"
                  >
                    {incident.object.name}
                  </Link>
                )}
                <p className="text-ink-2 text-sm">{describeIncident(t, incident, language)}</p>
              </div>
            </li>
          ))}
        </ol>
      ) : (
        <p className="text-ink-2 border-t px-4 py-2.5 text-sm">
          {causes.length > 0 ? t('scatteredOnly') : t('none')}
        </p>
      )}
      {causes.length > 0 && (
        <div className="border-t px-4 py-2.5">
          <h3 className="text-ink-2 text-xs">{t('shares')}</h3>
          <ul>
            {causes.map(({ cause, share }) => (
              <ShareBar
                key={cause}
                name={t(`name.${cause}`)}
                share={share}
                label={formatShare(share, language)}
              />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
