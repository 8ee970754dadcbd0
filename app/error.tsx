'use client';

import { MessagePage } from '@/components/ui/message-page';
import { PlainButton } from '@/components/ui/plain-action';

interface ErrorPageProps {
  error: unknown;
  retry: () => void;
}

/** The digest is what the server's log calls this failure. */
function digestOf(error: unknown): string | undefined {
  return error instanceof Error && 'digest' in error && typeof error.digest === 'string'
    ? error.digest
    : undefined;
}

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  const digest = digestOf(error);
  return (
    <MessagePage
      code="500"
      title="This page broke"
      action={<PlainButton onClick={() => retry()}>Try again</PlainButton>}
    >
      <p>Nothing you did is lost on the server. Trying again often helps.</p>
      {digest && (
        <p className="mt-2">
          The server’s log has more under <code className="font-mono">{digest}</code>.
        </p>
      )}
    </MessagePage>
  );
}
