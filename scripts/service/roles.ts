import { join } from 'node:path';
import { withVariables, type OperatorSettings, type ServiceRole, type Settings } from '@/lib/infra/env';
import { runsRtc } from '@/lib/infra/rtc-settings';
import { createSecrets } from '@/lib/infra/secrets';
import { diesWithParent } from '../postgres/child';
import type { ChildSpec } from './child-process';

const root = join(import.meta.dirname, '..', '..');

/**
 * Media is stored outside V8's heap, but V8 counts it when it decides to collect garbage. With 30 publishers that was
 * every second and a third of the CPU time. With a higher growth limit it is every five seconds. WebRTC packets are small,
 * but the heap around them is searched just as often.
 */
const mediaFlags = ['--heap-growing-percent=100'];

/**
 * A process that does not respond for this long is frozen, blocked or out of file descriptors, so it is restarted. An
 * overloaded machine delays responses by a second or two.
 */
const liveness = { silentMs: 15_000, startingMs: 60_000 };

const environmentOf = (settings: OperatorSettings) => ({
  ...settings.environment,
  NODE_ENV: 'production',
});
const node = (args: string[]) => diesWithParent({ command: process.execPath, args });
const builtCommand = (file: string) => ['--enable-source-maps', join(root, '.build', file)];

function workerChild(settings: OperatorSettings, role: string, flags: readonly string[] = []): ChildSpec {
  return {
    name: role,
    command: node([...flags, ...builtCommand('media-worker.js'), role]),
    environment: environmentOf(settings),
    stopSignal: 'SIGTERM',
    liveness,
  };
}

/** The only process of a machine with `UPSTREAM_ORIGIN`. */
export const edgeChild = (settings: OperatorSettings): ChildSpec => workerChild(settings, 'edge');

/** The processes that this machine runs, in stop order. */
export function roleChildren(settings: Settings): ChildSpec[] {
  const worker = (role: string, flags?: readonly string[]) => workerChild(settings, role, flags);
  const web = (): ChildSpec => ({
    name: 'web',
    command: node(builtCommand('web.js')),
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
    live: () => worker('live', mediaFlags),
  };
  // The ACME process reads a row every few seconds.
  const acme = () => workerChild(withVariables(settings, { DATABASE_POOL_SIZE: '4' }), 'acme');
  // The RTC process queries the database only for live nodes of other machines.
  const rtc = () => workerChild(withVariables(settings, { DATABASE_POOL_SIZE: '4' }), 'rtc', mediaFlags);
  return [
    ...settings.roles.map((role) => children[role]()),
    ...(runsRtc(settings) ? [rtc()] : []),
    ...(settings.acme ? [acme()] : []),
  ];
}
