'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '@/components/ui/class-names';
import { isCurrent, navigation } from './navigation';

export function NavLinks({ onNavigate }: { onNavigate?: () => void }) {
  const path = usePathname();
  return (
    <nav aria-label="Main" className="grid gap-6">
      {navigation.map((group, index) => (
        <div key={index}>
          {group.title && <h2 className="text-ink-3 mb-1 px-3 text-xs font-medium">{group.title}</h2>}
          <ul className="grid gap-0.5">
            {group.items.map(({ href, label, icon: Icon }) => {
              const current = isCurrent(href, path);
              return (
                <li key={href}>
                  <Link
                    href={href}
                    {...(onNavigate ? { onClick: onNavigate } : {})}
                    aria-current={current ? 'page' : undefined}
                    className={cn(
                      'text-ink-2 hover:bg-hover hover:text-ink flex h-9 items-center gap-3 rounded-md px-3 font-medium transition-colors',
                      current && 'bg-accent-soft text-accent-ink hover:bg-accent-soft hover:text-accent-ink',
                    )}
                  >
                    <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
                    {label}
                  </Link>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
