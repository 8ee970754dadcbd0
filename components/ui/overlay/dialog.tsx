'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** The button that opens the dialog and gets the focus back. */
  trigger?: ReactNode;
  /** Whether the dialog is wide, for forms with many fields in a row. */
  wide?: boolean;
  children: ReactNode;
}

/** A modal dialog; on a phone it opens at the lower edge. Its input is kept until it closes. */
export function Dialog(props: DialogProps) {
  const t = useTranslations('ui.dialog');
  const { open, onOpenChange, title, description, trigger, wide = false, children } = props;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className="bg-scrim animate-fade fixed inset-0 z-40" />
        <Radix.Content
          className={cn(
            'bg-raised shadow-pop animate-pop fixed inset-x-0 bottom-0 z-50 max-h-[90dvh] overflow-y-auto rounded-t-xl border p-6 focus:outline-none sm:inset-x-auto sm:top-[12vh] sm:bottom-auto sm:left-1/2 sm:max-h-[84dvh] sm:w-full sm:-translate-x-1/2 sm:rounded-xl',
            wide ? 'sm:max-w-3xl' : 'sm:max-w-lg',
          )}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <Radix.Title className="line-clamp-4 pr-10 text-xl font-semibold tracking-tight wrap-anywhere">
            {title}
          </Radix.Title>
          {description && (
            <Radix.Description className="text-ink-2 mt-1 wrap-anywhere">{description}</Radix.Description>
          )}
          <div className="mt-6">{children}</div>
          <Radix.Close asChild>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t('close')}
              className="absolute top-5 right-4 max-sm:top-3.5 max-sm:right-3"
            >
              <X aria-hidden="true" />
            </Button>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The buttons at the end of a dialog, primary button last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}
