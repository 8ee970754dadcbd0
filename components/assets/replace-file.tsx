'use client';

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { useServerFeatures } from '@/components/shell/server-features';
import { ChooseFilesButton } from '@/components/upload/choose-files';
import { useReplaceFile } from '@/components/upload/uploads-provider';
import { Notice } from '@/components/ui/notice';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useReplaceFromUrl } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { FileUrlForm } from './import-form';

/** Whether the file can be replaced: the asset must be ready, and the file of a recording belongs to its session. */
export const isReplaceable = ({ status, source }: Pick<Asset, 'status' | 'source'>): boolean =>
  status.phase === 'ready' && source.type !== 'recording';

interface ReplaceFileDialogProps {
  asset: Asset;
  onClose: () => void;
}

/** Explains what happens to the current file, and lets the user choose a new file or enter its URL. */
export function ReplaceFileDialog({ asset, onClose }: ReplaceFileDialogProps) {
  const t = useTranslations('assets.replaceFile');
  const { acceptMedia } = useServerFeatures();
  const replaceWithFile = useReplaceFile();
  const replaceFromUrl = useReplaceFromUrl(asset.id);
  return (
    <Dialog open onOpenChange={onClose} title={t('title', { name: asset.name })}>
      <div className="text-ink-2 grid gap-3">
        <p>{t('stays')}</p>
        <p>{t('chaptersAndPoster')}</p>
        <p>{t('untilReady')}</p>
        <p>{t(`accepted.${acceptMedia}`)}</p>
        {asset.storage?.ipfs?.cid !== undefined && <Notice>{t('onIpfs')}</Notice>}
      </div>
      <div className="mt-6 mb-8">
        <ChooseFilesButton
          label={t('newFile')}
          variant="primary"
          onFiles={([file]) => {
            if (!file) return;
            replaceWithFile(asset.id, file);
            onClose();
          }}
        >
          {t('chooseFile')}
        </ChooseFilesButton>
      </div>
      <FileUrlForm
        label={t('replaceFromUrl')}
        mutation={replaceFromUrl}
        onSubmit={(url) =>
          replaceFromUrl.mutate(url, {
            onSuccess: () => {
              onClose();
              toast.success(t('onItsWay'));
            },
          })
        }
      />
    </Dialog>
  );
}
