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
  const mayUpload = useHasRole('developer');
  const t = useTranslations('upload.uploadButton');
  const addUploads = useAddUploads();
  if (!mayUpload) return null;
  return (
    <ChooseFilesButton label={t('filesToUpload')} multiple variant={variant} onFiles={addUploads}>
      <Upload aria-hidden="true" />
      {t('upload')}
    </ChooseFilesButton>
  );
}
