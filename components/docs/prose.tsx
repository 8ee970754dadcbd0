import Link from 'next/link';
import type { ReactNode } from 'react';

/** Text of the contract, with code in backquotes. */
export function TextWithCode({ children }: { children: string }) {
  return children
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      part.startsWith('`') && part.length > 1 ? <Code key={index}>{part.slice(1, -1)}</Code> : part,
    );
}

export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="bg-sunken rounded-sm px-1 py-0.5 font-mono text-[0.9em] wrap-anywhere">{children}</code>
  );
}

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-accent-ink rounded-sm font-medium underline underline-offset-4">
      {children}
    </Link>
  );
}

interface SectionProps {
  /** Element id, as the target of links. */
  id?: string;
  title: string;
  children: ReactNode;
}

export function Section({ id, title, children }: SectionProps) {
  return (
    <section id={id} aria-label={title} className="grid min-w-0 scroll-mt-20 grid-cols-1 gap-3">
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}
