'use client';

import { Upload } from 'lucide-react';
import { ChooseFiles } from './choose-files';
import { useTakeIn } from './uploads-provider';

export function UploadButton() {
  const takeIn = useTakeIn();
  return (
    <ChooseFiles label="Files to upload" many variant="primary" onFiles={takeIn}>
      <Upload aria-hidden="true" />
      Upload
    </ChooseFiles>
  );
}
