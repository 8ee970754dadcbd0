import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { CodeBlock } from './copy/code-block';

interface EmptyStateProps {
  title: string;
  /** Icon of the missing content. */
  icon?: LucideIcon;
  children: ReactNode;
  /** Button of the next step. */
  action?: ReactNode;
  /** Shell command for the next step. */
  command?: { label: string; code: string };
}

/** Shown in place of a list or page without content: what is missing, and the next step. */
export function EmptyState({ title, icon, children, action, command }: EmptyStateProps) {
  const t = useTranslations('ui.emptyState');
  return (
    <div className="bg-surface grid gap-6 rounded-lg border border-dashed px-4 py-10 sm:px-10">
      <div className="flex flex-wrap items-center gap-x-10 gap-y-6">
        {icon && <EmptyStateIllustration icon={icon} />}
        <div className="max-w-prose min-w-0 flex-1 basis-64">
          <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
          <p className="text-ink-2 mt-1 text-pretty">{children}</p>
          {action && <div className="mt-5 flex flex-wrap gap-2">{action}</div>}
        </div>
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

/** The three lines of the logo, which lead into an empty frame with the icon. */
function EmptyStateIllustration({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <span aria-hidden="true" className="flex shrink-0 items-center">
      <svg viewBox="0 0 64 72" fill="none" className="text-accent-line h-18 w-16">
        <g stroke="currentColor" strokeWidth="3" strokeLinecap="round">
          <path d="M2 12C34 12 34 36 62 36" />
          <path d="M2 36H62" />
          <path d="M2 60C34 60 34 36 62 36" />
        </g>
      </svg>
      <span className="bg-sunken grid h-18 w-32 place-items-center rounded-md border">
        <Icon className="text-accent-ink size-7" strokeWidth={1.5} />
      </span>
    </span>
  );
}

interface LoadErrorMessageProps {
  /** Subject of the message, such as "The streams". */
  subject: string;
  error: Error;
  onRetry: () => void;
}

/** Shown in place of data that could not be loaded: subject, reason and a retry button. */
export function LoadErrorMessage({ subject, error, onRetry }: LoadErrorMessageProps) {
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

/** Shown in place of a value that an object does not have. */
export const emptyCell = <span className="text-ink-3">–</span>;
