import type { WorkerContext } from '@/lib/domain/context';
import { openStorage } from '@/lib/infra/storage';
import { auditStorage } from '@/lib/domain/storage-audit';
import { withContext } from './open-context';

/**
 * Prints unowned and missing files, one per line or as JSON.
 * @returns whether rows and files match
 */
export async function printStorageAudit({
  json,
  print,
}: {
  readonly json: boolean;
  readonly print: (...cells: string[]) => void;
}): Promise<boolean> {
  const audit = await withContext((ctx) => {
    const worker: WorkerContext = { ...ctx, storage: openStorage(ctx.settings) };
    return auditStorage(worker);
  });
  if (json) print(JSON.stringify(audit));
  else
    for (const kind of ['unowned', 'missing'] as const)
      for (const { key, reason } of audit[kind]) print(kind, key, reason);
  return audit.unowned.length + audit.missing.length === 0;
}
