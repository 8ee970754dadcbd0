'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { readCurl } from './sample-code';
import { copyText } from './copy-button';
import type { Addresses } from '@/lib/client/queries/addresses';

/** Path of the API, and label: "Stream". */
interface Kind {
  readonly path: 'stream' | 'session' | 'asset' | 'task';
  readonly name: string;
}

interface Copied {
  readonly id: string;
  /** Playback URL, if there is one. */
  readonly playbackUrl?: string | undefined;
}

/** Returns a function that copies a value of an object and confirms it. */
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
