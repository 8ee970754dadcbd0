'use client';

import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { CopyField } from './copy-field';

interface LinkDialogProps {
  /** Mutation that creates the link. */
  creation: { readonly data: { readonly url: string } | undefined; reset(): void };
  /** Title of the dialog, and text of the button that opens it. */
  title: string;
  description: string;
  /** Title and description once the link exists. */
  created: { readonly title: string; readonly description: string; readonly label: string };
  doneLabel: string;
  variant?: 'primary' | 'secondary';
  /** Form that creates the link. */
  children: (close: () => void) => ReactNode;
}

/** Dialog with a form that creates a link. The link is then shown so that it can be shared. */
export function LinkDialog({ creation, created, children, ...props }: LinkDialogProps) {
  const { title, description, doneLabel, variant = 'secondary' } = props;
  const [open, setOpen] = useState(false);
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    if (isOpen) creation.reset();
  };
  const close = () => changeOpen(false);
  const link = creation.data;
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={link ? created.title : title}
      description={link ? created.description : description}
      trigger={
        <Button variant={variant}>
          <Plus aria-hidden="true" />
          {title}
        </Button>
      }
    >
      {link ? (
        <>
          <CopyField label={created.label} value={link.url} />
          <DialogActions>
            <Button variant="primary" onClick={close}>
              {doneLabel}
            </Button>
          </DialogActions>
        </>
      ) : (
        children(close)
      )}
    </Dialog>
  );
}
