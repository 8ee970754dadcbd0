'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import type { useTestTarget } from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { TestResult } from './connection-test';

interface TestTargetProps {
  /** The one that is tested; null = closed. */
  target: MultistreamTarget | null;
  test: ReturnType<typeof useTestTarget>;
  onClose: () => void;
}

/** What a saved target answered. The test starts with the click that opens it. */
export function TestTarget({ target, test, onClose }: TestTargetProps) {
  return (
    <Dialog
      open={target !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Test the connection to “${target?.name ?? ''}”`}
      description="Headwater connects with the saved URL and key, and disconnects without sending media."
    >
      <div role="status" className="min-h-10">
        {test.isPending ? <p className="text-ink-2">Testing connection …</p> : <TestResult test={test} />}
      </div>
      <DialogActions>
        <Button pending={test.isPending} onClick={() => target && test.mutate({ id: target.id })}>
          Test again
        </Button>
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
