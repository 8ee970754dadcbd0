'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { FormError } from '@/components/ui/form/field';
import { PosterField } from '@/components/ui/form/poster-field';
import { Dialog } from '@/components/ui/overlay/dialog';
import { WideThumbnail } from '@/components/ui/thumbnail';
import { Film } from 'lucide-react';
import { errorMessagesOf } from '@/lib/client/call';
import type { OwnerToken } from '@/lib/client/queries/access-queries';
import { useUpdateAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { formatVideoDuration, hasVideo } from './asset-text';

interface PosterDialogProps {
  asset: Asset;
  token: OwnerToken;
  onClose: () => void;
}

/** Chooses the frame of an asset that is its poster, or uploads a picture. */
export function PosterDialog({ asset, token, onClose }: PosterDialogProps) {
  const t = useTranslations('assets.posterDialog');
  const { posterTime, playbackUrl, videoSpec } = asset;
  const lastSecond = Math.max(0, Math.ceil(videoSpec?.duration ?? 0) - 1);
  // All times are in seconds. Without a chosen time, the poster is the frame at a tenth of the duration, at most at 60 s.
  const defaultTime = Math.min((videoSpec?.duration ?? 0) / 10, 60);
  const savedTime = Math.floor(posterTime ?? defaultTime);
  const [draftTime, setDraftTime] = useState<number | null>(null);
  // The preview follows only when the slider is released, so that the server does not extract a frame for every
  // position.
  const [previewTime, setPreviewTime] = useState<number | null>(null);
  const update = useUpdateAsset(asset.id);
  if (playbackUrl === undefined || !hasVideo(asset)) return null;
  const selectedTime = draftTime ?? savedTime;
  const save = (newPosterTime: number | null) =>
    update.mutate(
      { posterTime: newPosterTime },
      {
        onSuccess: () => {
          setDraftTime(null);
          setPreviewTime(null);
          toast.success(t('saved'));
        },
      },
    );
  const updatePreview = () => setPreviewTime(draftTime);
  return (
    <Dialog open onOpenChange={onClose} title={t('title')} description={t('description')}>
      <div className="grid gap-4 sm:grid-cols-[14rem_minmax(0,1fr)] sm:items-center">
        <div className="overflow-hidden rounded-md border">
          <WideThumbnail src={frameUrl(playbackUrl, previewTime ?? savedTime, token)} icon={Film} />
        </div>
        <div className="grid min-w-0 gap-4">
          <div className="grid gap-1.5">
            <span className="text-sm font-medium tabular-nums">
              {t('time', { time: formatVideoDuration(selectedTime) })}
            </span>
            <input
              type="range"
              aria-label={t('frame')}
              aria-valuetext={formatVideoDuration(selectedTime)}
              min={0}
              max={lastSecond}
              step={1}
              value={selectedTime}
              onChange={({ target }) => setDraftTime(Number(target.value))}
              onPointerUp={updatePreview}
              onKeyUp={updatePreview}
              onBlur={updatePreview}
              className="accent-accent w-full cursor-pointer max-sm:h-11"
            />
          </div>
          <div className="flex flex-wrap gap-2">
            <Button
              disabled={(draftTime === null && asset.posterUrl === undefined) || draftTime === posterTime}
              pending={update.isPending}
              onClick={() => save(selectedTime)}
            >
              {t('use')}
            </Button>
            {posterTime !== undefined && (
              <Button variant="ghost" pending={update.isPending} onClick={() => save(null)}>
                {t('automatic')}
              </Button>
            )}
          </div>
        </div>
      </div>
      <FormError>{errorMessagesOf(update.error).join(' ')}</FormError>
      <div className="mt-5 border-t pt-5">
        <PosterField owner={{ kind: 'asset', id: asset.id }} posterUrl={asset.posterUrl} />
      </div>
    </Dialog>
  );
}

/** URL of a frame; undefined while the token of the owner is loading. */
function frameUrl(playbackUrl: string, seconds: number, token: OwnerToken): string | undefined {
  if (token === undefined) return undefined;
  const url = new URL('thumbnail.jpg', playbackUrl);
  url.searchParams.set('time', String(seconds));
  url.searchParams.set('width', '640');
  if (token !== null) url.searchParams.set('token', token);
  return url.href;
}
