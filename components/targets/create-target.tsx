'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { useHasRole } from '@/components/teams/use-team';
import { TargetForm, type NewTarget, requestBodyOf } from './target-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/overlay/dialog';
import { useCreateTarget } from '@/lib/client/queries/target-queries';

export function CreateTargetDialog() {
  const mayChange = useHasRole('developer');
  const t = useTranslations('targets.createTarget');
  const [open, setOpen] = useState(false);
  const create = useCreateTarget();
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    // The mutation would keep the URL, which contains the stream key.
    create.reset();
  };
  const submit = (newTarget: NewTarget) =>
    create.mutate(requestBodyOf(newTarget), {
      onSuccess: (target) => {
        toast.success(t('created', { name: target.name }), {
          description: t('addItToAStream'),
        });
        changeOpen(false);
      },
    });
  if (!mayChange) return null;
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={t('createTarget')}
      description={t('nothingIsSentYet')}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          {t('createTarget')}
        </Button>
      }
    >
      <TargetForm mutation={create} onSubmit={submit} />
    </Dialog>
  );
}
