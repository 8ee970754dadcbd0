'use client';

import { Send } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { sentencesOf } from '@/app/sentences-of';
import { ExportForm } from '@/components/assets/export-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useExportAsset } from '@/lib/client/asset-queries';
import type { Asset } from '@/lib/contract/asset';

export function ExportAsset({ asset }: { asset: Asset }) {
  const [open, setOpen] = useState(false);
  const start = useExportAsset(asset.id);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        start.reset();
      }}
      title={`Export “${asset.name}”`}
      description="Sends a copy of the file in the background."
      trigger={
        <Button>
          <Send aria-hidden="true" />
          Export
        </Button>
      }
    >
      <ExportForm
        pending={start.isPending}
        sentences={sentencesOf(start.error)}
        onSubmit={(order) =>
          start.mutate(order, {
            onSuccess: () => {
              setOpen(false);
              toast.success('Export started', { description: 'This page shows its progress.' });
            },
          })
        }
      />
    </Dialog>
  );
}
