import { join } from 'node:path';
import type { OperatorSettings, ServiceRole, Settings } from '@/lib/infra/env';
import { runsRtc } from '@/lib/infra/settings/rtc-settings';
import { createSecrets } from '@/lib/infra/secrets';
import { killWithParent } from '../postgres/child';
import type { ChildSpec } from './child-process';

const root = join(import.meta.dirname, '..', '..');

/**
 * Flags against frequent garbage collection. Media is stored outside V8's heap, but V8 counts it when it decides to collect.
 * With 30 publishers, it would collect every second and use a third of the CPU time; with a higher growth limit, it
 * collects every five seconds.
 */
const mediaFlags = ['--heap-growing-percent=100'];

/**
 * Requests allocate objects that live for some milliseconds. With the default of 16 MB, many still live when the young
 * generation is collected, and are copied. With 32 MB, a list of streams takes a fifth less CPU time.
 */
const webFlags = ['--max-semi-space-size=32'];

/**
 * A process that does not respond for this long is frozen, blocked or out of file descriptors, so it is restarted. An
 * overloaded machine delays responses by a second or two.
 */
const liveness = { silenceTimeoutMs: 15_000, startTimeoutMs: 60_000 };

const environmentOf = (settings: OperatorSettings) => ({
  ...settings.environment,
  NODE_ENV: 'production',
});
/** Fewer connections, for a process that rarely queries the database. */
const fewConnections = { DATABASE_POOL_SIZE: '4' };
const nodeCommand = (args: string[]) => killWithParent({ command: process.execPath, args });
const builtCommand = (file: string) => ['--enable-source-maps', join(root, '.build', file)];

interface Options {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

function workerChild(settings: OperatorSettings, role: string, options: Options = {}): ChildSpec {
  const { flags = [], environment } = options;
  return {
    name: role,
    command: nodeCommand([...flags, ...builtCommand('media-worker.js'), role]),
    environment: { ...environmentOf(settings), ...environment },
    stopSignal: 'SIGTERM',
    liveness,
  };
}

/** The only process of a machine with `UPSTREAM_ORIGIN`. */
export const edgeChild = (settings: OperatorSettings): ChildSpec => workerChild(settings, 'edge');

/** The processes that this machine runs, in stop order. */
export function roleChildren(settings: Settings): ChildSpec[] {
  const worker = (role: string, options?: Options) => workerChild(settings, role, options);
  const web = (): ChildSpec => ({
    name: 'web',
    command: nodeCommand([...webFlags, ...builtCommand('web.js')]),
    environment: {
      ...environmentOf(settings),
      NEXT_TELEMETRY_DISABLED: '1',
      NEXTAUTH_URL: settings.baseUrl,
      NEXTAUTH_SECRET: createSecrets(settings.appSecret).derive('browser-sessions').toString('hex'),
    },
    stopSignal: 'SIGTERM',
    liveness,
  });
  const children: Record<ServiceRole, () => ChildSpec> = {
    web,
    jobs: () => worker('jobs'),
    origin: () => worker('origin'),
    live: () => worker('live', { flags: mediaFlags }),
  };
  // The ACME process reads a row every few seconds.
  const acme = () => worker('acme', { environment: fewConnections });
  // The RTC process queries the database only for live nodes of other machines.
  const rtc = () => worker('rtc', { flags: mediaFlags, environment: fewConnections });
  return [
    ...settings.roles.map((role) => children[role]()),
    ...(runsRtc(settings) ? [rtc()] : []),
    ...(settings.acme ? [acme()] : []),
  ];
}
