import { join } from 'node:path';
import { settingsToEnvironment, type Settings } from '@/lib/infra/env';
import { createSecrets } from '@/lib/infra/secrets';
import { diesWithParent } from '../postgres/child';
import type { ChildSpec } from './child-process';

const root = join(import.meta.dirname, '..', '..');

/**
 * The media of all streams lies outside V8's heap, but counts where V8 decides when to collect that heap: at 30
 * publishers every second, for a third of the process's work. Letting it grow by this much more between two collections
 * makes that every five seconds.
 */
const liveFlags = ['--heap-growing-percent=100'];

/**
 * A process that answers nothing for so long is frozen, or its event loop or descriptors are gone for good: viewers and
 * publishers are better off with a new one. A machine under load delays an answer by a second or two.
 */
const liveness = { silentMs: 15_000, startingMs: 60_000 };

/** The processes of the service, in the order in which they are stopped. */
export function roleChildren(settings: Settings): ChildSpec[] {
  const environment = { ...settingsToEnvironment(settings), NODE_ENV: 'production' };
  const node = (args: string[]) => diesWithParent({ command: process.execPath, args });
  const built = (file: string) => ['--enable-source-maps', join(root, '.build', file)];
  const worker = (role: string, flags: readonly string[] = []): ChildSpec => ({
    name: role,
    command: node([...flags, ...built('media-worker.js'), role]),
    environment,
    stopSignal: 'SIGTERM',
    liveness,
  });
  const web: ChildSpec = {
    name: 'web',
    command: node(built('web.js')),
    environment: {
      ...environment,
      NEXT_TELEMETRY_DISABLED: '1',
      NEXTAUTH_URL: settings.baseUrl,
      NEXTAUTH_SECRET: createSecrets(settings.appSecret).derive('browser-sessions').toString('hex'),
    },
    stopSignal: 'SIGTERM',
    liveness,
  };
  return [web, worker('jobs'), worker('origin'), worker('live', liveFlags)];
}
