'use client';

import { Upload } from 'lucide-react';
import { ChooseFiles } from '@/components/upload/choose-files';
import { useTakeIn } from '../_uploads/uploads-provider';

export function UploadButton() {
  const takeIn = useTakeIn();
  return (
    <ChooseFiles label="Files to upload" many variant="primary" onFiles={takeIn}>
      <Upload aria-hidden="true" />
      Upload
    </ChooseFiles>
  );
}
