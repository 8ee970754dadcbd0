'use client';

import { Popover } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { clsx } from 'clsx';

interface StagePopoverProps {
  label: string;
  /** The button that opens the panel. */
  anchor: RefObject<HTMLButtonElement | null>;
  /** Root element of the player. */
  stage: HTMLElement;
  align: 'start' | 'end';
  onOpenChange: (open: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** A panel above a button of the bar. It is inside the stage, because full screen hides all other elements. */
export function StagePopover(props: StagePopoverProps) {
  const { label, anchor, stage, align, onOpenChange, className, children } = props;
  const isAnchor = (target: EventTarget | null) =>
    target instanceof Node && anchor.current?.contains(target) === true;
  return (
    <Popover.Root open onOpenChange={onOpenChange}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal container={stage}>
        <Popover.Content
          aria-label={label}
          side="top"
          align={align}
          // The panel is above the seek bar, which is above the row of the button.
          sideOffset={34}
          collisionPadding={8}
          // A click on the anchor toggles the popover, so it must not also close it here.
          onInteractOutside={(event) => isAnchor(event.target) && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            anchor.current?.focus();
          }}
          className={clsx(
            'bg-raised text-ink shadow-pop animate-pop z-50 max-h-(--radix-popover-content-available-height) overflow-y-auto rounded-lg border p-1.5 focus:outline-none',
            className,
          )}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
