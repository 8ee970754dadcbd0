'use client';

import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { sentencesOf } from '@/app/sentences-of';
import { ImportForm } from '@/components/assets/import-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useImportAsset } from '@/lib/client/asset-queries';

export function ImportAsset() {
  const [open, setOpen] = useState(false);
  const start = useImportAsset();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        start.reset();
      }}
      title="Import from a URL"
      trigger={
        <Button>
          <Link2 aria-hidden="true" />
          Import URL
        </Button>
      }
    >
      <ImportForm
        pending={start.isPending}
        sentences={sentencesOf(start.error)}
        onSubmit={(body) =>
          start.mutate(body, {
            onSuccess: ({ asset }) => {
              setOpen(false);
              toast.success(`Importing “${asset.name}”`);
            },
          })
        }
      />
    </Dialog>
  );
}
