'use client';

import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { errorMessagesOf } from '@/lib/client/call';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { useRotateStreamKey } from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';

interface RotateKeyButtonProps {
  stream: Pick<Stream, 'id' | 'name'>;
  keyKind?: 'primary' | 'backup';
}

/** Button that replaces a leaked stream key after a confirmation. */
export function RotateKeyButton({ stream, keyKind = 'primary' }: RotateKeyButtonProps) {
  const t = useTranslations('streams.rotateKey');
  const [open, setOpen] = useState(false);
  const rotate = useRotateStreamKey(stream.id);
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    rotate.reset();
  };
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => changeOpen(true)} className="-my-1.5 -mr-2 px-2">
        <RefreshCw aria-hidden="true" />
        {t('replaceKey')}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={changeOpen}
        title={t(keyKind === 'primary' ? 'replaceTheKeyOf' : 'replaceTheBackupKeyOf', { name: stream.name })}
        confirmationWord={t('replaceWord')}
        confirmLabel={t('replaceKey')}
        pending={rotate.isPending}
        error={errorMessagesOf(rotate.error)[0]}
        onConfirm={() =>
          rotate.mutate(keyKind, {
            onSuccess: () => {
              toast.success(t('streamKeyReplaced'), { description: t('enterTheNewKey') });
              changeOpen(false);
            },
          })
        }
      >
        {t('oldKeyStopsWorking')}
      </ConfirmDialog>
    </>
  );
}
