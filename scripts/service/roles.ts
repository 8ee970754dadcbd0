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
  };
  return [web, worker('jobs'), worker('origin'), worker('live', liveFlags)];
}
