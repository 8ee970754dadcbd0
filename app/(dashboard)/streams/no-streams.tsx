import { Radio } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { createStreamCurl } from '@/components/streams/sharing/api-examples';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

interface EmptyStreamListProps {
  isFiltered: boolean;
  baseUrl: string | undefined;
  onClear: () => void;
}

/** Replaces an empty list. Without filters it shows how to start; with filters it offers to clear them. */
export function EmptyStreamList({ isFiltered, baseUrl, onClear }: EmptyStreamListProps) {
  const t = useTranslations('streams.noStreams');
  if (isFiltered) {
    return (
      <EmptyState
        title={t('noStreamMatches')}
        action={<Button onClick={onClear}>{t('showAllStreams')}</Button>}
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
