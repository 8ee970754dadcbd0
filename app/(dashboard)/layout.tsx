import { headers } from 'next/headers';
import { ClientErrorTranslation } from '@/components/i18n/reasons';
import type { ReactNode } from 'react';
import { ThemeProvider } from '@/components/ui/theme/theme-provider';
import { ingestsKey } from '@/lib/client/query-keys';
import { readIngestsForPages } from '@/lib/http/service-status';
import { getSessionContext, getSessionUser, getServerFeatures } from '@/lib/http/sessions/session-user';
import { listTeams } from '@/lib/domain/teams';
import { AreaMessagesProvider } from '@/app/messages';
import type { Area } from '@/messages/catalogue';
import { PrefetchedQueries } from './_data/prefetched-queries';
import { DashboardFrame } from './dashboard-frame';

/** Message areas that dashboard pages use. */
const areas: readonly Area[] = [
  'access',
  'admin',
  'assets',
  'audience',
  'clips',
  'home',
  'keys',
  'nodes',
  'palette',
  'player',
  'reasons',
  'sessions',
  'settings',
  'shell',
  'site',
  'streams',
  'targets',
  'tasks',
  'ui',
  'upload',
  'usage',
  'webhooks',
];

/** Every dashboard page depends on the user, so none is rendered at build time. */
export const dynamic = 'force-dynamic';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const user = await getSessionUser();
  const ctx = await getSessionContext();
  const nonce = (await headers()).get('x-nonce') ?? '';
  return (
    <ThemeProvider nonce={nonce}>
      <AreaMessagesProvider areas={areas}>
        <ClientErrorTranslation />
        {/* Each page redirects visitors to the sign-in page itself, because only a page knows its own URL (require-user.ts). */}
        {ctx && user ? (
          <DashboardFrame
            email={user.email}
            operator={user.operator}
            team={user.team}
            teams={await listTeams(ctx)}
            features={getServerFeatures()}
          >
            <PrefetchedQueries entries={[[ingestsKey, await readIngestsForPages(ctx)]]}>
              {children}
            </PrefetchedQueries>
          </DashboardFrame>
        ) : (
          children
        )}
      </AreaMessagesProvider>
    </ThemeProvider>
  );
}
