'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { useTestTarget } from '@/lib/client/queries/target-queries';
import { useRetryTask } from '@/lib/client/queries/task-queries';
import type { AttentionItem } from '@/lib/contract/accounts/overview';

const TestTargetDialog = dynamic(
  async () => (await import('@/components/targets/test-target')).TestTargetDialog,
  {
    ssr: false,
  },
);

/** Page of the object of a problem, without its id. */
const pagePaths: Readonly<Record<AttentionItem['kind'], string>> = {
  stream: '/streams',
  rejection: '/streams',
  target: '/streams',
  recording: '/sessions',
  task: '/assets',
  webhook: '/developers/webhooks',
  quota: '/usage',
};

/** Page where the user can resolve a problem. */
export function problemHref({ kind, id, assetId }: Pick<AttentionItem, 'kind' | 'id' | 'assetId'>): string {
  return kind === 'quota' ? pagePaths.quota : `${pagePaths[kind]}/${assetId ?? id}`;
}

/** Classes of a button that is large enough for a finger on a phone. */
const touchSize = 'max-sm:h-11';

/** The one action of a problem: it resolves the problem, or opens the page where that is possible. */
export function FixButton({ item }: { item: AttentionItem }) {
  const t = useTranslations('home.fixButton');
  const mayChange = useHasRole('developer');
  const { kind, name, id, retry, targetId } = item;
  if (mayChange && retry !== undefined) return <RetryButton id={id} name={name} offer={retry} />;
  if (mayChange && targetId !== undefined) return <TestButton id={targetId} name={name} />;
  return (
    <Button asChild size="sm" className={touchSize}>
      <Link href={problemHref(item)}>
        {t.rich(`open.${kind}`, { name, hidden: (text) => <span className="sr-only">{text}</span> })}
      </Link>
    </Button>
  );
}

interface RetryButtonProps extends Pick<AttentionItem, 'id' | 'name'> {
  offer: NonNullable<AttentionItem['retry']>;
}

/** Starts a failed task again. The problem disappears with the next overview, until then the button is busy. */
function RetryButton({ id, name, offer }: RetryButtonProps) {
  const t = useTranslations('home.fixButton');
  const tResults = useTranslations('tasks.useTaskActions');
  const { mutate, isPending, isSuccess } = useRetryTask();
  const retry = () =>
    mutate(offer === 'convert' ? { id, convert: true } : { id }, {
      onSuccess: () => toast.success(tResults('taskRestarted')),
      onError: (error) => toast.error(tResults('notRetried'), { description: error.message }),
    });
  return (
    <Button size="sm" className={touchSize} pending={isPending || isSuccess} onClick={retry}>
      {t.rich(offer, { name, hidden: (text) => <span className="sr-only">{text}</span> })}
    </Button>
  );
}

/** Tests the connection to a target, and shows what its service answers. */
function TestButton({ id, name }: Pick<AttentionItem, 'id' | 'name'>) {
  const t = useTranslations('home.fixButton');
  const [open, setOpen] = useState(false);
  const test = useTestTarget();
  return (
    <>
      <Button
        size="sm"
        className={touchSize}
        onClick={() => {
          setOpen(true);
          test.mutate({ id });
        }}
      >
        {t.rich('test', { name, hidden: (text) => <span className="sr-only">{text}</span> })}
      </Button>
      {open && <TestTargetDialog target={{ id, name }} test={test} onClose={() => setOpen(false)} />}
    </>
  );
}
