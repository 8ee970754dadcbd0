'use client';

import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { sentencesOf } from '@/lib/client/call';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { useRotateStreamKey } from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';

/** Replaces a leaked stream key. */
export function RotateKey({ stream }: { stream: Stream }) {
  const [open, setOpen] = useState(false);
  const rotate = useRotateStreamKey(stream.id);
  const change = (next: boolean) => {
    setOpen(next);
    rotate.reset();
  };
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => change(true)} className="-my-1.5 -mr-2 px-2">
        <RefreshCw aria-hidden="true" />
        Replace key
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={change}
        title={`Replace the key of “${stream.name}”?`}
        word="replace"
        confirm="Replace key"
        pending={rotate.isPending}
        error={sentencesOf(rotate.error)[0]}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: () => {
              toast.success('Stream key replaced', { description: 'Enter the new key in your encoder.' });
              change(false);
            },
          })
        }
      >
        The old key stops working at once and its encoder is disconnected. Enter the new key in every encoder.
      </ConfirmDialog>
    </>
  );
}
