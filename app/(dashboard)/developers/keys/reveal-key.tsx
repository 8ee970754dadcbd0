'use client';

import { sentencesOf } from '@/app/sentences-of';
import { KeySecret } from '@/components/keys/key-secret';
import { RevealForm } from '@/components/keys/reveal-form';
import { Dialog } from '@/components/ui/dialog';
import { otherSentences, sentenceFor } from '@/components/ui/server-sentences';
import { useRevealApiKey } from '@/lib/client/queries';
import type { ApiKey } from '@/lib/contract/api-key';

interface RevealKeyProps {
  /** The one to reveal; null = closed. */
  apiKey: ApiKey | null;
  email: string;
  onClose: () => void;
}

export function RevealKey({ apiKey, email, onClose }: RevealKeyProps) {
  const reveal = useRevealApiKey();
  const close = () => {
    reveal.reset();
    onClose();
  };
  const sentences = sentencesOf(reveal.error);
  return (
    <Dialog
      open={apiKey !== null}
      onOpenChange={(open) => !open && close()}
      title={`Reveal “${apiKey?.name ?? ''}”`}
      description={reveal.data ? 'The secret of this key.' : 'Confirm with your password.'}
    >
      {reveal.data ? (
        <KeySecret secret={reveal.data.secret} note="This was recorded in your audit log." onDone={close} />
      ) : (
        <RevealForm
          email={email}
          pending={reveal.isPending}
          error={sentenceFor('password', sentences) ?? otherSentences(['password'], sentences)}
          onSubmit={(password) => apiKey && reveal.mutate({ id: apiKey.id, password })}
        />
      )}
    </Dialog>
  );
}
