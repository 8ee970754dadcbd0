import { Radio } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { createStreamCurl } from '@/components/streams/sharing/api-examples';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

interface EmptyStreamListProps {
  isFiltered: boolean;
  baseUrl: string | undefined;
  onShowAll: () => void;
}

/** Replaces an empty list. Without filters it shows how to start; with filters it offers to clear them. */
export function EmptyStreamList({ isFiltered, baseUrl, onShowAll }: EmptyStreamListProps) {
  const t = useTranslations('streams.noStreams');
  if (isFiltered) {
    return (
      <EmptyState
        title={t('noStreamMatches')}
        action={<Button onClick={onShowAll}>{t('showAllStreams')}</Button>}
      >
        {t('tryAnother')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('noStreamsYet')}
      icon={Radio}
      {...(baseUrl ? { command: { label: t('orFromYourCode'), code: createStreamCurl(baseUrl) } } : {})}
    >
      {t('createOne')}
    </EmptyState>
  );
}
