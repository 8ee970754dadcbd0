import { parseArgs } from 'node:util';
import { faultNames, s3FaultNames, type FaultName } from './fault-names';

export interface Options {
  readonly rounds: number;
  readonly storage: 'local' | 's3';
  readonly seed: number;
  readonly roundSeconds: number;
  readonly faultsPerRound: number;
  /** Faults that are repeated in this order, or `mix` for all faults in random order. */
  readonly faults: readonly FaultName[] | 'mix';
  /** Whether the folder with logs and data is kept after a run without problems. */
  readonly keep: boolean;
}

const usage = `npm run faults -- [--rounds N] [--storage local|s3] [--seed S] [--round-seconds 75]
  [--faults-per-round N] [--faults ${faultNames.slice(0, 2).join(',')},...] [--keep]`;

/**
 * Parses the arguments of the command line.
 * @throws Error with the usage if a value is invalid
 */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '1' },
      storage: { type: 'string', default: 'local' },
      seed: { type: 'string' },
      'round-seconds': { type: 'string', default: '75' },
      'faults-per-round': { type: 'string' },
      faults: { type: 'string', default: 'mix' },
      keep: { type: 'boolean', default: false },
    },
  });
  const { storage } = values;
  if (storage !== 'local' && storage !== 's3') throw new Error(`--storage: expected local or s3\n\n${usage}`);
  const roundSeconds = parseWholeNumber('--round-seconds', values['round-seconds'], 20, 120);
  const perRound = values['faults-per-round'] ?? String(Math.max(1, Math.round(roundSeconds / 12)));
  return {
    rounds: parseWholeNumber('--rounds', values.rounds, 1, 1_000),
    storage,
    seed: parseWholeNumber('--seed', values.seed ?? String(Date.now() % 1_000_000), 0, 2 ** 31),
    roundSeconds,
    faultsPerRound: parseWholeNumber('--faults-per-round', perRound, 1, 30),
    faults:
      values.faults === 'mix' ? 'mix' : values.faults.split(',').map((name) => parseFault(name, storage)),
    keep: values.keep,
  };
}

function parseWholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max)
    throw new Error(`${name}: expected a whole number from ${min} to ${max}\n\n${usage}`);
  return value;
}

function parseFault(text: string, storage: Options['storage']): FaultName {
  const knownFaults: readonly FaultName[] = storage === 's3' ? [...faultNames, ...s3FaultNames] : faultNames;
  const name = knownFaults.find((candidate) => candidate === text);
  if (!name) throw new Error(`--faults: "${text}" is none of ${knownFaults.join(', ')} (storage ${storage})`);
  return name;
}
