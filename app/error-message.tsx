'use client';

import { useTranslations } from 'use-intl';
import { MessagePage } from '@/components/ui/message-page';
import { PlainButton } from '@/components/ui/plain-action';

export interface ErrorMessageProps {
  error: unknown;
  retry: () => void;
}

/** The id of this error in the server's log. */
function digestOf(error: unknown): string | undefined {
  return error instanceof Error && 'digest' in error && typeof error.digest === 'string'
    ? error.digest
    : undefined;
}

/** Reports that the page failed, with a button to try again. */
export default function ErrorMessage({ error, retry }: ErrorMessageProps) {
  const t = useTranslations('site.error');
  const digest = digestOf(error);
  return (
    <MessagePage
      code="500"
      title={t('title')}
      action={<PlainButton onClick={() => retry()}>{t('tryAgain')}</PlainButton>}
    >
      <p>{t('text')}</p>
      {digest && (
        <p className="mt-2">
          {t.rich('details', { digest, code: (text) => <code className="font-mono">{text}</code> })}
        </p>
      )}
    </MessagePage>
  );
}
