'use client';

import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { ControlButton } from './control-button';

interface StageCoverProps {
  label: string;
  closeLabel: string;
  /** The button that opens the panel. */
  anchor: RefObject<HTMLButtonElement | null>;
  /** Root element of the player. */
  stage: HTMLElement;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

/** A scrolling panel that covers a stage which is too small for a panel above the bar. */
export function StageCover({ label, closeLabel, anchor, stage, onOpenChange, children }: StageCoverProps) {
  return (
    <Dialog.Root open onOpenChange={onOpenChange} modal={false}>
      <Dialog.Portal container={stage}>
        <Dialog.Content
          aria-describedby={undefined}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && anchor.current?.contains(event.target))
              event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            anchor.current?.focus();
          }}
          className="bg-raised text-ink animate-fade absolute inset-0 z-50 overflow-y-auto p-1.5 focus:outline-none"
        >
          <Dialog.Title className="sr-only">{label}</Dialog.Title>
          <div className="sticky top-0 z-10 float-right">
            <ControlButton label={closeLabel} onClick={() => onOpenChange(false)} className="bg-raised">
              <X />
            </ControlButton>
          </div>
          <div className="pr-11">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
