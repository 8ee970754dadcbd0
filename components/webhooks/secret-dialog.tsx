'use client';

import { sentencesOf } from '@/lib/client/call';
import { RevealForm } from '@/components/keys/reveal-form';
import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { otherSentences, sentenceFor } from '@/components/ui/form/server-sentences';
import { useRevealWebhookSecret, useRollWebhookSecret } from '@/lib/client/queries/webhook-queries';
import type { Webhook } from '@/lib/contract/webhooks/webhook';

interface SecretDialogProps {
  webhook: Webhook;
  email: string;
  /** Make a new one instead of showing the one there is. */
  roll: boolean;
  onClose: () => void;
}

export function SecretDialog({ webhook, email, roll, onClose }: SecretDialogProps) {
  const reveal = useRevealWebhookSecret();
  const rolling = useRollWebhookSecret();
  const asked = roll ? rolling : reveal;
  const sentences = sentencesOf(asked.error);
  const ask = (password: string) => asked.mutate({ id: webhook.id, password });
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={roll ? `Roll the secret of “${webhook.name}”` : `Secret of “${webhook.name}”`}
      description={
        asked.data
          ? 'Verifies the signature of every delivery.'
          : roll
            ? 'For 24 hours, deliveries are signed with both secrets, so your server has time to switch.'
            : 'Confirm with your password.'
      }
    >
      {asked.data ? (
        <div className="grid gap-4">
          <CopyField label="Secret" value={asked.data.secret} />
          <CopyField label="Line for .env" value={`HEADWATER_WEBHOOK_SECRET=${asked.data.secret}`} />
          <p className="text-ink-2 text-sm">This was recorded in your audit log.</p>
          <DialogActions>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </div>
      ) : (
        <RevealForm
          email={email}
          submit={roll ? 'Roll secret' : 'Reveal secret'}
          pending={asked.isPending}
          error={sentenceFor('password', sentences) ?? otherSentences(['password'], sentences)}
          onSubmit={ask}
        />
      )}
    </Dialog>
  );
}
