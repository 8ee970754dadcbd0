import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { formatSize } from '@/components/ui/figures';
import { cn } from '@/components/ui/class-names';
import type { Usage } from '@/lib/contract/accounts/usage';
import { formatMinutes, totalOf, usageKinds } from './usage-figures';

/** Colors of the first three totals, which are those of the first chart. */
const swatches = ['bg-accent', 'bg-accent-line', 'bg-warn-line'];

/** Totals of the period and the current storage. The totals are also the legend of the first chart. */
export function UsageTotals({ usage }: { usage: Usage }) {
  const t = useTranslations('usage.usageTotals');
  const tKinds = useTranslations('usage.kinds');
  const locale = useLocale();
  const { storage } = usage;
  return (
    <dl className="bg-line grid grid-cols-2 gap-px overflow-hidden rounded-lg border lg:grid-cols-5">
      {usageKinds.map((kind, index) => (
        <Total key={kind} label={tKinds(kind)} swatch={swatches[index]}>
          {formatMinutes(locale, totalOf(usage.days, kind))}
          <span className="text-ink-3 text-sm font-normal"> {t('min')}</span>
        </Total>
      ))}
      <Total label={t('delivered')}>
        {formatMinutes(locale, totalOf(usage.days, 'deliveredMinutes'))}
        <span className="text-ink-3 text-sm font-normal"> {t('min')}</span>
        <span className="text-ink-3 block text-sm font-normal">
          {formatSize(totalOf(usage.days, 'deliveredBytes'), locale)}
        </span>
      </Total>
      <Total label={t('storedNow')} className="max-lg:col-span-2">
        {formatSize(storage.bytes, locale)}
        {storage.deleted > 0 && (
          <span className="text-ink-3 block text-sm font-normal">
            {t('storedDeleted', { size: formatSize(storage.deleted, locale) })}
          </span>
        )}
      </Total>
    </dl>
  );
}

interface TotalProps {
  label: string;
  swatch?: string | undefined;
  className?: string;
  children: ReactNode;
}

function Total(props: TotalProps) {
  return (
    <div className={cn('bg-surface min-w-0 p-4 sm:px-6', props.className)}>
      <dt className="text-ink-2 flex items-center gap-2 text-sm">
        {props.swatch && (
          <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-sm ${props.swatch}`} />
        )}
        {props.label}
      </dt>
      <dd className="mt-1 text-xl font-semibold tabular-nums">{props.children}</dd>
    </div>
  );
}
