'use client';

import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { CopyButton } from './copy-button';

interface CodeBlockProps {
  /** What "copy" gives: the real thing. */
  code: string;
  /** What is shown, when secrets in it are masked. */
  maskedCode?: string;
  label: string;
  className?: string;
}

export function CodeBlock({ code, maskedCode, label, className }: CodeBlockProps) {
  const t = useTranslations('ui.copy');
  return (
    <div className={cn('bg-sunken flex min-w-0 items-start rounded-md border', className)}>
      <pre
        tabIndex={0}
        aria-label={label}
        // Long lines wrap: what is beyond an edge is easily taken for the end.
        className="scroll-quiet min-w-0 flex-1 rounded-l-md p-4 pr-2 font-mono text-[0.8125rem] leading-5 wrap-anywhere whitespace-pre-wrap"
      >
        <code>{maskedCode ?? code}</code>
      </pre>
      <CopyButton value={code} label={t('copyWhat', { what: label })} className="sticky top-2 m-2 ml-0" />
    </div>
  );
}
