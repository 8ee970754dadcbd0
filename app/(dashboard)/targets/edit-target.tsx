'use client';

import { toast } from 'sonner';
import { sentencesOf } from '@/app/sentences-of';
import { EditTargetForm, type TargetChange } from '@/components/targets/edit-target-form';
import { Dialog } from '@/components/ui/dialog';
import { useUpdateTarget } from '@/lib/client/target-queries';
import type { MultistreamTarget } from '@/lib/contract/multistream';

interface EditTargetProps {
  /** The one to change; null = closed. */
  target: MultistreamTarget | null;
  onClose: () => void;
}

export function EditTarget({ target, onClose }: EditTargetProps) {
  const update = useUpdateTarget();
  const close = () => {
    update.reset();
    onClose();
  };
  const submit = (change: TargetChange) =>
    target &&
    update.mutate(
      { id: target.id, change },
      {
        onSuccess: () => {
          toast.success(`Saved “${change.name}”`);
          close();
        },
      },
    );
  return (
    <Dialog open={target !== null} onOpenChange={(open) => !open && close()} title="Change target">
      {target && (
        <EditTargetForm
          name={target.name}
          pending={update.isPending}
          sentences={sentencesOf(update.error)}
          onSubmit={submit}
        />
      )}
    </Dialog>
  );
}
