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
  email: string;
  /** Whether to create a new secret instead of showing the current one. */
  roll: boolean;
  onClose: () => void;
}

export function SecretDialog({ webhook, email, roll, onClose }: SecretDialogProps) {
  const t = useTranslations('webhooks.secretDialog');
  const reveal = useRevealWebhookSecret();
  const rolling = useRollWebhookSecret();
  const dialogRequest = roll ? rolling : reveal;
  const ask = (password: string) => dialogRequest.mutate({ id: webhook.id, password });
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={roll ? t('rollSecretOf', { name: webhook.name }) : t('secretOf', { name: webhook.name })}
      description={dialogRequest.data ? t('whatItIsFor') : roll ? t('bothSecrets') : t('confirmWithPassword')}
    >
      {dialogRequest.data ? (
        <div className="grid gap-4">
          <CopyField label={t('secret')} value={dialogRequest.data.secret} />
          <CopyField
            label={t('lineForEnv')}
            value={`HEADWATER_WEBHOOK_SECRET=${dialogRequest.data.secret}`}
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
          submitLabel={roll ? t('rollSecret') : t('revealSecret')}
          mutation={dialogRequest}
          onSubmit={ask}
        />
      )}
    </Dialog>
  );
}
