'use client';

import { toast } from 'sonner';
import { sentencesOf } from '@/lib/client/call';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { useDeleteStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';

interface DeleteStreamProps {
  /** The one to delete; null = closed. */
  stream: Stream | null;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteStream({ stream, onClose, onDeleted }: DeleteStreamProps) {
  const remove = useDeleteStream();
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={stream !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete “${stream?.name ?? ''}”?`}
      name={stream?.name ?? ''}
      confirm="Delete stream"
      pending={remove.isPending}
      error={sentencesOf(remove.error)[0]}
      onConfirm={() => {
        if (!stream) return;
        remove.mutate(stream.id, {
          onSuccess: () => {
            toast.success(`Deleted “${stream.name}”`);
            close();
            onDeleted?.();
          },
        });
      }}
    >
      Its stream key stops working and playback ends for everyone. This cannot be undone.
    </ConfirmDialog>
  );
}
