'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';

interface SessionEndedProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Said over the page, so that nothing typed on it is lost. */
export function SessionEnded({ open, onOpenChange }: SessionEndedProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Your session has ended"
      description="Log in again in a new tab, then come back. Anything you typed here is kept."
    >
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Close</Button>
        <Button asChild variant="primary">
          <a href="/login" target="_blank" rel="noreferrer" onClick={() => onOpenChange(false)}>
            Log in
          </a>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
