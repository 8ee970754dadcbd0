import { z } from 'zod';
import type { StreamEntry } from '../ledger';
import type { Stage } from '../stage';
import type { Database } from './database';

interface StreamRow {
  readonly id: string;
  readonly name: string;
  readonly deletedAt: Date | null;
}

const streamSchema = z.object({ name: z.string(), streamKey: z.string(), playbackId: z.string() });

/** Queries for duplicate writes. Every write uses a unique name, so two rows with the same name are a duplicate. */
const duplicateQueries: Readonly<Record<string, string>> = {
  stream: `select regexp_replace(name, '-v[0-9]+$', '') as id, count(*)::int as "rowCount" from "Stream"
    where name like 'write-%' and "parentId" is null group by 1 having count(*) > 1`,
  webhook: `select name as id, count(*)::int as "rowCount" from "Webhook" where name like 'hook-%' group by 1 having count(*) > 1`,
  target: `select name as id, count(*)::int as "rowCount" from "MultistreamTarget" where name like 'target-%'
    group by 1 having count(*) > 1`,
  asset: `select name as id, count(*)::int as "rowCount" from "Asset" where name ~ '^(put|tus|import|transcode)-'
    group by 1 having count(*) > 1`,
};

/**
 * Checks that every acknowledged write exists exactly once.
 * @returns the number of streams, webhooks and multistream targets in the ledger
 */
export async function auditWrites(stage: Stage, database: Database): Promise<number> {
  const { journal, ledger } = stage;
  const rows = await database.query<StreamRow>(
    'select id, name, "deletedAt" from "Stream" where "parentId" is null',
  );
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  for (const entry of ledger.streams.values()) {
    const fault = findFault(entry, rowsById.get(entry.id));
    if (fault !== null) journal.reportProblem(fault, entry.id, { entry, row: rowsById.get(entry.id) });
  }
  for (const [table, entries] of [
    ['Webhook', ledger.webhooks],
    ['MultistreamTarget', ledger.targets],
  ] as const)
    for (const [id, name] of entries) {
      const [row] = await database.query(`select id from "${table}" where id = $1 and "deletedAt" is null`, [
        id,
      ]);
      if (!row) journal.reportProblem(`an acknowledged ${table} is missing`, id, { name });
    }
  for (const [duplicate, sql] of Object.entries(duplicateQueries))
    for (const row of await database.query<{ id: string }>(sql))
      journal.reportProblem(`one request was applied twice: ${duplicate}`, row.id, row);
  await auditThroughApi(stage);
  return ledger.streams.size + ledger.webhooks.size + ledger.targets.size;
}

function findFault(entry: StreamEntry, row: StreamRow | undefined): string | null {
  const exists = row !== undefined && row.deletedAt === null;
  if (entry.deletion === 'acknowledged') return exists ? 'a deleted stream still exists' : null;
  if (!exists) return entry.deletion === 'unknown' ? null : 'an acknowledged stream is missing';
  const isKnown = row.name === entry.name || row.name === entry.pendingName;
  return isKnown ? null : 'an acknowledged name was lost';
}

/**
 * Checks through the API that the published streams and the last ten created streams have the stream key and playback id
 * of their creation.
 */
async function auditThroughApi({ api, journal, ledger, streams }: Stage): Promise<void> {
  const existingStreams = [...ledger.streams.values()].filter(({ deletion }) => deletion === undefined);
  for (const entry of [...streams.map((stream) => stream.entry), ...existingStreams.slice(-10)]) {
    const { status, json } = await api.send('GET', `/api/stream/${entry.id}`);
    const shownStream = streamSchema.safeParse(json).data;
    if (
      status !== 200 ||
      shownStream?.streamKey !== entry.streamKey ||
      shownStream.playbackId !== entry.playbackId
    )
      journal.reportProblem('a stream differs from its creation', entry.id, { status, shown: shownStream });
  }
}
