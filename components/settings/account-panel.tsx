'use client';

import { CopyButton } from '@/components/ui/copy/copy-button';
import { LoadFailed } from '@/components/ui/empty-state';
import { Fact, FactId, Facts, Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/lib/client/queries/account-queries';

export function AccountPanel({ email }: { email: string }) {
  const me = useMe();
  const still = <Skeleton className="h-4 w-36" />;
  if (me.isError && !me.data) {
    return <LoadFailed what="The account" error={me.error} onRetry={() => void me.refetch()} />;
  }
  return (
    <Panel title="Account" description="Streams, assets and API keys belong to this account.">
      <Facts>
        <Fact name="Email">
          <span className="flex min-w-0 items-center justify-end gap-1">
            <span className="min-w-0 truncate">{email}</span>
            <CopyButton value={email} label="Copy email" className="-mr-2" />
          </span>
        </Fact>
        <Fact name="Account ID">{me.data ? <FactId value={me.data.id} label="account ID" /> : still}</Fact>
        <Fact name="Created">{me.data ? <RelativeTime at={me.data.createdAt} /> : still}</Fact>
      </Facts>
    </Panel>
  );
}
