'use client';

import { Plus } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { toast } from 'sonner';
import { sentencesOf } from '@/app/sentences-of';
import { ReferenceForm } from '@/components/targets/reference-form';
import { StreamTargetsPanel } from '@/components/targets/stream-targets-panel';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import {
  useAddStreamTarget,
  useReplaceStreamTargets,
  useStreamMultistream,
  useTargets,
  useUpdateTarget,
} from '@/lib/client/target-queries';
import type { TargetStatus } from '@/lib/contract/multistream';
import type { Stream } from '@/lib/contract/stream';

const REFRESH_MS = 2000;

export function StreamTargets({ stream }: { stream: Stream }) {
  const statuses = useStreamMultistream(stream.id, REFRESH_MS);
  const replace = useReplaceStreamTargets(stream.id);
  const update = useUpdateTarget();
  const refused = (error: Error) => toast.error('Couldn’t save the change', { description: error.message });
  const remove = ({ id, profile }: TargetStatus) =>
    replace.mutate(
      stream.multistream.targets.filter((reference) => reference.id !== id || reference.profile !== profile),
      { onError: refused },
    );
  return (
    <StreamTargetsPanel
      targets={statuses.data}
      action={<AddTarget stream={stream} />}
      onRemove={remove}
      onSwitch={({ id, disabled }) =>
        update.mutate({ id, change: { disabled: !disabled } }, { onError: refused })
      }
    />
  );
}

function AddTarget({ stream }: { stream: Stream }) {
  const [open, setOpen] = useState(false);
  const targets = useTargets();
  const add = useAddStreamTarget(stream.id);
  const change = (next: boolean) => {
    setOpen(next);
    add.reset();
  };
  const none = targets.data?.items.length === 0;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Add a target"
      {...(none ? { description: 'Your account has no targets yet.' } : {})}
      trigger={
        <Button size="sm">
          <Plus aria-hidden="true" />
          Add target
        </Button>
      }
    >
      {none ? (
        <Button asChild variant="primary">
          <Link href="/targets">Create one</Link>
        </Button>
      ) : (
        targets.data && (
          <ReferenceForm
            targets={targets.data.items}
            renditions={['source', ...stream.profiles.map(({ name }) => name)]}
            pending={add.isPending}
            sentences={sentencesOf(add.error)}
            onSubmit={(reference) => add.mutate(reference, { onSuccess: () => change(false) })}
          />
        )
      )}
    </Dialog>
  );
}
