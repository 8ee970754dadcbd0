'use client';

import { Replace } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { useServerFeatures } from '@/components/shell/server-features';
import { ChooseFiles } from '@/components/upload/choose-files';
import { useReplaceFile } from '@/components/upload/uploads-provider';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useReplaceFromUrl } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { FileUrlForm } from './import-form';

/** Whether the file can be replaced: the asset must be ready, and the file of a recording belongs to its session. */
export const isReplaceable = ({ status, source }: Pick<Asset, 'status' | 'source'>): boolean =>
  status.phase === 'ready' && source.type !== 'recording';

export function ReplaceFile({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.replaceFile');
  const [open, setOpen] = useState(false);
  if (!isReplaceable(asset)) return null;
  return (
    <ReplaceDialog
      asset={asset}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button>
          <Replace aria-hidden="true" />
          {t('replaceFile')}
        </Button>
      }
    />
  );
}

interface ReplaceDialogProps extends Pick<
  ComponentProps<typeof Dialog>,
  'open' | 'onOpenChange' | 'trigger'
> {
  asset: Asset;
}

/** Explains what happens to the current file, and lets the user choose a new file or enter its URL. */
export function ReplaceDialog({ asset, ...dialog }: ReplaceDialogProps) {
  const t = useTranslations('assets.replaceFile');
  const { acceptMedia: accept } = useServerFeatures();
  const replace = useReplaceFile();
  const download = useReplaceFromUrl(asset.id);
  const { onOpenChange } = dialog;
  return (
    <Dialog
      {...dialog}
      onOpenChange={(open) => {
        onOpenChange(open);
        download.reset();
      }}
      title={t('title', { name: asset.name })}
    >
      <div className="text-ink-2 grid gap-3">
        <p>{t('stays')}</p>
        <p>{t('chaptersAndPoster')}</p>
        <p>{t('untilReady')}</p>
        <p>{t(`accepted.${accept}`)}</p>
        {asset.storage?.ipfs?.cid !== undefined && <Notice>{t('onIpfs')}</Notice>}
      </div>
      <div className="mt-6 mb-8">
        <ChooseFiles
          label={t('newFile')}
          variant="primary"
          onFiles={([file]) => {
            if (!file) return;
            replace(asset.id, file);
            onOpenChange(false);
          }}
        >
          {t('chooseFile')}
        </ChooseFiles>
      </div>
      <FileUrlForm
        label={t('replaceFromUrl')}
        call={download}
        onSubmit={(url) =>
          download.mutate(url, {
            onSuccess: () => {
              onOpenChange(false);
              toast.success(t('onItsWay'));
            },
          })
        }
      />
    </Dialog>
  );
}
