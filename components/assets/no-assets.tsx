import { Film } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { useServerFeatures } from '@/components/shell/server-features';
import { uploadCurl } from './asset-commands';

interface EmptyAssetListProps {
  isFiltered: boolean;
  baseUrl: string | undefined;
  onShowAll: () => void;
}

/**
 * What an empty list shows: how to start, or a button that clears the active filters. The upload button is in the page
 * header.
 */
export function EmptyAssetList({ isFiltered, baseUrl, onShowAll }: EmptyAssetListProps) {
  const t = useTranslations('assets.noAssets');
  const { acceptMedia } = useServerFeatures();
  if (isFiltered) {
    return (
      <EmptyState
        title={t('noAssetMatches')}
        action={<Button onClick={onShowAll}>{t('showAllAssets')}</Button>}
      >
        {t('tryOtherNameOrFilter')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('noAssetsYet')}
      icon={Film}
      {...(baseUrl ? { command: { label: t('orFromYourCode'), code: uploadCurl(baseUrl) } } : {})}
    >
      {t(`dropVideoFilesAnywhere.${acceptMedia}`)}
    </EmptyState>
  );
}
