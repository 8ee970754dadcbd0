import { type ChangeEvent, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { errorMessagesOf } from '@/lib/client/call';
import { type PosterOwner, useDeletePoster, useUploadPoster } from '@/lib/client/queries/poster-queries';
import { MAX_POSTER_BYTES } from '@/lib/contract/assets/poster';

const acceptedTypes = 'image/png,image/jpeg,image/webp';

interface PosterFieldProps {
  owner: PosterOwner;
  posterUrl: string | undefined;
  /** URL of the current thumbnail of a live stream. */
  currentThumbnailUrl?: string | undefined;
}

/** Uploads, replaces and deletes the poster of a stream or an asset. */
export function PosterField({ owner, posterUrl, currentThumbnailUrl }: PosterFieldProps) {
  const t = useTranslations('ui.poster');
  const input = useRef<HTMLInputElement>(null);
  const upload = useUploadPoster(owner);
  const remove = useDeletePoster(owner);
  const [isTooLarge, setTooLarge] = useState(false);
  /** @param picture a file, or the URL of the picture */
  const uploadPoster = (picture: File | string) =>
    upload.mutate(picture, { onSuccess: () => toast.success(t('changed')) });
  const uploadChosenFile = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Reset, so that the same file can be chosen again after a rejection.
    target.value = '';
    if (!file) return;
    setTooLarge(file.size > MAX_POSTER_BYTES);
    if (file.size <= MAX_POSTER_BYTES) uploadPoster(file);
  };
  const errorMessages = isTooLarge ? [t('tooLarge')] : errorMessagesOf(upload.error ?? remove.error);
  return (
    <div role="group" aria-label={t('poster')} className="grid gap-1.5">
      <div className="font-medium">{t('poster')}</div>
      <p className="text-ink-2 text-sm">{t(`hint.${owner.kind}`)}</p>
      <div className="flex flex-wrap items-center gap-3">
        {posterUrl !== undefined && (
          // eslint-disable-next-line @next/next/no-img-element -- next/image does not optimize images of the media server
          <img src={posterUrl} alt="" className="h-16 max-w-32 rounded-md object-contain" />
        )}
        <Button pending={upload.isPending} onClick={() => input.current?.click()}>
          {posterUrl === undefined ? t('upload') : t('replace')}
        </Button>
        {currentThumbnailUrl !== undefined && (
          <Button disabled={upload.isPending} onClick={() => uploadPoster(currentThumbnailUrl)}>
            {t('useCurrent')}
          </Button>
        )}
        {posterUrl !== undefined && (
          <Button
            variant="ghost"
            pending={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: () => toast.success(t('deleted')) })}
          >
            {t('delete')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          aria-label={t('file')}
          accept={acceptedTypes}
          onChange={uploadChosenFile}
          hidden
        />
      </div>
      <p role="alert" className="text-live-ink text-sm empty:hidden">
        {errorMessages.join(' ')}
      </p>
    </div>
  );
}
