import Link from 'next/link';
import { cn } from './class-names';

/** The name of a row's object, leading to its page. */
export function RowLink({
  href,
  className,
  children,
}: {
  href: string;
  className?: string;
  children: string;
}) {
  return (
    <Link
      href={href}
      className={cn(
        'hover:text-accent-ink font-medium wrap-anywhere underline-offset-4 hover:underline',
        className,
      )}
    >
      {children}
    </Link>
  );
}
