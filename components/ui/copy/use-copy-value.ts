'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { readCurl } from './sample-code';
import { copyText } from './copy-button';
import type { PublicUrls } from '@/lib/client/queries/public-urls';

/** Kind of an object, which is its path in the API. */
type ObjectKind = 'stream' | 'session' | 'asset' | 'task';

interface CopiedObject {
  readonly id: string;
  /** Playback URL, if there is one. */
  readonly playbackUrl?: string | undefined;
}

/** Function that copies the id, the playback URL or a curl command of an object, and shows whether it was copied. */
export function useCopyValue(objectKind: ObjectKind) {
  const t = useTranslations('ui.copy');
  return async (
    part: 'id' | 'playback' | 'curl',
    { id, playbackUrl = '' }: CopiedObject,
    urls: PublicUrls | undefined,
  ): Promise<void> => {
    if (!urls) return;
    const text = { id, playback: playbackUrl, curl: readCurl(`${urls.baseUrl}/api/${objectKind}/${id}`) }[
      part
    ];
    if (await copyText(text)) toast.success(part === 'id' ? t(`id.${objectKind}`) : t(part));
    else toast.error(t('blocked'));
  };
}
