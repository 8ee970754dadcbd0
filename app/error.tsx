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
      title="Something went wrong"
      action={<PlainButton onClick={() => retry()}>Try again</PlainButton>}
    >
      <p>Your data on the server is safe. Trying again often helps.</p>
      {digest && (
        <p className="mt-2">
          The server log has details under <code className="font-mono">{digest}</code>.
        </p>
      )}
    </MessagePage>
  );
}
