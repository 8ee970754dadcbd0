import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { CodeBlock } from './copy/code-block';

interface EmptyStateProps {
  title: string;
  children: ReactNode;
  /** The one thing to do next. */
  action?: ReactNode;
  /** The same, from a terminal. */
  command?: { label: string; code: string };
}

export function EmptyState({ title, children, action, command }: EmptyStateProps) {
  const t = useTranslations('ui.emptyState');
  return (
    <div className="bg-surface grid gap-6 rounded-lg border border-dashed px-4 py-10 sm:px-10">
      <div className="max-w-prose">
        <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
        <p className="text-ink-2 mt-1">{children}</p>
        {action && <div className="mt-5 flex flex-wrap gap-2">{action}</div>}
      </div>
      {command && (
        <div className="min-w-0">
          <p className="text-ink-2 mb-2 text-sm">{command.label}</p>
          <CodeBlock label={t('command')} code={command.code} />
        </div>
      )}
    </div>
  );
}

interface LoadFailedProps {
  /** "The streams" */
  subject: string;
  error: Error;
  onRetry: () => void;
}

/** In the place of data that could not be read: what, why, and another try. */
export function LoadFailed({ subject, error, onRetry }: LoadFailedProps) {
  const t = useTranslations('ui.loadFailed');
  return (
    <div role="alert" className="bg-surface grid justify-items-start gap-4 rounded-lg border p-6 sm:p-10">
      <div>
        <h2 className="text-lg font-semibold tracking-tight">{t('title', { what: subject })}</h2>
        <p className="text-ink-2 mt-1 wrap-anywhere">{error.message}</p>
      </div>
      <Button onClick={onRetry}>{t('tryAgain')}</Button>
    </div>
  );
}

/** In the place of a value that an object does not have. */
export const dash = <span className="text-ink-3">–</span>;
