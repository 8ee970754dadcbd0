'use client';

import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { CopyButton } from './copy-button';

interface CodeBlockProps {
  /** The code to copy, with secrets. */
  code: string;
  /** The code to show if it contains secrets, which are masked. */
  maskedCode?: string;
  label: string;
  className?: string;
}

/** Code with a copy button. */
export function CodeBlock({ code, maskedCode, label, className }: CodeBlockProps) {
  const t = useTranslations('ui.copy');
  return (
    <div className={cn('bg-sunken flex min-w-0 items-start rounded-md border', className)}>
      <pre
        tabIndex={0}
        aria-label={label}
        // Long lines wrap, because a scrolled line looks like its end.
        className="scroll-quiet min-w-0 flex-1 rounded-l-md p-4 pr-2 font-mono text-[0.8125rem] leading-5 wrap-anywhere whitespace-pre-wrap"
      >
        <code>{maskedCode ?? code}</code>
      </pre>
      <CopyButton value={code} label={t('copyWhat', { what: label })} className="sticky top-2 m-2 ml-0" />
    </div>
  );
}
