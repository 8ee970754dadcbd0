import type { Database } from '@/lib/infra/db';

interface KeyUsage {
  lastCallAt: Date;
  readonly teamId: string;
  /** IP address of the last caller. */
  ip: string;
  /** Number of calls by UTC date (YYYY-MM-DD). */
  readonly calls: Map<string, number>;
}

/** Counts key usage in memory and writes it in batches with `flush`, so that a call costs no write. */
export class UsageRecorder {
  #usages = new Map<string, KeyUsage>();

  /**
   * Counts one call.
   * @param now time of the call
   * @param ip IP address of the caller
   */
  record(key: { readonly id: string; readonly teamId: string }, now: Date, ip: string): void {
    const day = now.toISOString().slice(0, 10);
    const usage = this.#usages.get(key.id) ?? {
      lastCallAt: now,
      teamId: key.teamId,
      ip,
      calls: new Map<string, number>(),
    };
    usage.lastCallAt = now;
    usage.ip = ip;
    usage.calls.set(day, (usage.calls.get(day) ?? 0) + 1);
    this.#usages.set(key.id, usage);
  }

  /** Writes the counts. After a failure, they are kept for the next flush. Deleted keys are skipped. */
  async flush(db: Database): Promise<void> {
    if (this.#usages.size === 0) return;
    const pendingUsages = this.#usages;
    this.#usages = new Map();
    try {
      await writeUsages(db, pendingUsages);
    } catch (error) {
      this.#restore(pendingUsages);
      throw error;
    }
  }

  /** Adds counts that could not be written to those that were recorded since. */
  #restore(failedUsages: ReadonlyMap<string, KeyUsage>): void {
    for (const [id, { lastCallAt, teamId, ip, calls }] of failedUsages) {
      const usage = this.#usages.get(id) ?? { lastCallAt, teamId, ip, calls: new Map<string, number>() };
      for (const [day, count] of calls) usage.calls.set(day, (usage.calls.get(day) ?? 0) + count);
      this.#usages.set(id, usage);
    }
  }
}

/** Writes the last call of each key and of the owners of its team, and adds the counts, in one transaction. */
async function writeUsages(db: Database, pendingUsages: ReadonlyMap<string, KeyUsage>): Promise<void> {
  const lastCalls = [...pendingUsages].map(([id, { lastCallAt, teamId, ip }]) => ({
    id,
    teamId,
    ip,
    at: lastCallAt.toISOString(),
  }));
  const dailyCounts = [...pendingUsages].flatMap(([id, { calls }]) =>
    [...calls].map(([day, count]) => ({ id, day, count })),
  );
  await db.$transaction([
    db.$executeRaw`
      update "ApiKey" k set "lastUsedAt" = s."at", "lastIp" = s."ip"
      from jsonb_to_recordset(${JSON.stringify(lastCalls)}::jsonb) as s("id" uuid, "ip" text, "at" timestamptz)
      where k."id" = s."id" and (k."lastUsedAt" is null or k."lastUsedAt" < s."at")`,
    db.$executeRaw`
      update "Account" a set "lastSeen" = s."at"
      from (
        select "teamId", max("at") as "at"
        from jsonb_to_recordset(${JSON.stringify(lastCalls)}::jsonb) as s("teamId" uuid, "at" timestamptz)
        group by "teamId"
      ) s
      join "TeamMember" m on m."teamId" = s."teamId" and m."role" = 'owner'
      where a."id" = m."userId" and (a."lastSeen" is null or a."lastSeen" < s."at")`,
    db.$executeRaw`
      insert into "ApiKeyUsage" ("keyId", "day", "calls")
      select s."id", s."day", s."count"
      from jsonb_to_recordset(${JSON.stringify(dailyCounts)}::jsonb) as s("id" uuid, "day" date, "count" int)
      join "ApiKey" k on k."id" = s."id"
      on conflict ("keyId", "day") do update set "calls" = "ApiKeyUsage"."calls" + excluded."calls"`,
  ]);
}
