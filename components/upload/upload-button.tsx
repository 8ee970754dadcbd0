'use client';

import { Upload } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useHasRole } from '@/components/teams/use-team';
import { ChooseFilesButton } from './choose-files';
import { useAddUploads } from './uploads-provider';

/**
 * Button that uploads files as new assets.
 * @param variant default: primary, for pages whose main action is an upload
 */
export function UploadButton({ variant = 'primary' }: { variant?: 'primary' | 'secondary' }) {
  const mayChange = useHasRole('developer');
  const t = useTranslations('upload.uploadButton');
  const addUploads = useAddUploads();
  if (!mayChange) return null;
  return (
    <ChooseFilesButton label={t('filesToUpload')} many variant={variant} onFiles={addUploads}>
      <Upload aria-hidden="true" />
      {t('upload')}
    </ChooseFilesButton>
  );
}
