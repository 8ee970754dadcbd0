import type { SystemContext } from '@/lib/domain/context';
import { deleteInBatches } from '@/lib/infra/db';

/** Maximum difference between the clocks of nodes. */
const CLOCK_SLACK_MS = 60_000;

/**
 * Deletes expired counters of rate limits (lib/http/limits).
 * @returns their number
 */
export function expireRateLimits({ db, clock }: SystemContext): Promise<number> {
  const cutoffMs = clock.now().getTime() - CLOCK_SLACK_MS;
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "RateLimit" where "key" in (
        select "key" from "RateLimit" where "expire" < ${cutoffMs} limit ${limit})`,
  );
}
