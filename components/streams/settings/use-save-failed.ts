'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';

/** Returns a function that reports why a change was not saved. */
export function useSaveFailed() {
  const t = useTranslations('streams.streamSettings');
  return (error: Error) => toast.error(t('notSaved'), { description: error.message });
}
