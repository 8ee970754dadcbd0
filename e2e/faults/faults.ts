import { setTimeout as sleep } from 'node:timers/promises';
import { faultNames, s3FaultNames, type FaultName } from './fault-names';
import type { Random } from './random';
import { until } from './service/until';
import { isRunning, sendSignal, type Process, type Role } from './service/processes';
import { describeProcess } from './service/service';
import type { Stage } from './stage';

/** Details for the log, or null if no process could be signalled. */
type InjectionResult = object | null;

interface InjectionContext {
  readonly stage: Stage;
  readonly random: Random;
}

export interface InjectedFault {
  readonly name: FaultName;
  /** Milliseconds from the end of the fault until the service was healthy; null after a timeout. */
  readonly healthyAfterMs: number | null;
}

const injectors: Readonly<
  Record<FaultName, (injection: InjectionContext) => Promise<InjectionResult> | InjectionResult>
> = {
  'kill-live': ({ stage }) => signalRole(stage, 'live', 'SIGKILL'),
  'kill-jobs': ({ stage }) => signalRole(stage, 'jobs', 'SIGKILL'),
  'kill-origin': ({ stage }) => signalRole(stage, 'origin', 'SIGKILL'),
  'kill-web': ({ stage }) => signalRole(stage, 'web', 'SIGKILL'),
  'kill-postgres': ({ stage }) => signalOne(stage.service.findProcesses().postmaster, 'SIGKILL'),
  'kill-ffmpeg': ({ stage, random }) =>
    signalOne(random.pick(stage.service.findProcesses().ffmpeg), 'SIGKILL'),
  'kill-supervisor': killSupervisor,
  'kill-backend': ({ stage, random }) => signalOne(random.pick(findBackends(stage)), 'SIGKILL'),
  'kill-live-and-jobs': ({ stage }) => {
    const { live, jobs } = stage.service.findProcesses().roles;
    return signalAll([live, jobs], 'SIGKILL');
  },
  'kill-everything': killEverything,
  'term-live': ({ stage }) => signalRole(stage, 'live', 'SIGTERM'),
  'term-jobs': ({ stage }) => signalRole(stage, 'jobs', 'SIGTERM'),
  'term-origin': ({ stage }) => signalRole(stage, 'origin', 'SIGTERM'),
  'term-web': ({ stage }) => signalRole(stage, 'web', 'SIGTERM'),
  // SIGINT is PostgreSQL's fast shutdown. SIGTERM would wait until every client has disconnected.
  'restart-postgres': ({ stage }) => signalOne(stage.service.findProcesses().postmaster, 'SIGINT'),
  'restart-service': restartService,
  'freeze-live': (injection) => freezeRole(injection, 'live', 40),
  'freeze-jobs': (injection) => freezeRole(injection, 'jobs', 30),
  'freeze-origin': (injection) => freezeRole(injection, 'origin', 25),
  'freeze-web': (injection) => freezeRole(injection, 'web', 20),
  'freeze-ffmpeg': ({ stage, random }) =>
    freeze([random.pick(stage.service.findProcesses().ffmpeg)], random.between(5, 20)),
  'freeze-postgres': ({ stage, random }) => {
    const { postmaster, postgres } = stage.service.findProcesses();
    return freeze(postmaster ? [postmaster, ...postgres] : [], random.between(5, 40));
  },
  'freeze-everything': ({ stage, random }) =>
    freeze(stage.service.findProcesses().all, random.between(5, 30)),
  'freeze-s3': ({ stage, random }) => freeze([stage.s3?.findProcess()], random.between(5, 40)),
  'kill-s3': killS3,
};

/** Generates an endless sequence of faults: those of the options in order, or `mix`, which shuffles all faults for each pass. */
export function* faultSequence(
  { faults, storage }: Stage['options'],
  random: Random,
): Generator<FaultName, never> {
  const all: readonly FaultName[] = storage === 's3' ? [...faultNames, ...s3FaultNames] : faultNames;
  for (;;) yield* faults === 'mix' ? random.shuffle(all) : faults;
}

/**
 * Injects one fault and waits until the service is healthy again.
 * @returns null if the fault had no target
 */
export async function injectFault(
  stage: Stage,
  random: Random,
  name: FaultName,
): Promise<InjectedFault | null> {
  const { journal, service } = stage;
  journal.log(`fault ${name} …`);
  const result = await injectors[name]({ stage, random });
  if (!result) {
    journal.log(`fault ${name} had no target`);
    return null;
  }
  const healthyAfterMs = await service.ensureHealthy(name);
  const healthyMs = healthyAfterMs === null ? null : Math.round(healthyAfterMs);
  journal.append('faults', { name, ...result, healthyAfterMs: healthyMs });
  const outcome = healthyMs === null ? 'not healthy again' : `healthy after ${healthyMs} ms`;
  journal.log(`fault ${name} ${JSON.stringify(result).slice(0, 160)}: ${outcome}`);
  return { name, healthyAfterMs };
}

function signalOne(target: Process | undefined, signal: NodeJS.Signals): InjectionResult {
  return target && sendSignal(target, signal) ? { process: describeProcess(target) } : null;
}

const signalRole = (stage: Stage, role: Role, signal: NodeJS.Signals): InjectionResult =>
  signalOne(stage.service.findProcesses().roles[role], signal);

function signalAll(targets: readonly (Process | undefined)[], signal: NodeJS.Signals): InjectionResult {
  const signalledProcesses = targets.filter((target) => target !== undefined && sendSignal(target, signal));
  return signalledProcesses.length > 0 ? { processes: signalledProcesses.length } : null;
}

/** Finds the PostgreSQL backends of clients. Their title is `postgres: user database address(port) …`. */
const findBackends = (stage: Stage): Process[] =>
  stage.service
    .findProcesses()
    .postgres.filter(({ args }) => /^postgres: .*\d+\.\d+\.\d+\.\d+\(\d+\)/.test(args.join(' ')));

const freezeRole = (
  { stage, random }: InjectionContext,
  role: Role,
  maxSeconds: number,
): Promise<InjectionResult> =>
  freeze([stage.service.findProcesses().roles[role]], random.between(5, maxSeconds));

async function freeze(targets: readonly (Process | undefined)[], seconds: number): Promise<InjectionResult> {
  const frozenProcesses = targets.filter((target) => target !== undefined && sendSignal(target, 'SIGSTOP'));
  if (frozenProcesses.length === 0) return null;
  try {
    await sleep(seconds * 1_000);
  } finally {
    signalAll(frozenProcesses, 'SIGCONT');
  }
  return { processes: frozenProcesses.length, seconds: Number(seconds.toFixed(1)) };
}

/** Kills the supervisor, and records how many children are still running after a short time. They must end with it. */
async function killSupervisor({ stage, random }: InjectionContext): Promise<InjectionResult> {
  const { supervisor, all } = stage.service.findProcesses();
  if (!supervisor || !sendSignal(supervisor, 'SIGKILL')) return null;
  await sleep(random.between(200, 2_500));
  const orphans = all.slice(1).filter(isRunning);
  await until(10, () => !stage.service.isRunning, 50);
  return { process: describeProcess(supervisor), stillRunning: orphans.length };
}

/** Kills all processes of the service at the same time. */
async function killEverything({ stage }: InjectionContext): Promise<InjectionResult> {
  const result = signalAll(stage.service.findProcesses().all, 'SIGKILL');
  await until(10, () => !stage.service.isRunning, 50);
  return result;
}

async function restartService({ stage }: InjectionContext): Promise<InjectionResult> {
  if (!stage.service.isRunning) return null;
  return { stoppedAfterMs: Math.round(await stage.service.stop()) };
}

async function killS3({ stage, random }: InjectionContext): Promise<InjectionResult> {
  const { s3 } = stage;
  const target = s3?.findProcess();
  if (!s3 || !target || !sendSignal(target, 'SIGKILL')) return null;
  await until(10, () => !isRunning(target), 50);
  const seconds = random.between(0.5, 15);
  await sleep(seconds * 1_000);
  await s3.start();
  return { process: describeProcess(target), downSeconds: Number(seconds.toFixed(1)) };
}
