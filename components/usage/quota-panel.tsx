import { useLocale, useTranslations } from 'use-intl';
import { formatSize } from '@/components/ui/figures';
import { cn } from '@/components/ui/class-names';
import { Panel } from '@/components/ui/panel';
import type { QuotasForMembers } from '@/lib/contract/accounts/quotas';

/** A quota, and how much of it is used. */
type Use = QuotasForMembers['uses'][number];

/** Usage of the team's quotas; renders nothing if the operator set none. */
export function QuotaPanel({ quotas: { limits, uses } }: { quotas: QuotasForMembers }) {
  const t = useTranslations('usage.quotas');
  const locale = useLocale();
  const { uploadBytes, renditions } = limits;
  // Limits of single uploads and streams, of which nothing is used up.
  const otherLimits = [
    ...(uploadBytes === null ? [] : [t('uploadBytes', { size: formatSize(uploadBytes, locale) })]),
    ...(renditions === null ? [] : [t('renditions', { count: renditions })]),
  ];
  if (uses.length === 0 && otherLimits.length === 0) return null;
  return (
    <Panel title={t('title')} description={t('description')}>
      <ul className="grid gap-5">
        {uses.map((use) => (
          <li key={use.name}>
            <Meter use={use} />
          </li>
        ))}
        {otherLimits.map((message) => (
          <li key={message} className="text-ink-2">
            {message}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const barClasses: Readonly<Record<Use['state'], string>> = {
  free: 'bg-accent',
  warned: 'bg-warn-ink',
  reached: 'bg-danger',
};

/** A quota with a bar, and a warning if it is almost or completely used. */
function Meter({ use: { name, limit, used, state } }: { use: Use }) {
  const t = useTranslations('usage.quotas');
  const locale = useLocale();
  const formatAmount = (value: number) =>
    name === 'liveStreams' ? value.toLocaleString(locale) : formatSize(value, locale);
  const usedFraction = limit === 0 ? 1 : Math.min(1, used / limit);
  const label = t(`names.${name}`);
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{label}</span>
        <span className="text-ink-2 tabular-nums">
          {t('used', { used: formatAmount(used), limit: formatAmount(limit) })}
        </span>
      </p>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(usedFraction * 100)}
        className="bg-hover mt-2 h-2 overflow-hidden rounded-full"
      >
        <div
          className={cn('h-full rounded-full', barClasses[state])}
          style={{ width: `${usedFraction * 100}%` }}
        />
      </div>
      {state !== 'free' && <p className="text-warn-ink mt-1.5 text-sm">{t(`${state}.${name}`)}</p>}
    </>
  );
}
