'use client';

import { HOUR_MS } from '@/lib/core/units';
import { getSession, signOut } from 'next-auth/react';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { DataProvider } from '@/app/data-provider';
import { ConnectionBanner, SessionEndedDialog } from '@/components/shell/connection-notices';
import { type ServerFeatures, ServerFeaturesProvider } from '@/components/shell/server-features';
import { Shell } from '@/components/shell/shell';
import { OperatorProvider } from '@/components/shell/use-navigation';
import { TeamProvider, useReloadOnTeamSwitch, type ActiveTeam } from '@/components/teams/use-team';
import { Toaster } from '@/components/ui/overlay/toaster';
import { KeyboardShortcuts, type Overlay } from './shortcuts';
import { UploadsProvider } from '@/components/upload/uploads-provider';
import { TimeSettingsCookie } from '@/components/ui/time/store-time-settings';
import type { Team } from '@/lib/contract/accounts/team';
import { useServerProbes, useServiceWorker } from '@/lib/client/use-server-reachability';

const SESSION_RENEWAL_INTERVAL_MS = HOUR_MS;

interface DashboardFrameProps {
  email: string;
  operator: boolean;
  team: ActiveTeam;
  teams: readonly Team[];
  features: ServerFeatures;
  children: ReactNode;
}

export function DashboardFrame(props: DashboardFrameProps) {
  const { email, operator, team, teams, features, children } = props;
  const [isSessionEnded, setIsSessionEnded] = useState(false);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const isOwnTeam = teams.find(({ id }) => id === team.id)?.own ?? true;
  const logOut = () => void signOut({ callbackUrl: '/login' });
  const onSessionEnd = useCallback(() => setIsSessionEnded(true), []);
  useStaySignedIn();
  useServerProbes();
  useServiceWorker();
  useReloadOnTeamSwitch(team.id);
  return (
    <DataProvider onSessionEnd={onSessionEnd}>
      <TimeSettingsCookie />
      <OperatorProvider value={operator}>
        <TeamProvider value={team}>
          {/* Requests name this team (lib/client/active-team.ts). */}
          <div data-team-id={team.id} className="contents">
            <ServerFeaturesProvider value={features}>
              <UploadsProvider account={isOwnTeam ? email : `${email} ${team.id}`}>
                <Shell email={email} teams={teams} onLogOut={logOut} onSearch={() => setOverlay('palette')}>
                  {children}
                </Shell>
              </UploadsProvider>
            </ServerFeaturesProvider>
          </div>
          <SessionEndedDialog open={isSessionEnded} onOpenChange={setIsSessionEnded} />
          <KeyboardShortcuts overlay={overlay} onOverlay={setOverlay} onLogOut={logOut} />
        </TeamProvider>
      </OperatorProvider>
      <ConnectionBanner />
      <Toaster />
    </DataProvider>
  );
}

/** Requests the session every hour, which renews its cookie while a page is open (lib/http/sessions/session-cookie.ts). */
function useStaySignedIn(): void {
  useEffect(() => {
    const renew = () => void getSession({ broadcast: false }).catch(() => undefined);
    const timer = setInterval(renew, SESSION_RENEWAL_INTERVAL_MS);
    renew();
    return () => clearInterval(timer);
  }, []);
}
