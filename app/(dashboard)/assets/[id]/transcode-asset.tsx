'use client';

import { Scaling } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { sentencesOf } from '@/app/sentences-of';
import { TranscodeForm } from '@/components/assets/transcode-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useTranscodeAsset } from '@/lib/client/asset-queries';
import type { Asset } from '@/lib/contract/asset';

export function TranscodeAsset({ asset }: { asset: Asset }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const start = useTranscodeAsset(asset.id);
  const video = asset.videoSpec?.tracks.find((track) => track.type === 'video');
  if (video?.type !== 'video') return null;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        start.reset();
      }}
      title={`Transcode “${asset.name}”`}
      description={`Creates a new asset in another rendition. This one is ${video.width}×${video.height} pixels.`}
      trigger={
        <Button>
          <Scaling aria-hidden="true" />
          Transcode
        </Button>
      }
    >
      <TranscodeForm
        name={asset.name}
        picture={video}
        pending={start.isPending}
        sentences={sentencesOf(start.error)}
        onSubmit={(order) =>
          start.mutate(order, {
            onSuccess: (made) => {
              setOpen(false);
              toast.success(`Transcoding to “${made.asset.name}”`, {
                action: { label: 'Open', onClick: () => router.push(`/assets/${made.asset.id}`) },
              });
            },
          })
        }
      />
    </Dialog>
  );
}
