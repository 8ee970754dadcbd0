'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { sentencesOf } from '@/lib/client/call';
import { TargetForm, type NewTarget, bodyOf } from './target-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useCreateTarget } from '@/lib/client/queries/target-queries';

export function CreateTarget() {
  const [open, setOpen] = useState(false);
  const create = useCreateTarget();
  const change = (next: boolean) => {
    setOpen(next);
    // Also takes the url out of memory.
    create.reset();
  };
  const submit = (given: NewTarget) =>
    create.mutate(bodyOf(given), {
      onSuccess: (target) => {
        toast.success(`Created “${target.name}”`, {
          description: 'Add it to a stream on the stream’s page.',
        });
        change(false);
      },
    });
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Create target"
      description="Nothing is sent until you add it to a stream. The key is stored encrypted and never shown again."
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          Create target
        </Button>
      }
    >
      <TargetForm pending={create.isPending} sentences={sentencesOf(create.error)} onSubmit={submit} />
    </Dialog>
  );
}
