import { useTranslations } from 'use-intl';
import { createStreamCurl } from '@/components/streams/sharing/api-examples';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

interface NoStreamsProps {
  isFiltered: boolean;
  baseUrl: string | undefined;
  onClear: () => void;
}

/** "Nothing yet" shows how to begin; "nothing found" shows the way back to everything. */
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
      {...(baseUrl ? { command: { label: t('orFromYourCode'), code: createStreamCurl(baseUrl) } } : {})}
    >
      {t('createOne')}
    </EmptyState>
  );
}
