'use client';

import { Circle, CircleCheck, CircleMinus, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import type { CheckState } from './readiness-checks';

const icons: Record<CheckState, { Icon: LucideIcon; color: string }> = {
  ready: { Icon: CircleCheck, color: 'text-accent-ink' },
  attention: { Icon: TriangleAlert, color: 'text-warn-ink' },
  missing: { Icon: Circle, color: 'text-ink-3' },
  off: { Icon: CircleMinus, color: 'text-ink-3' },
};

interface CheckRowProps {
  state: CheckState;
  name: string;
  /** Second part of the name, in a lighter color. */
  detail?: string;
  /** What is known, in one sentence. */
  fact: ReactNode;
  /** Control that fixes or changes what is checked. */
  action?: ReactNode;
}

/** One check before a stream goes live. */
export function CheckRow({ state, name, detail, fact, action }: CheckRowProps) {
  const t = useTranslations('streams.readiness');
  const { Icon, color } = icons[state];
  return (
    <li
      aria-label={name}
      className="grid min-h-14 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2"
    >
      <Icon aria-hidden="true" className={cn('size-4', color)} />
      <span className="min-w-0">
        <span className="block leading-5 wrap-anywhere">
          <span className="font-medium">{name}</span>
          {detail !== undefined && <span className="text-ink-2 text-sm"> · {detail}</span>}
        </span>
        <span className="sr-only">{t(`state.${state}`)}</span>
        <span
          className={cn(
            'block text-sm wrap-anywhere',
            state === 'attention' ? 'text-warn-ink' : 'text-ink-2',
          )}
        >
          {fact}
        </span>
      </span>
      {action && <span className="flex items-center gap-1">{action}</span>}
    </li>
  );
}
