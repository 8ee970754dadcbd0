'use client';

import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import type { useTestTarget } from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { TestResult } from './connection-test';

interface TestTargetDialogProps {
  /** Target that is tested; null while the dialog is closed. */
  target: Pick<MultistreamTarget, 'id' | 'name'> | null;
  test: ReturnType<typeof useTestTarget>;
  onClose: () => void;
}

/** Dialog with the result of the test of a saved target. The caller starts the first test when it opens the dialog. */
export function TestTargetDialog({ target, test, onClose }: TestTargetDialogProps) {
  const t = useTranslations('targets.testTarget');
  return (
    <Dialog
      open={target !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('title', { name: target?.name ?? '' })}
      description={t('description')}
    >
      <div role="status" className="min-h-10">
        {test.isPending ? <p className="text-ink-2">{t('testingConnection')}</p> : <TestResult test={test} />}
      </div>
      <DialogActions>
        <Button pending={test.isPending} onClick={() => target && test.mutate({ id: target.id })}>
          {t('testAgain')}
        </Button>
        <Button variant="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
