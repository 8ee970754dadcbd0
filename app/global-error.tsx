'use client';

import './globals.css';
import { MessagePage } from '@/components/ui/message-page';
import { PlainButton } from '@/components/ui/plain-action';

/** When even the outermost layout fails. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Headwater</title>
        <MessagePage
          code="500"
          title="Something went wrong"
          action={<PlainButton onClick={() => retry()}>Try again</PlainButton>}
        >
          Your data on the server is safe. Trying again often helps.
        </MessagePage>
      </body>
    </html>
  );
}
