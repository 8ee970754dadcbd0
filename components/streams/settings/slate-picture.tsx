import { type ChangeEvent, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { errorMessagesOf } from '@/lib/client/call';
import { useDeleteSlatePicture, useUploadSlatePicture } from '@/lib/client/queries/slate-picture-queries';
import { MAX_SLATE_PICTURE_BYTES } from '@/lib/contract/streams/slate-picture';
import type { Stream } from '@/lib/contract/streams/stream';

const acceptedTypes = 'image/png,image/jpeg,image/webp';

/** Slate picture of a stream, with buttons that upload and delete it. */
export function SlatePictureField({ stream }: { stream: Pick<Stream, 'id' | 'slatePictureUrl'> }) {
  const t = useTranslations('streams.encoderLoss');
  const input = useRef<HTMLInputElement>(null);
  const upload = useUploadSlatePicture(stream.id);
  const remove = useDeleteSlatePicture(stream.id);
  const [isTooLarge, setTooLarge] = useState(false);
  const uploadChosenFile = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Reset, so that the same file can be chosen again after a rejection.
    target.value = '';
    if (!file) return;
    setTooLarge(file.size > MAX_SLATE_PICTURE_BYTES);
    if (file.size > MAX_SLATE_PICTURE_BYTES) return;
    upload.mutate(file, { onSuccess: () => toast.success(t('slatePictureUploaded')) });
  };
  const errorMessages = isTooLarge
    ? [t('slatePictureTooLarge')]
    : errorMessagesOf(upload.error ?? remove.error);
  const url = stream.slatePictureUrl;
  return (
    <div role="group" aria-label={t('slatePicture')} className="grid gap-1.5">
      <div className="font-medium">{t('slatePicture')}</div>
      <p className="text-ink-2 text-sm">{t('slatePictureHint')}</p>
      <div className="flex flex-wrap items-center gap-3">
        {url !== undefined && (
          // eslint-disable-next-line @next/next/no-img-element -- next/image does not optimize images of the media server
          <img src={url} alt="" className="h-16 max-w-32 rounded-md object-contain" />
        )}
        <Button pending={upload.isPending} onClick={() => input.current?.click()}>
          {url === undefined ? t('uploadSlatePicture') : t('replaceSlatePicture')}
        </Button>
        {url !== undefined && (
          <Button
            variant="ghost"
            pending={remove.isPending}
            onClick={() =>
              remove.mutate(undefined, { onSuccess: () => toast.success(t('slatePictureDeleted')) })
            }
          >
            {t('deleteSlatePicture')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          aria-label={t('slatePictureFile')}
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
