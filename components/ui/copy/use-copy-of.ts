'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { readCurl } from './sample-code';
import { copyText } from './copy-button';
import type { Addresses } from '@/lib/client/queries/addresses';

/** As the API names it, and in the words of the page: "Stream". */
interface Kind {
  readonly path: 'stream' | 'session' | 'asset' | 'task';
  readonly name: string;
}

interface Copied {
  readonly id: string;
  /** Where it is played, where there is such an address. */
  readonly playbackUrl?: string | undefined;
}

/** Gives a function that puts one thing about an object on the clipboard and says so. */
export function useCopyOf({ path, name }: Kind) {
  const t = useTranslations('ui.copy');
  return async (
    kind: 'id' | 'playback' | 'curl',
    { id, playbackUrl = '' }: Copied,
    addresses: Addresses | undefined,
  ): Promise<void> => {
    if (!addresses) return;
    const text = { id, playback: playbackUrl, curl: readCurl(`${addresses.base}/api/${path}/${id}`) }[kind];
    if (await copyText(text)) toast.success(t(kind, { kind: name }));
    else toast.error(t('blocked'));
  };
}
