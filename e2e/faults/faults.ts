import { setTimeout as sleep } from 'node:timers/promises';
import { faultNames, s3FaultNames, type FaultName } from './fault-names';
import type { Random } from './random';
import { until } from './service/child';
import { isRunning, signal, type Process, type Role } from './service/processes';
import { describe } from './service/service';
import type { Stage } from './stage';

/** Details for the log; null if there was no target. */
type InjectionResult = object | null;

interface Injection {
  readonly stage: Stage;
  readonly random: Random;
}

export interface InjectedFault {
  readonly name: FaultName;
  /** Milliseconds from the end of the fault until the service was healthy; null after a timeout. */
  readonly healthyAfterMs: number | null;
}

const actions: Readonly<
  Record<FaultName, (injection: Injection) => Promise<InjectionResult> | InjectionResult>
> = {
  'kill-live': ({ stage }) => signalRole(stage, 'live', 'SIGKILL'),
  'kill-jobs': ({ stage }) => signalRole(stage, 'jobs', 'SIGKILL'),
  'kill-origin': ({ stage }) => signalRole(stage, 'origin', 'SIGKILL'),
  'kill-web': ({ stage }) => signalRole(stage, 'web', 'SIGKILL'),
  'kill-postgres': ({ stage }) => signalOne(stage.service.processes().postmaster, 'SIGKILL'),
  'kill-ffmpeg': ({ stage, random }) => signalOne(random.pick(stage.service.processes().ffmpeg), 'SIGKILL'),
  'kill-supervisor': killSupervisor,
  'kill-backend': ({ stage, random }) => signalOne(random.pick(connections(stage)), 'SIGKILL'),
  'kill-live-and-jobs': ({ stage }) => {
    const { live, jobs } = stage.service.processes().roles;
    return signalAll([live, jobs], 'SIGKILL');
  },
  'kill-everything': killEverything,
  'term-live': ({ stage }) => signalRole(stage, 'live', 'SIGTERM'),
  'term-jobs': ({ stage }) => signalRole(stage, 'jobs', 'SIGTERM'),
  'term-origin': ({ stage }) => signalRole(stage, 'origin', 'SIGTERM'),
  'term-web': ({ stage }) => signalRole(stage, 'web', 'SIGTERM'),
  // SIGINT is PostgreSQL's fast shutdown. SIGTERM would wait until every client has disconnected.
  'restart-postgres': ({ stage }) => signalOne(stage.service.processes().postmaster, 'SIGINT'),
  'restart-service': restartService,
  'freeze-live': (injection) => freezeRole(injection, 'live', 40),
  'freeze-jobs': (injection) => freezeRole(injection, 'jobs', 30),
  'freeze-origin': (injection) => freezeRole(injection, 'origin', 25),
  'freeze-web': (injection) => freezeRole(injection, 'web', 20),
  'freeze-ffmpeg': ({ stage, random }) =>
    freeze([random.pick(stage.service.processes().ffmpeg)], random.between(5, 20)),
  'freeze-postgres': ({ stage, random }) => {
    const { postmaster, postgres } = stage.service.processes();
    return freeze(postmaster ? [postmaster, ...postgres] : [], random.between(5, 40));
  },
  'freeze-everything': ({ stage, random }) => freeze(stage.service.processes().all, random.between(5, 30)),
  'freeze-s3': ({ stage, random }) => freeze([stage.s3?.process()], random.between(5, 40)),
  'kill-s3': killS3,
};

/** Repeats the faults of a run in order. */
export function* faultSequence(
  { faults, storage }: Stage['options'],
  random: Random,
): Generator<FaultName, never> {
  const all: readonly FaultName[] = storage === 's3' ? [...faultNames, ...s3FaultNames] : faultNames;
  for (;;) yield* faults === 'mix' ? random.shuffle(all) : faults;
}

/** Injects one fault and waits until the service is healthy again. @returns null if the fault had no target */
export async function inject(stage: Stage, random: Random, name: FaultName): Promise<InjectedFault | null> {
  const { journal, service } = stage;
  journal.say(`fault ${name} …`);
  const injection = await actions[name]({ stage, random });
  if (!injection) {
    journal.say(`fault ${name} had no target`);
    return null;
  }
  const healthyAfterMs = await service.ensureHealthy(name);
  const healthyMs = healthyAfterMs === null ? null : Math.round(healthyAfterMs);
  journal.record('faults', { name, ...injection, healthyAfterMs: healthyMs });
  const outcome = healthyMs === null ? 'not healthy again' : `healthy after ${healthyMs} ms`;
  journal.say(`fault ${name} ${JSON.stringify(injection).slice(0, 160)}: ${outcome}`);
  return { name, healthyAfterMs };
}

function signalOne(target: Process | undefined, name: NodeJS.Signals): InjectionResult {
  return target && signal(target, name) ? { process: describe(target) } : null;
}

const signalRole = (stage: Stage, role: Role, name: NodeJS.Signals): InjectionResult =>
  signalOne(stage.service.processes().roles[role], name);

function signalAll(targets: readonly (Process | undefined)[], name: NodeJS.Signals): InjectionResult {
  const hit = targets.filter((target) => target !== undefined && signal(target, name));
  return hit.length > 0 ? { processes: hit.length } : null;
}

/** Backends of PostgreSQL, with the title `postgres: user database address(port) …`. */
const connections = (stage: Stage): Process[] =>
  stage.service
    .processes()
    .postgres.filter(({ args }) => /^postgres: .*\d+\.\d+\.\d+\.\d+\(\d+\)/.test(args.join(' ')));

const freezeRole = ({ stage, random }: Injection, role: Role, maxSeconds: number): Promise<InjectionResult> =>
  freeze([stage.service.processes().roles[role]], random.between(5, maxSeconds));

async function freeze(targets: readonly (Process | undefined)[], seconds: number): Promise<InjectionResult> {
  const frozen = targets.filter((target) => target !== undefined && signal(target, 'SIGSTOP'));
  if (frozen.length === 0) return null;
  try {
    await sleep(seconds * 1_000);
  } finally {
    signalAll(frozen, 'SIGCONT');
  }
  return { processes: frozen.length, seconds: Number(seconds.toFixed(1)) };
}

/** Kills the supervisor, with which all its children die. */
async function killSupervisor({ stage, random }: Injection): Promise<InjectionResult> {
  const { supervisor, all } = stage.service.processes();
  if (!supervisor || !signal(supervisor, 'SIGKILL')) return null;
  await sleep(random.between(200, 2_500));
  const orphans = all.slice(1).filter(isRunning);
  await until(10, () => !stage.service.running, 50);
  return { process: describe(supervisor), stillRunning: orphans.length };
}

/** Simulates a power failure. */
async function killEverything({ stage }: Injection): Promise<InjectionResult> {
  const injection = signalAll(stage.service.processes().all, 'SIGKILL');
  await until(10, () => !stage.service.running, 50);
  return injection;
}

async function restartService({ stage }: Injection): Promise<InjectionResult> {
  if (!stage.service.running) return null;
  return { stoppedAfterMs: Math.round(await stage.service.stop()) };
}

async function killS3({ stage, random }: Injection): Promise<InjectionResult> {
  const { s3 } = stage;
  const target = s3?.process();
  if (!s3 || !target || !signal(target, 'SIGKILL')) return null;
  await until(10, () => !isRunning(target), 50);
  const seconds = random.between(0.5, 15);
  await sleep(seconds * 1_000);
  await s3.start();
  return { process: describe(target), downSeconds: Number(seconds.toFixed(1)) };
}
