'use client';

import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';

interface ConfirmSuspendProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What is suspended: “Town hall”, 3 streams. */
  what: string;
  onConfirm: () => void;
}

/** Shown for live streams, because encoder and viewers are cut off. */
export function ConfirmSuspend({ open, onOpenChange, what, onConfirm }: ConfirmSuspendProps) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Suspend ${what}?`}
      confirm="Suspend"
      pending={false}
      onConfirm={() => {
        onOpenChange(false);
        onConfirm();
      }}
    >
      Live video is cut off: the encoder is disconnected and playback stops for every viewer. Publishing and
      playback stay blocked until you turn off Suspend.
    </ConfirmDialog>
  );
}
