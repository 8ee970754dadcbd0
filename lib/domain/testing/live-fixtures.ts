import { afterAll } from 'vitest';
import type { SystemContext } from '@/lib/domain/context';
import { systemClock, type Clock } from '@/lib/infra/clock';
import { openDatabase, type Database } from '@/lib/infra/db';
import { readSettings, type Settings } from '@/lib/infra/env';
import { newId, newPlaybackId, newStreamKey } from '@/lib/infra/ids';
import { type Logger, createLogger } from '@/lib/infra/logger';
import { createSecrets } from '@/lib/infra/secrets';

type Stream = Awaited<ReturnType<Database['stream']['findUniqueOrThrow']>>;

type StreamColumns = Partial<
  Pick<
    Stream,
    | 'parentId'
    | 'deletedAt'
    | 'suspended'
    | 'record'
    | 'backup'
    | 'testPatternUntil'
    | 'previewPlaybackId'
    | 'isActive'
    | 'liveNodeId'
  >
>;

/** Context of the service, and functions that create and read teams, streams and nodes in an empty test database. */
export function createLiveFixtures(
  databaseUrl: string,
  {
    clock = systemClock,
    settings = {},
    log = createLogger('test', 'silent'),
  }: { clock?: Clock; settings?: Partial<Settings>; log?: Logger } = {},
) {
  const db: Database = openDatabase(databaseUrl, { max: 10 });
  afterAll(() => db.$disconnect());
  const allSettings = {
    ...readSettings({ DATABASE_URL: databaseUrl, APP_SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' }),
    ...settings,
  };
  const secrets = createSecrets(allSettings.appSecret);
  const ctx: SystemContext = { actor: { kind: 'system' }, db, clock, log, secrets, settings: allSettings };
  return {
    ctx,
    db,
    /**
     * Creates an account with its personal team, which has the same id.
     * @returns the id
     */
    createTeam: async ({ suspended = false } = {}): Promise<string> => {
      const id = newId();
      const member = {
        role: 'owner',
        account: { create: { id, email: `${id}@example.com`, passwordHash: 'x' } },
      } as const;
      await db.team.create({ data: { id, name: 'test', suspended, members: { create: member } } });
      return id;
    },
    /**
     * Creates a stream.
     * @param columns columns that differ from their defaults
     * @returns the row, with the stream key in clear text
     */
    createStream: async (
      teamId: string,
      columns: StreamColumns = {},
    ): Promise<Stream & { streamKey: string }> => {
      const id = newId();
      const streamKey = newStreamKey();
      const row = await db.stream.create({
        data: {
          id,
          teamId,
          name: 'Town hall',
          playbackId: newPlaybackId(),
          streamKeyHash: secrets.fingerprint('stream-key', streamKey),
          streamKeySealed: secrets.seal({ kind: 'stream-key', id, teamId }, streamKey),
          ...columns,
        },
      });
      return { ...row, streamKey };
    },
    /**
     * Creates a node.
     * @param silentMs time since the last heartbeat of the node, in milliseconds
     * @returns the id
     */
    createNode: async ({ role = 'live', silentMs = 0 } = {}): Promise<string> => {
      const id = newId();
      const seenAt = new Date(Date.now() - silentMs);
      await db.node.create({ data: { id, role, url: `http://127.0.0.1:1/${id}`, seenAt } });
      return id;
    },
    readStream: (id: string) => db.stream.findUniqueOrThrow({ where: { id } }),
    /** Sessions of a stream, oldest first. */
    sessionsOf: (id: string) =>
      db.session.findMany({ where: { parentId: id }, orderBy: { createdAt: 'asc' } }),
    /** Events of a stream, in the order in which they happened. */
    eventsOf: (id: string) => db.event.findMany({ where: { streamId: id }, orderBy: { sequence: 'asc' } }),
  };
}
