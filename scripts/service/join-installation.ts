import { Client } from 'pg';
import { joinRejection, type Installation } from '@/lib/core/nodes/join';
import type { Settings } from '@/lib/infra/env';
import { loadMachineId } from '@/lib/infra/machine-id';
import { createSecrets } from '@/lib/infra/secrets';
import { lockMigrations, readMigrations } from '../migrate';
import { ExpectedError } from './expected-error';

/** Age of the last heartbeat after which a process counts as stopped. Processes send one every 5 s. */
const maxHeartbeatAge = '15 seconds';

/**
 * Compares this node with the installation of the database, after the migrations. The first start stores the
 * properties that other nodes must share.
 * @throws ExpectedError if the node must not start beside the others
 */
export async function joinInstallation(settings: Settings): Promise<void> {
  const machineId = await loadMachineId(settings.dataDir);
  const ownInstallation = installationOf(settings, machineId);
  const client = new Client({ connectionString: settings.databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The lock makes the second of two concurrent starts see the row of the first.
    await lockMigrations(client);
    const rejection = joinRejection({
      installation: await readInstallation(client),
      joiner: ownInstallation,
      storesLocally: settings.s3 === undefined,
      othersRun: await areOtherMachinesRunning(client, machineId),
      newerMigration: await findNewerMigration(client),
      usesTls: settings.internalTls !== undefined,
      othersDifferInTls: await doOtherMachinesDifferInTls(client, machineId, settings),
    });
    if (rejection !== null) throw new ExpectedError(rejection);
    await client.query(
      `insert into "Installation" ("secretFingerprint", "storage") values ($1, $2)
        on conflict ("id") do update set "storage" = excluded."storage"`,
      [ownInstallation.secretFingerprint, ownInstallation.storage],
    );
  } finally {
    await client.end();
  }
}

function installationOf({ appSecret, s3 }: Settings, machineId: string): Installation {
  const secretFingerprint = createSecrets(appSecret).derive('installation').toString('hex').slice(0, 16);
  if (!s3) return { secretFingerprint, storage: `local:${machineId}` };
  return { secretFingerprint, storage: `${s3.endpoint ?? `s3 in ${s3.region}`}/${s3.bucket}` };
}

async function readInstallation(client: Client): Promise<Installation | null> {
  const { rows } = await client.query<Installation>(
    'select "secretFingerprint", "storage" from "Installation"',
  );
  return rows[0] ?? null;
}

/** Whether processes of other machines announced themselves recently. */
export async function areOtherMachinesRunning(client: Client, machineId: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from "Node" where "machineId" <> $1
      and "seenAt" > now() - $2::interval) as "found"`,
    [machineId, maxHeartbeatAge],
  );
  return rows[0]?.found ?? false;
}

async function doOtherMachinesDifferInTls(
  client: Client,
  machineId: string,
  { internalTls }: Settings,
): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from "Node" where "machineId" <> $1
      and "seenAt" > now() - $2::interval and ("url" like 'https://%') <> $3) as "found"`,
    [machineId, maxHeartbeatAge, internalTls !== undefined],
  );
  return rows[0]?.found ?? false;
}

async function findNewerMigration(client: Client): Promise<string | null> {
  const ownMigrations = new Set((await readMigrations()).map(({ name }) => name));
  const { rows } = await client.query<{ name: string }>(
    `select migration_name as "name" from _prisma_migrations where rolled_back_at is null order by 1 desc`,
  );
  return rows.find(({ name }) => !ownMigrations.has(name))?.name ?? null;
}
