import { Radio } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { createStreamCurl } from '@/components/streams/sharing/api-examples';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

interface NoStreamsProps {
  isFiltered: boolean;
  baseUrl: string | undefined;
  onClear: () => void;
}

/** Replaces an empty list. Without filters it shows how to start; with filters it offers to clear them. */
export function NoStreams({ isFiltered, baseUrl, onClear }: NoStreamsProps) {
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
      picture={Radio}
      {...(baseUrl ? { command: { label: t('orFromYourCode'), code: createStreamCurl(baseUrl) } } : {})}
    >
      {t('createOne')}
    </EmptyState>
  );
}
