'use client';

import { AuditTable } from '@/components/settings/audit-table';
import { ListPager } from '@/components/ui/list-pager';
import { LoadFailed } from '@/components/ui/load-failed';
import { Panel } from '@/components/ui/panel';
import { useAuditLog } from '@/lib/client/account-queries';
import { useCursor } from '../_data/use-cursor';

const PAGE_SIZE = 20;

export function AuditPanel() {
  const { cursor, setCursor } = useCursor();
  const log = useAuditLog({ limit: String(PAGE_SIZE), count: '1', ...(cursor ? { cursor } : {}) });
  const page = log.data;
  return (
    <Panel
      title="Audit log"
      description="Every change to your account, with actor and IP address. Entries can’t be edited or deleted."
    >
      {log.isError && !page ? (
        <LoadFailed what="The audit log" error={log.error} onRetry={() => void log.refetch()} />
      ) : (
        <AuditTable lines={page?.items} />
      )}
      {page && (
        <ListPager
          what="line"
          page={page}
          state={{ cursor }}
          onChange={({ cursor: next = null }) => setCursor(next)}
        />
      )}
    </Panel>
  );
}
