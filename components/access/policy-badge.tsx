import { Lock } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { PlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { hasCountryLimit, isRestricted } from '@/lib/core/access/playback-policy';

interface PolicyBadgeProps {
  policy: PlaybackPolicy | undefined;
  /** Shows only the lock icon, for lists. Screen readers get the label. */
  iconOnly?: boolean;
}

/** Lock icon with the kind of restriction; nothing for content that anyone may watch. */
export function PolicyBadge({ policy, iconOnly = false }: PolicyBadgeProps) {
  const t = useTranslations('access.badge');
  if (!policy || !isRestricted(policy)) return null;
  const label = t(policy.type === 'public' && hasCountryLimit(policy) ? 'countries' : policy.type);
  if (iconOnly) {
    return (
      <span title={t('restricted', { how: label })} className="text-ink-3 inline-flex shrink-0">
        <Lock aria-hidden="true" className="size-3.5" />
        <span className="sr-only">{t('restricted', { how: label })}</span>
      </span>
    );
  }
  return (
    <span
      title={t('restricted', { how: label })}
      className="bg-hover text-ink-2 inline-flex h-6 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap"
    >
      <Lock aria-hidden="true" className="size-3" />
      {label}
    </span>
  );
}
