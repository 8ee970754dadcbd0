import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from './audit/audit';
import type { RecordingAudit } from './audit/recordings';
import type { FaultName } from './fault-names';
import { injectFault, type InjectedFault } from './faults';
import { createCounters } from './load/counters';
import { Load, type Ending } from './load/load';
import { RtmpTarget } from './load/rtmp-target';
import type { Random } from './random';
import type { RoundResult } from './report';
import type { Stage } from './stage';

/** Time in which every stream becomes live. */
const WARM_UP_MS = 9_000;
/** Time that a fault needs at most before the sources end: a freeze lasts up to 40 s. */
const MAX_FAULT_MS = 50_000;
/** Minimum length of a reported outage. The buffer of a player hides shorter outages. */
const MIN_OUTAGE_MS = 3_000;
/** How the publishes of a round end; the rounds take turns. */
const endings: readonly Ending[] = ['unpublish', 'disconnect', 'unpublish-while-live-dies'];

/** What the rounds of one run share. */
export interface RunContext {
  readonly stage: Stage;
  readonly random: Random;
  /** The faults of all rounds, in order. */
  readonly faults: Iterator<FaultName, undefined>;
  readonly recordings: RecordingAudit;
  readonly targetUrls: readonly string[];
}

/** Runs one round: starts the load, injects faults, ends all publishes and audits the service. */
export async function runRound(context: RunContext, round: number): Promise<RoundResult> {
  const { stage, random, recordings } = context;
  const { journal, service, api, remote, options } = stage;
  const problemsBefore = journal.problems.length;
  journal.log(`round ${round} of ${options.rounds}`);
  api.counters = createCounters();
  await service.ensureHealthy(`round ${round}`);
  const startedAt = Date.now();
  const load = new Load(
    stage,
    context.targetUrls.map((url) => new RtmpTarget(url)),
  );
  await sleep(WARM_UP_MS);
  const faults = await injectFaults(context, startedAt);
  const remainingMs = startedAt + options.roundSeconds * 1_000 - Date.now();
  // The load continues at least 3 s after the last fault.
  await sleep(Math.max(3_000, remainingMs));
  const ending = endings[(round - 1) % endings.length] ?? 'unpublish';
  const whenStopped = load.stopPublishers(ending);
  if (ending === 'unpublish-while-live-dies')
    faults.push(...toList(await injectFault(stage, random, 'kill-live')));
  await whenStopped;
  await service.ensureHealthy(`round ${round}`);
  await load.stop();
  const counts = await audit(stage, recordings);
  remote.removeFiles();
  return {
    round,
    faults,
    load: api.counters,
    outages: load.findOutages(MIN_OUTAGE_MS),
    incidents: journal.drainIncidents(),
    audit: counts,
    problems: journal.problems.length - problemsBefore,
  };
}

const toList = <T>(value: T | null): T[] => (value === null ? [] : [value]);

/** Injects the faults of a round. */
async function injectFaults(
  { stage, random, faults }: RunContext,
  startedAt: number,
): Promise<InjectedFault[]> {
  const { faultsPerRound, roundSeconds } = stage.options;
  const injectedFaults: InjectedFault[] = [];
  const latestFaultAt = startedAt + stage.media.sourceSeconds * 1_000 - MAX_FAULT_MS;
  for (let count = 0; count < faultsPerRound && Date.now() < latestFaultAt; count += 1) {
    const nextFault = faults.next();
    if (nextFault.done) break;
    injectedFaults.push(...toList(await injectFault(stage, random, nextFault.value)));
    const msPerFault = (roundSeconds * 1_000) / faultsPerRound;
    await sleep(random.between(1_500, Math.max(2_000, msPerFault - 2_500)));
  }
  return injectedFaults;
}
