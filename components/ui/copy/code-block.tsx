'use client';

import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { CopyButton } from './copy-button';

interface CodeBlockProps {
  /** What "copy" gives: the real thing. */
  code: string;
  /** What is shown, when secrets in it are masked. */
  shown?: string;
  label: string;
  className?: string;
}

export function CodeBlock({ code, shown, label, className }: CodeBlockProps) {
  const t = useTranslations('ui.copy');
  return (
    <div className={cn('bg-sunken flex min-w-0 items-start rounded-md border', className)}>
      <pre
        tabIndex={0}
        aria-label={label}
        // Long lines wrap: what is beyond an edge is easily taken for the end.
        className="scroll-quiet min-w-0 flex-1 rounded-l-md p-4 pr-2 font-mono text-[0.8125rem] leading-5 wrap-anywhere whitespace-pre-wrap"
      >
        <code>{shown ?? code}</code>
      </pre>
      <CopyButton value={code} label={t('copyWhat', { what: label })} className="sticky top-2 m-2 ml-0" />
    </div>
  );
}

/** Wraps a shell argument so that no character in it means anything to a POSIX shell (dots of a masked key do not). */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./•-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** "Give me this object" in a terminal. */
export function readCurl(url: string): string {
  return [`curl ${quoted(url)}`, '  -H "Authorization: Bearer $HEADWATER_API_KEY"'].join(' \\\n');
}

/** The same in Node; `shown` is what the example makes of the object called `name`. */
export function readNode(url: string, name: string, shown: string): string {
  return [
    `const response = await fetch('${url}', {`,
    '  headers: { authorization: `Bearer ${process.env.HEADWATER_API_KEY}` },',
    '});',
    `const ${name} = await response.json();`,
    `console.log(${shown});`,
  ].join('\n');
}
