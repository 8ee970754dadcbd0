import type { SystemContext } from '@/lib/context';

/** Removes answers older than 24 hours, at most 10,000 a call. Returns how many. */
export async function forgetOldRequests(ctx: SystemContext): Promise<number> {
  return ctx.db.$executeRaw`
    delete from "IdempotentRequest" where ctid in (
      select ctid from "IdempotentRequest" where "createdAt" < now() - interval '24 hours' limit 10000)`;
}
