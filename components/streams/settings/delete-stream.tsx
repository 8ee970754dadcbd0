'use client';

import { toast } from 'sonner';
import { sentencesOf } from '@/lib/client/call';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { useDeleteStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';

/** What is deleted with a stream; follows "Its" or "Their". */
export const afterDeletion =
  'encoder is disconnected, playback ends and recordings are deleted. Sessions stay in the list of sessions, and assets made from recordings stay in Assets.';

interface DeleteStreamProps {
  /** The stream to delete; null = closed. */
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
      word="delete"
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
      Its {afterDeletion} This cannot be undone.
    </ConfirmDialog>
  );
}
