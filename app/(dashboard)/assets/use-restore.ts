'use client';

import { toast } from 'sonner';
import { useRestoreAssets } from '@/lib/client/asset-queries';

/** Takes deletions back, and says how that went. `what`: "“Town hall”", "3 assets". */
export function useRestore(): (ids: readonly string[], what: string) => void {
  const { mutate } = useRestoreAssets();
  return (ids, what) =>
    mutate(ids, {
      onSuccess: ({ failed }) =>
        toast.success(
          `Restored ${what}`,
          failed > 0 ? { description: `${failed} could not be restored.` } : {},
        ),
      onError: (error) => toast.error(`${what} could not be restored`, { description: error.message }),
    });
}
