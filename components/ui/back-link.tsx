import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';

/** From the page of one thing to the list of all. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      className="text-ink-2 hover:text-ink mb-3 inline-flex items-center gap-1.5 rounded-sm text-sm"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {children}
    </Link>
  );
}
