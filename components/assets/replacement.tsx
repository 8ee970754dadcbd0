'use client';

import { useTranslations } from 'use-intl';
import { useAssetTasks } from '@/components/tasks/asset-tasks';
import { ProgressBar } from '@/components/ui/progress-bar';
import type { Asset } from '@/lib/contract/assets/asset';
import { isFinalTaskPhase } from '@/lib/core/tasks/task-state';

/** Progress of the upload or processing of a replacement file. */
export function ReplacementProgress({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.replaceFile');
  const task = useAssetTasks(asset.id).find(
    ({ params, status }) => params.import?.replace && !isFinalTaskPhase(status.phase),
  );
  if (!task) return null;
  const { phase, progress } = task.status;
  return (
    <div role="status" className="bg-raised grid gap-2 rounded-lg border px-4 py-3">
      <p className="font-medium">{t(phase === 'pending' ? 'onItsWay' : 'processing')}</p>
      <p className="text-ink-2 text-sm">{t('untilReady')}</p>
      {phase !== 'pending' && <ProgressBar label={t('processing')} value={progress ?? null} />}
    </div>
  );
}
