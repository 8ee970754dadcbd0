'use client';

import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { sentencesOf } from '@/app/sentences-of';
import { RenditionsForm } from '@/components/streams/renditions-form';
import { RenditionsPanel } from '@/components/streams/renditions-panel';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useUpdateStream } from '@/lib/client/queries';
import type { Stream } from '@/lib/contract/stream';

export function StreamRenditions({ stream }: { stream: Stream }) {
  const [open, setOpen] = useState(false);
  const update = useUpdateStream(stream.id);
  const change = (next: boolean) => {
    setOpen(next);
    update.reset();
  };
  return (
    <RenditionsPanel
      stream={stream}
      action={
        // Historic child-session objects keep what they had.
        stream.parentId === undefined && (
          <Dialog
            wide
            open={open}
            onOpenChange={change}
            title="Renditions"
            description="Qualities viewers can choose besides the source. 0 fps keeps the source frame rate. A live stream updates within seconds."
            trigger={
              <Button size="sm">
                <Pencil aria-hidden="true" />
                Edit
                <span className="sr-only"> renditions</span>
              </Button>
            }
          >
            <RenditionsForm
              profiles={stream.profiles}
              sentTo={stream.multistream.targets.map(({ profile }) => profile)}
              pending={update.isPending}
              sentences={sentencesOf(update.error)}
              onSubmit={(profiles) =>
                update.mutate(
                  { profiles },
                  {
                    onSuccess: () => {
                      toast.success('Renditions saved');
                      change(false);
                    },
                  },
                )
              }
            />
          </Dialog>
        )
      }
    />
  );
}
