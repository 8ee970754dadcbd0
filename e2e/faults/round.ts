import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from './audit/audit';
import type { RecordingAudit } from './audit/recordings';
import type { FaultName } from './fault-names';
import { inject, type InjectedFault } from './faults';
import { noCounts } from './load/counters';
import { Load, type Ending } from './load/load';
import { RtmpTarget } from './load/rtmp-target';
import type { Random } from './random';
import type { RoundResult } from './report';
import type { Stage } from './stage';

/** Time for every publisher to become live. */
const warmUpMs = 9_000;
/** Shorter outages are hidden by the buffer of a player. */
const outageMs = 3_000;
const endings: readonly Ending[] = ['unpublish', 'disconnect', 'unpublish-while-live-dies'];

export interface Rounds {
  readonly stage: Stage;
  readonly random: Random;
  readonly faults: Iterator<FaultName, undefined>;
  readonly recordings: RecordingAudit;
  readonly targetUrls: readonly string[];
}

/** Runs one round: load, faults under load, the end of all publishes, then an audit. */
export async function runRound(rounds: Rounds, round: number): Promise<RoundResult> {
  const { stage, random, recordings } = rounds;
  const { journal, service, api, remote, options } = stage;
  const problemsBefore = journal.problems.length;
  journal.say(`round ${round} of ${options.rounds}`);
  api.counters = noCounts();
  await service.ensureHealthy(`round ${round}`);
  const startedAt = Date.now();
  const load = new Load(
    stage,
    rounds.targetUrls.map((url) => new RtmpTarget(url)),
  );
  await sleep(warmUpMs);
  const faults = await injectAll(rounds, startedAt);
  const msLeft = startedAt + options.roundSeconds * 1_000 - Date.now();
  await sleep(Math.max(3_000, msLeft));
  const ending = endings[(round - 1) % endings.length] ?? 'unpublish';
  const stopping = load.stopPublishers(ending);
  if (ending === 'unpublish-while-live-dies')
    faults.push(...present(await inject(stage, random, 'kill-live')));
  await stopping;
  await service.ensureHealthy(`round ${round}`);
  await load.stop();
  const counts = await audit(stage, recordings);
  remote.stopServing();
  return {
    round,
    faults,
    load: api.counters,
    outages: load.outages(outageMs),
    incidents: journal.drainIncidents(),
    audit: counts,
    problems: journal.problems.length - problemsBefore,
  };
}

const present = <T>(value: T | null): T[] => (value === null ? [] : [value]);

/** Injects the faults of a round, but none in the last 50 s of the sources, because a freeze takes up to 40 s. */
async function injectAll({ stage, random, faults }: Rounds, startedAt: number): Promise<InjectedFault[]> {
  const { faultsPerRound, roundSeconds } = stage.options;
  const injectedFaults: InjectedFault[] = [];
  const latest = startedAt + (stage.media.sourceSeconds - 50) * 1_000;
  for (let count = 0; count < faultsPerRound && Date.now() < latest; count += 1) {
    const next = faults.next();
    if (next.done) break;
    injectedFaults.push(...present(await inject(stage, random, next.value)));
    const share = (roundSeconds * 1_000) / faultsPerRound;
    await sleep(random.between(1_500, Math.max(2_000, share - 2_500)));
  }
  return injectedFaults;
}
