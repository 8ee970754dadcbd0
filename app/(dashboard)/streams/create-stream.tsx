'use client';

import { Plus } from 'lucide-react';
import { sentencesOf } from '@/app/sentences-of';
import { CreateStreamForm } from '@/components/streams/create-stream-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useCreateStream } from '@/lib/client/queries';
import type { Stream } from '@/lib/contract/stream';
import { useOpenByAddress } from '../_data/use-open-by-address';

export function CreateStream({ onCreated }: { onCreated: (stream: Stream) => void }) {
  const [open, setOpen] = useOpenByAddress();
  const create = useCreateStream();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        create.reset();
      }}
      title="Create stream"
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          Create stream
        </Button>
      }
    >
      <CreateStreamForm
        pending={create.isPending}
        sentences={sentencesOf(create.error)}
        onSubmit={(values) =>
          create.mutate(values, {
            onSuccess: (stream) => {
              setOpen(false);
              onCreated(stream);
            },
          })
        }
      />
    </Dialog>
  );
}
