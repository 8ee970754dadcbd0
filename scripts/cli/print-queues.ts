import { createLogger } from '@/lib/infra/logger';
import { openQueues } from '@/lib/infra/queue/queue';
import { withContext } from './open-context';

const columns = ['name', 'waiting', 'active', 'delayed', 'failed', 'completed', 'oldestMs'] as const;

/** Prints the job counts of each queue, one per line below a header, or as JSON. */
export async function printQueues({
  json,
  print,
}: {
  readonly json: boolean;
  readonly print: (...cells: string[]) => void;
}): Promise<void> {
  const counts = await withContext(async ({ settings }) => {
    const queues = openQueues(settings, createLogger('cli', 'silent'));
    try {
      return await queues.counts();
    } finally {
      await queues.close();
    }
  });
  if (json) {
    print(JSON.stringify(counts));
    return;
  }
  print(...columns);
  for (const queue of counts) print(...columns.map((column) => String(queue[column])));
}
