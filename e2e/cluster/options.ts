import { parseArgs } from 'node:util';

export type QueuesIn = 'pg' | 'redis';

export interface ClusterOptions {
  readonly queues: readonly QueuesIn[];
  /** Runs two scenarios on loopback, which take less than a minute once the service is built. */
  readonly short: boolean;
  /** Names of the scenarios to run; empty for all. */
  readonly only: readonly string[];
  /** Encrypts connections between the nodes. */
  readonly tls: boolean;
  /** Keeps logs and data after the run. */
  readonly keep: boolean;
}

const usage = `npm run test:cluster -- [--queues pg|redis|both] [--short] [--tls] [--only takeover,jobs] [--keep]`;

/** @throws Error with the usage text */
export function readOptions(args: readonly string[], names: readonly string[]): ClusterOptions {
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
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`--only: ${unknown.join()} is none of ${names.join(', ')}\n\n${usage}`);
  const { short, tls, keep } = values;
  return { queues: queues === 'both' ? ['pg', 'redis'] : [queues], short, only, tls, keep };
}
