import { parseArgs } from 'node:util';

export type QueueBackend = 'pg' | 'redis';

export interface ClusterOptions {
  readonly queues: readonly QueueBackend[];
  /** Whether only two scenarios run, on loopback. They take less than a minute after the service is built. */
  readonly short: boolean;
  /** Names of the scenarios to run; empty for all. */
  readonly only: readonly string[];
  /** Whether connections between the nodes are encrypted. */
  readonly tls: boolean;
  /** Whether logs and data are kept after the run. */
  readonly keep: boolean;
}

const usage = `npm run test:cluster -- [--queues pg|redis|both] [--short] [--tls] [--only takeover,jobs] [--keep]`;

/**
 * Parses the arguments of the command line.
 * @throws Error if an option, queue or scenario is unknown
 */
export function readOptions(args: readonly string[], scenarioNames: readonly string[]): ClusterOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      queues: { type: 'string' },
      short: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      tls: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const queues = values.queues ?? (values.short ? 'pg' : 'both');
  if (queues !== 'pg' && queues !== 'redis' && queues !== 'both') {
    throw new Error(`--queues: expected pg, redis or both\n\n${usage}`);
  }
  const only = values.only.split(',').filter(Boolean);
  const unknownNames = only.filter((name) => !scenarioNames.includes(name));
  if (unknownNames.length > 0)
    throw new Error(`--only: ${unknownNames.join()} is none of ${scenarioNames.join(', ')}\n\n${usage}`);
  const { short, tls, keep } = values;
  return { queues: queues === 'both' ? ['pg', 'redis'] : [queues], short, only, tls, keep };
}
