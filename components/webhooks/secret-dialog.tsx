'use client';

import { useTranslations } from 'use-intl';
import { RevealForm } from '@/components/keys/reveal-form';
import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { useRevealWebhookSecret, useRollWebhookSecret } from '@/lib/client/queries/webhook-queries';
import type { Webhook } from '@/lib/contract/webhooks/webhook';

interface SecretDialogProps {
  webhook: Webhook;
  /** Email address of the signed-in account, whose password is requested. */
  email: string;
  /** Whether to create and show a new secret instead of the current one. */
  createsNew: boolean;
  onClose: () => void;
}

/** Dialog that asks for the password and then shows the secret of a webhook. */
export function SecretDialog({ webhook, email, createsNew, onClose }: SecretDialogProps) {
  const t = useTranslations('webhooks.secretDialog');
  const reveal = useRevealWebhookSecret();
  const rollSecret = useRollWebhookSecret();
  const secretRequest = createsNew ? rollSecret : reveal;
  const requestSecret = (password: string) => secretRequest.mutate({ id: webhook.id, password });
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={createsNew ? t('rollSecretOf', { name: webhook.name }) : t('secretOf', { name: webhook.name })}
      description={
        secretRequest.data ? t('whatItIsFor') : createsNew ? t('bothSecrets') : t('confirmWithPassword')
      }
    >
      {secretRequest.data ? (
        <div className="grid gap-4">
          <CopyField label={t('secret')} value={secretRequest.data.secret} />
          <CopyField
            label={t('lineForEnv')}
            value={`HEADWATER_WEBHOOK_SECRET=${secretRequest.data.secret}`}
          />
          <p className="text-ink-2 text-sm">{t('inAuditLog')}</p>
          <DialogActions>
            <Button variant="primary" onClick={onClose}>
              {t('done')}
            </Button>
          </DialogActions>
        </div>
      ) : (
        <RevealForm
          email={email}
          submitLabel={createsNew ? t('rollSecret') : t('revealSecret')}
          mutation={secretRequest}
          onSubmit={requestSecret}
        />
      )}
    </Dialog>
  );
}
