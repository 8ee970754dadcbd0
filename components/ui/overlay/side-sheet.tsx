'use client';

import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';

interface SideSheetProps {
  /** The button that opens the sheet. */
  trigger: ReactNode;
  title: string;
  /** Shown in place of the title, which is then announced only. */
  mark?: ReactNode;
  /** Accessible name of the close button. */
  closeLabel: string;
  /** @param close closes the sheet; links must call it, because the sheet stays open when the page changes */
  children: (close: () => void) => ReactNode;
}

/** Slides in from the left edge, for navigation that does not fit beside the page. */
export function SideSheet({ trigger, title, mark, closeLabel, children }: SideSheetProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>{trigger}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="bg-scrim animate-fade fixed inset-0 z-40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="bg-raised animate-drawer fixed inset-y-0 left-0 z-50 flex w-80 max-w-[88vw] flex-col border-r p-3 focus:outline-none"
        >
          <div className="mb-4 flex items-center justify-between pl-3">
            {mark}
            <Dialog.Title className={mark ? 'sr-only' : 'text-lg font-semibold tracking-tight'}>
              {title}
            </Dialog.Title>
            <Dialog.Close asChild>
              <Button variant="ghost" size="icon" aria-label={closeLabel} className="size-11">
                <X aria-hidden="true" />
              </Button>
            </Dialog.Close>
          </div>
          {children(() => setOpen(false))}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
