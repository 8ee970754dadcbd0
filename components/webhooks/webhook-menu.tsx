'use client';

import { Ellipsis, Eye, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { errorMessagesOf } from '@/lib/client/call';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { WebhookForm } from './webhook-form';
import { useDeleteWebhook, useUpdateWebhook } from '@/lib/client/queries/webhook-queries';
import type { Webhook } from '@/lib/contract/webhooks/webhook';
import { isEventName } from '@/lib/core/webhooks/events';
import { SecretDialog } from './secret-dialog';

type DialogName = 'edit' | 'reveal' | 'roll' | 'delete' | null;

interface WebhookDialogProps {
  webhook: Webhook;
  onClose: () => void;
}

/** Edit button and menu of a webhook, with their dialogs. */
export function WebhookMenu({ webhook, email }: { webhook: Webhook; email: string }) {
  const t = useTranslations('webhooks.webhookMenu');
  const [openDialog, setOpenDialog] = useState<DialogName>(null);
  const close = () => setOpenDialog(null);
  return (
    <>
      <Button onClick={() => setOpenDialog('edit')}>
        <Pencil aria-hidden="true" />
        {t('edit')}
      </Button>
      <Menu
        trigger={
          <Button variant="ghost" size="icon" aria-label={t('actionsFor', { name: webhook.name })}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={Eye} onSelect={() => setOpenDialog('reveal')}>
          {t('revealSecret')}
        </MenuItem>
        <MenuItem icon={RefreshCw} onSelect={() => setOpenDialog('roll')}>
          {t('rollSecret')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger onSelect={() => setOpenDialog('delete')}>
          {t('deleteWebhook')}
        </MenuItem>
      </Menu>
      {openDialog === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
      {(openDialog === 'reveal' || openDialog === 'roll') && (
        <SecretDialog webhook={webhook} email={email} createsNew={openDialog === 'roll'} onClose={close} />
      )}
      {openDialog === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </>
  );
}

function EditWebhook({ webhook, onClose }: WebhookDialogProps) {
  const t = useTranslations('webhooks.webhookMenu');
  const update = useUpdateWebhook(webhook.id);
  const { name, url, streamId = null } = webhook;
  const events = webhook.events.filter(isEventName);
  // Names that the form does not show, because they are no events: with them, a playback policy uses the webhook.
  const otherEvents = webhook.events.filter((event) => !isEventName(event));
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t('editTitle', { name })}>
      <WebhookForm
        initialSettings={{ name, url, events, streamId }}
        submitLabel={t('save')}
        mutation={update}
        eventsOptional={otherEvents.length > 0}
        onSubmit={(settings) =>
          update.mutate({ ...settings, events: [...settings.events, ...otherEvents] }, { onSuccess: onClose })
        }
      />
    </Dialog>
  );
}

function DeleteWebhook({ webhook, onClose }: WebhookDialogProps) {
  const t = useTranslations('webhooks.webhookMenu');
  const router = useRouter();
  const remove = useDeleteWebhook();
  return (
    <ConfirmDialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={t('deleteTitle', { name: webhook.name })}
      confirmationWord={t('deleteWord')}
      confirmLabel={t('deleteWebhook')}
      pending={remove.isPending}
      error={errorMessagesOf(remove.error)[0]}
      onConfirm={() =>
        remove.mutate(webhook.id, {
          onSuccess: () => {
            toast.success(t('deleted', { name: webhook.name }));
            router.push('/developers/webhooks');
          },
        })
      }
    >
      {t('whatIsDeleted')}
    </ConfirmDialog>
  );
}
