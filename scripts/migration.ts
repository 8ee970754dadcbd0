import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findSchemaDifference } from './schema-difference';
import { openCluster } from './postgres/cluster';
import { runSql, startPostgres } from './postgres/server';

/**
 * `npm run migration -- <name>`: writes a migration after a change of prisma/schema.prisma. Review it before you commit
 * it. Never edit a released migration.
 */
export default async function migration(args: readonly string[]): Promise<void> {
  const name = args[0];
  if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new Error('Give the migration a name in snake_case: npm run migration -- add_assets');
  }
  const folder = await mkdtemp(join(tmpdir(), 'headwater-migration-'));
  const server = await startPostgres(await openCluster(folder, { durable: false }));
  try {
    await runSql(server.url('postgres'), 'create database headwater');
    const sql = await findSchemaDifference(server.url('headwater'));
    if (!sql) {
      console.log('prisma/migrations already matches prisma/schema.prisma.');
      return;
    }
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const target = join(import.meta.dirname, '..', 'prisma', 'migrations', `${stamp}_${name}`);
    await mkdir(target, { recursive: true });
    await writeFile(join(target, 'migration.sql'), sql);
    console.log(`Wrote ${relative(process.cwd(), target)}/migration.sql`);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
