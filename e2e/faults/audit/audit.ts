import type { Stage } from '../stage';
import { auditAssets } from './assets';
import { Database } from './database';
import { auditEvents } from './events';
import { auditLeftovers } from './leftovers';
import type { RecordingAudit } from './recordings';
import { settle } from './settle';
import { auditStates } from './states';
import { auditWithCommand } from './storage-command';
import { auditWrites } from './writes';

/** Figures of an audit, in the order of its table. */
export type AuditCounts = Readonly<Record<string, number | string>>;

/** Waits until the service is idle, then compares the ledger with rows, events, recordings and files. */
export async function audit(stage: Stage, recordings: RecordingAudit): Promise<AuditCounts> {
  const { service, remote } = stage;
  remote.acceptsAll = true;
  await service.ensureHealthy('audit');
  const database = await Database.open(service);
  try {
    const settledSeconds = await settle(stage, database);
    await auditStates(stage, database);
    const { deliveryCount, repeatedCount } = await auditEvents(stage, database);
    const writes = await auditWrites(stage, database);
    const { assets, megabytes, exports } = await auditAssets(stage, database);
    await recordings.run(database);
    const objects = await auditLeftovers(stage, database);
    const storage = await auditWithCommand(stage);
    return {
      'seconds until the service was idle': Math.round(settledSeconds),
      'acknowledged rows': writes,
      'deliveries checked': deliveryCount,
      'deliveries received more than once': repeatedCount,
      'assets compared': assets,
      'megabytes of assets': megabytes,
      'exports compared': exports,
      'recordings so far': recordings.recordings,
      'recorded segments compared with those of viewers so far': recordings.segmentsCompared,
      'frames decoded so far': recordings.framesDecoded,
      'objects in the storage': objects,
      'storage:audit': storage,
    };
  } finally {
    await database.close();
    remote.acceptsAll = false;
  }
}
