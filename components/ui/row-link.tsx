'use client';

import Link from 'next/link';
import { useState } from 'react';
import { cn } from './class-names';

/**
 * The name of a row's object, leading to its page. That is fetched when somebody points at it: a hundred pages that nobody
 * asked for would keep the server and the browser busy while a list is scrolled.
 */
export function RowLink({
  href,
  className,
  children,
}: {
  href: string;
  className?: string;
  children: string;
}) {
  const [near, setNear] = useState(false);
  return (
    <Link
      href={href}
      prefetch={near ? null : false}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      className={cn(
        'hover:text-accent-ink font-medium wrap-anywhere underline-offset-4 hover:underline',
        className,
      )}
    >
      {children}
    </Link>
  );
}
