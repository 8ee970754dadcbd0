import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';

interface ChecklistStepProps {
  number: number;
  title: string;
  /** `done`: with a tick, and folded; `now`: the current step; `later`: one of the next steps. */
  state: 'done' | 'now' | 'later';
  /** Result or button beside the title. */
  aside?: ReactNode;
  children?: ReactNode;
}

/** Step of a list, with a line to the next step. A completed step hides its content until it is expanded. */
export function ChecklistStep({ number, title, state, aside, children }: ChecklistStepProps) {
  const t = useTranslations('home.step');
  return (
    <li className="group/step relative grid grid-cols-[2rem_minmax(0,1fr)] gap-x-4 pb-8 last:pb-0">
      <span
        aria-hidden="true"
        className="bg-line absolute top-9 bottom-1 left-[15px] w-0.5 group-last/step:hidden"
      />
      <span
        aria-hidden="true"
        className={cn(
          'grid size-8 place-items-center rounded-full border font-mono text-sm',
          state === 'done' && 'border-accent bg-accent text-on-accent',
          state === 'now' && 'border-accent text-accent-ink bg-accent-soft',
          state === 'later' && 'text-ink-3 bg-surface',
        )}
      >
        {state === 'done' ? <Check className="size-4" strokeWidth={2.5} /> : number}
      </span>
      <div className="min-w-0">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2 pointer-coarse:-mt-1.5 pointer-coarse:min-h-11">
          <h2 className={cn('text-lg font-semibold tracking-tight', state === 'later' && 'text-ink-2')}>
            {title}
            {state === 'done' && <span className="sr-only"> {t('done')}</span>}
          </h2>
          {aside}
        </div>
        {children && state !== 'done' && <div className="mt-2">{children}</div>}
        {children && state === 'done' && (
          <details>
            <summary className="text-ink-2 hover:text-ink w-fit cursor-pointer rounded-sm text-sm leading-6 pointer-coarse:py-2.5">
              {t('show')}
            </summary>
            <div className="mt-2">{children}</div>
          </details>
        )}
      </div>
    </li>
  );
}
