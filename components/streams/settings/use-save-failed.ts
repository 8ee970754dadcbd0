'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';

/** Function that shows a toast with the reason why a change was not saved. */
export function useSaveFailed() {
  const t = useTranslations('streams.streamSettings');
  return (error: Error) => toast.error(t('notSaved'), { description: error.message });
}
