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
          title="This page broke"
          action={<PlainButton onClick={() => retry()}>Try again</PlainButton>}
        >
          Nothing you did is lost on the server. Trying again often helps.
        </MessagePage>
      </body>
    </html>
  );
}
