'use client';

import { CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { useTeam } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import type { Overview } from '@/lib/contract/accounts/overview';
import { isAtLeast } from '@/lib/core/access/team-roles';

/** Steps of a new team in their order, with the page where each is done. A step that the service does not report is done. */
const steps = [
  { step: 'streamCreated', href: '/streams?new=1', role: 'developer' },
  { step: 'videoReceived', href: '/streams', role: 'developer' },
  { step: 'videoStored', href: '/assets', role: 'developer' },
  { step: 'watched', href: '/streams', role: 'developer' },
  { step: 'memberInvited', href: '/settings/team', role: 'admin' },
] as const;

/** Number of completed steps and the next one; renders nothing if none is left that this person may do. */
export function SetupLine({ setup, className }: { setup: Overview['setup']; className?: string }) {
  const t = useTranslations('home.setup');
  const { role } = useTeam();
  const openSteps = steps.filter(({ step }) => setup[step] === false);
  const [next] = openSteps;
  if (!next || !isAtLeast(role, next.role)) return null;
  return (
    <section
      aria-label={t('title')}
      className={cn('bg-surface flex items-center gap-3 rounded-lg border py-2.5 pr-3 pl-4', className)}
    >
      <CircleCheck aria-hidden="true" className="text-accent-ink size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {t('progress', { done: steps.length - openSteps.length, total: steps.length })}
        </p>
        <p className="text-ink-2 text-xs">{t(`left.${next.step}`)}</p>
      </div>
      <Button asChild size="sm">
        <Link href={next.href}>{t(`do.${next.step}`)}</Link>
      </Button>
    </section>
  );
}
