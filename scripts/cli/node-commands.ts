import type { Command } from 'commander';
import { z } from 'zod';
import { processName } from '@/lib/core/nodes/process-slots';
import { loadMachineId } from '@/lib/infra/machine-id';
import { listNodes, setDraining } from '@/lib/domain/nodes';
import { ExpectedError } from '../service/expected-error';
import { withContext } from './open-context';

type Print = (...cells: string[]) => void;

const columns = ['id', 'process', 'state', 'streams', 'version', 'region', 'url'] as const;

export function addNodeCommands(program: Command, print: Print): void {
  program
    .command('node:list')
    .description('print id, process, state, streams, version, region and address of every node')
    .option('--json', 'print the result as one JSON array, with all fields', false)
    .action(({ json }: { json: boolean }) => printNodes({ json, print }));
  program
    .command('node:drain')
    .description(
      'take the live nodes of a machine out of service: no new publishes; streams get DRAIN_SECONDS to end or move',
    )
    .option('--node <id>', 'id from node:list (default: this machine)')
    .action(({ node }: { node?: string }) => drain(node, true, print));
  program
    .command('node:undrain')
    .description('put the live nodes of a machine back into service')
    .option('--node <id>', 'id from node:list (default: this machine)')
    .action(({ node }: { node?: string }) => drain(node, false, print));
}

async function printNodes({ json, print }: { json: boolean; print: Print }): Promise<void> {
  const nodes = await withContext(listNodes);
  if (json) {
    print(JSON.stringify(nodes));
    return;
  }
  print(...columns);
  for (const { id, role, slot, state, streamCount, version, region, url } of nodes) {
    print(id, processName(role, slot), state, String(streamCount ?? '-'), version ?? '-', region ?? '-', url);
  }
}

/** Prints the ids of the nodes. */
async function drain(node: string | undefined, isDraining: boolean, print: Print): Promise<void> {
  if (node !== undefined && !z.uuid().safeParse(node).success)
    throw new ExpectedError('--node: expected an id from node:list');
  await withContext(async (ctx) => {
    const target =
      node === undefined ? { machineId: await loadMachineId(ctx.settings.dataDir) } : { nodeId: node };
    for (const id of await setDraining(ctx, target, isDraining)) print(id);
  });
}
