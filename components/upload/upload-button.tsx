'use client';

import { Upload } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/teams/use-team';
import { ChooseFiles } from './choose-files';
import { useAddUploads } from './uploads-provider';

export function UploadButton() {
  const mayChange = useMay('developer');
  const t = useTranslations('upload.uploadButton');
  const addUploads = useAddUploads();
  if (!mayChange) return null;
  return (
    <ChooseFiles label={t('filesToUpload')} many variant="primary" onFiles={addUploads}>
      <Upload aria-hidden="true" />
      {t('upload')}
    </ChooseFiles>
  );
}
